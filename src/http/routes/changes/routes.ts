import { seesEverything } from '../../../base/graph-access.ts';
import type { ChangeEvent } from '../../../changes/messages.ts';
import { failure } from '../../../errors.ts';
import { negotiate } from '../../../rdf/media-types/accept.ts';
import type { ChangeService } from '../../../services/changes/service.ts';
import { endpoint } from '../../description/endpoint.ts';
import { withQuery } from '../../parameters.ts';
import type { Query } from '../../query.ts';
import type { Header } from '../../server/header.ts';
import type { HandlerResult, HttpRequest } from '../../server/message.ts';
import type { Route } from '../../server/router.ts';
import { eventJson, isComplete, type PositionOf } from './event-json.ts';
import { changeEvents, EVENT_STREAM, eventStreamHeaders, type SentEvent } from './event-stream.ts';
import { changeLines, positionLine } from './line-stream.ts';
import { readChanges } from './operations.ts';
import { untilStopped } from './stopped-body.ts';
import { readChangesQuery } from './stream-request.ts';

const NDJSON = 'application/x-ndjson';
export const streamCandidates = [{ type: NDJSON }, { type: 'application/json' }, { type: EVENT_STREAM }];

export const lineHeaders: readonly Header[] = [
  ['Content-Type', NDJSON],
  ['Cache-Control', 'no-store'],
  ['X-Accel-Buffering', 'no'],
  ['Vary', 'Accept'],
];

/** Routes for the history of commits (http-api section 7). */
export function changeRoutes(service: ChangeService): Route[] {
  const read = withQuery((request, query) => sendChanges(service, request, query));
  return [{ path: '/changes', methods: { GET: endpoint(read, readChanges) } }];
}

async function sendChanges(
  service: ChangeService,
  request: HttpRequest,
  query: Query,
): Promise<HandlerResult> {
  const choice = negotiate(request.header('accept'), streamCandidates);
  if (!choice) {
    const available = [NDJSON, EVENT_STREAM];
    return failure('not-acceptable', 'Changes are lines of JSON, or server-sent events.', { available });
  }
  const given = await readChangesQuery(request, query, service);
  if (!given.ok) return given;
  const positionOf = (commit: number) => service.positionOf(commit);
  const isStream = choice.candidate.type === EVENT_STREAM;
  const { since, rows, graph } = given.value;
  if (since === undefined && !isStream) {
    return { status: 200, headers: lineHeaders, body: positionLine(positionOf(service.newest)) };
  }
  const page = { since: since ?? service.newest, rows, ...(rows && { graph }) };
  const stream = await service.follow(page, request);
  if (!stream.ok) return stream;
  const body = isStream
    ? changeEvents(stream.value, positionOf, describedFor(graph, positionOf), given.value.limit)
    : changeLines(stream.value, given.value, positionOf, seesEverything(request));
  const headers = isStream ? eventStreamHeaders : lineHeaders;
  return { status: 200, headers, body: untilStopped(stream.value, body) };
}

function describedFor(graph: string | undefined, positionOf: PositionOf) {
  return (event: ChangeEvent): SentEvent | undefined => {
    const json = eventJson(event, positionOf, graph);
    return json === undefined ? undefined : { json, isComplete: isComplete(event) };
  };
}
