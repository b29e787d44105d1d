import type { ChangeCount, ChangeEvent } from '../../../changes/messages.ts';
import { failure } from '../../../errors.ts';
import { negotiate } from '../../../rdf/media-types/accept.ts';
import type { WatchedNode } from '../../../services/changes/page-stream.ts';
import type { ChangeService } from '../../../services/changes/service.ts';
import type { HandlerResult, HttpRequest } from '../../server/message.ts';
import { changeEvents, EVENT_STREAM, eventStreamHeaders, type SentEvent } from './event-stream.ts';
import { untilStopped } from './stopped-body.ts';
import { lastEventId } from './stream-request.ts';

/** What is watched: a graph by its name, or something else. */
export type Watched = { readonly graph: string } | WatchedNode;

/** Streams of the changes of one thing (http-api 7.3). */
export class Watch {
  readonly #service: ChangeService;

  constructor(service: ChangeService) {
    this.#service = service;
  }

  /**
   * Returns a stream of the changes of something that exists. `exists`: whether it still does.
   * Errors: `not-acceptable`, and those of `ChangeService.follow`.
   */
  async follow(request: HttpRequest, watched: Watched, exists: () => boolean): Promise<HandlerResult> {
    const service = this.#service;
    if (!negotiate(request.header('accept'), [{ type: EVENT_STREAM }])) {
      const available = [EVENT_STREAM];
      return failure('not-acceptable', 'With watch, the response is server-sent events.', { available });
    }
    const given = lastEventId(request);
    const since = given === undefined ? undefined : await service.beginningAt(given);
    if (since && !since.ok) return since;
    const place = {
      since: since?.value ?? service.newest,
      rows: false,
      ...(!('graph' in watched) && { watched }),
    };
    const stream = await service.follow(place, request);
    if (!stream.ok) return stream;
    const positionOf = (commit: number) => service.positionOf(commit);
    const describe = (event: ChangeEvent): SentEvent | undefined => {
      const count = countOf(event, watched);
      if (!count) return undefined;
      const { added, removed } = count;
      const time = new Date(event.time).toISOString();
      const json = JSON.stringify({ position: positionOf(event.commit), time, added, removed });
      const isDeleted = removed > 0 && added === 0 && !exists();
      return { json: [json], isComplete: true, ...(isDeleted && { type: 'deleted' }) };
    };
    const body = changeEvents(stream.value, positionOf, describe);
    return { status: 200, headers: eventStreamHeaders, body: untilStopped(stream.value, body) };
  }
}

function countOf({ graphs, subjects, resources }: ChangeEvent, watched: Watched): ChangeCount | undefined {
  if ('graph' in watched) return graphs?.find(({ name }) => name === watched.graph);
  if ('subject' in watched) return subjects?.find(({ name }) => name === watched.subject);
  return resources?.find(({ name }) => name === watched.resource);
}
