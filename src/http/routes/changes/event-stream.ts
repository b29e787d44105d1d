import { toErrorData } from '../../../errors.ts';
import type { ChangeStream } from '../../../services/changes/page-stream.ts';
import type { Header } from '../../server/header.ts';
import { eventJson, isComplete, type PositionOf } from './event-json.ts';
import type { ChangesQuery } from './stream-request.ts';

/** How often a stream without events sends a comment, so that nobody takes it for dead. */
const HEARTBEAT_MS = 15_000;

export const EVENT_STREAM = 'text/event-stream';

/** `no-transform`: neither this server nor a proxy may hold events back to compress them. */
export const eventStreamHeaders: readonly Header[] = [
  ['Content-Type', EVENT_STREAM],
  ['Cache-Control', 'no-store, no-transform'],
  ['X-Accel-Buffering', 'no'],
  ['Vary', 'Accept'],
];

/** Yields changes as server-sent events, until the client disconnects or the server closes. */
export async function* changeEvents(
  stream: ChangeStream,
  { graph, limit }: Pick<ChangesQuery, 'graph' | 'limit'>,
  positionOf: PositionOf,
): AsyncGenerator<Uint8Array> {
  let commits = 0;
  try {
    // Sent at once, so that the client knows the stream is open, and where it goes on.
    yield Buffer.from(`retry: 1000\n${idOf(positionOf(stream.since))}\n`);
    while (commits < limit) {
      const page = await stream.next(HEARTBEAT_MS);
      if (page === 'stopped') return;
      if (page === 'idle') {
        yield Buffer.from(`:\n${idOf(positionOf(stream.since))}\n`);
        continue;
      }
      let text = '';
      for (const event of page.events) {
        const json = commits < limit ? eventJson(event, positionOf, graph) : undefined;
        if (json === undefined) continue;
        if (isComplete(event)) commits++;
        text += `${isComplete(event) ? idOf(positionOf(event.commit)) : ''}data: ${json}\n\n`;
      }
      if (text !== '') yield Buffer.from(text);
    }
  } catch (error) {
    const { code, message } = toErrorData(error);
    if (code !== 'position-gone') throw error;
    yield Buffer.from(`event: resync\ndata: ${JSON.stringify({ detail: message })}\n\n`);
  } finally {
    stream.stop();
  }
}

/** An event without data only sets the position from which the client continues. */
function idOf(position: string): string {
  return `id: ${position}\n`;
}
