import type { ChangeEvent } from '../../../changes/messages.ts';
import { toErrorData } from '../../../errors.ts';
import type { ChangeStream } from '../../../services/changes/page-stream.ts';
import type { Header } from '../../server/header.ts';
import { bytesOf, type JsonPieces, type PositionOf } from './event-json.ts';

/** How often a stream without events sends a comment, so that nobody takes it for dead. */
export const HEARTBEAT_MS = 15_000;

export const EVENT_STREAM = 'text/event-stream';

/** `no-transform`: neither this server nor a proxy may hold events back to compress them. */
export const eventStreamHeaders: readonly Header[] = [
  ['Content-Type', EVENT_STREAM],
  ['Cache-Control', 'no-store, no-transform'],
  ['X-Accel-Buffering', 'no'],
  ['Vary', 'Accept'],
];

/** What a client receives of a change. */
export interface SentEvent {
  /** Its data. */
  readonly json: JsonPieces;
  /** Whether the client continues after it when it reconnects. */
  readonly isComplete: boolean;
  /** Default: `message`. */
  readonly type?: string;
}

/**
 * Yields changes as server-sent events, until the client disconnects or the server closes.
 *
 * @param describe returns undefined for a change that does not concern the client
 * @param limit number of complete events
 */
export async function* changeEvents(
  stream: ChangeStream,
  positionOf: PositionOf,
  describe: (event: ChangeEvent) => SentEvent | undefined,
  limit = Number.POSITIVE_INFINITY,
): AsyncGenerator<Uint8Array> {
  let complete = 0;
  try {
    // Sent at once, so that the client knows the stream is open, and where it goes on.
    yield Buffer.from(`retry: 1000\n${idOf(positionOf(stream.since))}\n`);
    let last = performance.now();
    while (complete < limit) {
      const page = await stream.next(Math.max(0, last + HEARTBEAT_MS - performance.now()));
      if (page === 'stopped') return;
      const pieces: (string | Uint8Array)[] = [];
      for (const event of page === 'idle' ? [] : page.events) {
        const sent = complete < limit ? describe(event) : undefined;
        if (!sent) continue;
        if (sent.isComplete) complete++;
        pieces.push(...piecesOf(sent, positionOf(event.commit)));
      }
      // Also where there are commits all the time, but none that the client wants.
      const isQuiet = pieces.length === 0;
      if (isQuiet && performance.now() - last < HEARTBEAT_MS) continue;
      yield bytesOf(isQuiet ? [`:\n${idOf(positionOf(stream.since))}\n`] : pieces);
      last = performance.now();
    }
  } catch (error) {
    const { code, message } = toErrorData(error);
    if (code !== 'position-gone') throw error;
    yield Buffer.from(`event: resync\ndata: ${JSON.stringify({ detail: message })}\n\n`);
  } finally {
    stream.stop();
  }
}

function piecesOf({ json, type, isComplete }: SentEvent, position: string): JsonPieces {
  const name = type === undefined ? '' : `event: ${type}\n`;
  return [`${isComplete ? idOf(position) : ''}${name}data: `, ...json, '\n\n'];
}

/** An event without data only sets the position from which the client continues. */
export function idOf(position: string): string {
  return `id: ${position}\n`;
}
