import type { ProgramStream } from '../../../../services/changes/program-stream.ts';
import type { PositionOf } from '../../changes/event-json.ts';
import { HEARTBEAT_MS, idOf } from '../../changes/event-stream.ts';
import { positionLine } from '../../changes/line-stream.ts';
import { changedEvents, changedLines, resyncJson } from './lines-with-errors.ts';

/**
 * Yields the results that have changed up to now as lines of JSON (F-22). If there are none, it
 * waits for the first as long as the client wants: `wait` is in seconds.
 */
export async function* changedResultLines(
  stream: ProgramStream,
  wait: number,
  positionOf: PositionOf,
): AsyncGenerator<Uint8Array> {
  try {
    const until = performance.now() + 1000 * wait;
    for (let isEmpty = true; ; ) {
      const from = positionOf(stream.since);
      const part = await stream.next(Math.max(0, until - performance.now()));
      if (part === 'stopped') break;
      if (part === 'idle') {
        if (stream.isNewest && performance.now() >= until) break;
        continue;
      }
      for (const lines of changedLines(part, from)) {
        isEmpty = false;
        yield lines;
      }
      if (part.resync !== undefined) {
        yield Buffer.from(`${resyncJson(part.resync, positionOf)}\n`);
        return;
      }
      if (part.reached !== undefined && (!isEmpty || performance.now() >= until)) break;
    }
    yield Buffer.from(positionLine(positionOf(stream.since)));
  } finally {
    stream.stop();
  }
}

/**
 * Yields them as server-sent events, until the client disconnects or the server closes (F-23).
 * Those of results have no id: after them a client goes on from the last one.
 */
export async function* changedResultEvents(
  stream: ProgramStream,
  positionOf: PositionOf,
): AsyncGenerator<Uint8Array> {
  try {
    // Sent at once, so that the client knows the stream is open, and where it goes on.
    yield Buffer.from(`retry: 1000\n${idOf(positionOf(stream.since))}\n`);
    let isEmpty = true;
    let last = performance.now();
    for (;;) {
      const from = positionOf(stream.since);
      const part = await stream.next(Math.max(0, last + HEARTBEAT_MS - performance.now()));
      if (part === 'stopped') return;
      if (performance.now() - last >= HEARTBEAT_MS) {
        yield Buffer.from(`:\n${idOf(from)}\n`);
        last = performance.now();
      }
      if (part === 'idle') continue;
      for (const events of changedEvents(part, from)) {
        isEmpty = false;
        last = performance.now();
        yield events;
      }
      if (part.resync !== undefined) {
        yield Buffer.from(`event: resync\ndata: ${resyncJson(part.resync, positionOf)}\n\n`);
        return;
      }
      if (part.reached === undefined || isEmpty) continue;
      isEmpty = true;
      const position = positionOf(part.reached);
      yield Buffer.from(`${idOf(position)}data: ${JSON.stringify({ position })}\n\n`);
    }
  } finally {
    stream.stop();
  }
}
