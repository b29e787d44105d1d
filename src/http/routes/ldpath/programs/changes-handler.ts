import { failure, noSuchProgram } from '../../../../errors.ts';
import { negotiate } from '../../../../rdf/media-types/accept.ts';
import type { ProgramFeed } from '../../../../services/changes/program-feed.ts';
import type { Query } from '../../../query.ts';
import type { HandlerResult, HttpRequest } from '../../../server/message.ts';
import { EVENT_STREAM, eventStreamHeaders } from '../../changes/event-stream.ts';
import { positionLine } from '../../changes/line-stream.ts';
import { lineHeaders, streamCandidates } from '../../changes/routes.ts';
import { untilStopped } from '../../changes/stopped-body.ts';
import { readChangesQuery } from '../../changes/stream-request.ts';
import { formatOfChanges } from '../result-format.ts';
import { changedResultEvents, changedResultLines } from './change-streams.ts';

/** Handles GET of the changed results of a stored program (F-20). */
export async function sendProgramChanges(
  feed: Pick<ProgramFeed, keyof ProgramFeed>,
  name: string,
  request: HttpRequest,
  query: Query,
): Promise<HandlerResult> {
  if (!feed.has(name)) return noSuchProgram(name);
  const choice = negotiate(request.header('accept'), streamCandidates);
  if (!choice) {
    const available = streamCandidates.map(({ type }) => type);
    return failure('not-acceptable', 'Changes are lines of JSON, or server-sent events.', { available });
  }
  const given = await readChangesQuery(request, query, feed);
  if (!given.ok) return given;
  const format = formatOfChanges(query.get('format'));
  if (!format.ok) return format;
  const shaped = format.value.name === 'nodes' ? undefined : format.value.name;
  const positionOf = (commit: number) => feed.positionOf(commit);
  const isStream = choice.candidate.type === EVENT_STREAM;
  const { since, wait } = given.value;
  if (since === undefined && !isStream) {
    return { status: 200, headers: lineHeaders, body: positionLine(positionOf(feed.newest)) };
  }
  const stream = await feed.follow(name, since ?? feed.newest, shaped, request);
  if (!stream.ok) return stream;
  const body = isStream
    ? changedResultEvents(stream.value, positionOf)
    : changedResultLines(stream.value, wait, positionOf);
  return {
    status: 200,
    headers: isStream ? eventStreamHeaders : lineHeaders,
    body: untilStopped(stream.value, body),
  };
}
