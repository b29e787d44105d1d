import type { ChangeStream } from '../../../services/changes/page-stream.ts';
import { bytesOf, eventJson, isComplete, type PositionOf } from './event-json.ts';
import type { ChangesQuery } from './stream-request.ts';

/**
 * Yields the changes up to now as lines of JSON. If there are none, it waits for the first as long
 * as the client wants. The last line names the position that was reached, unless that of the last
 * change is the same. `whole`: whether the client sees all commits. Another one gets that line in
 * any case, since it must not learn whether there are hidden commits after the last change.
 */
export async function* changeLines(
  stream: ChangeStream,
  { graph, limit, wait }: ChangesQuery,
  positionOf: PositionOf,
  whole: boolean,
): AsyncGenerator<Uint8Array> {
  try {
    const until = performance.now() + 1000 * wait;
    let [sent, commits] = [stream.since, 0];
    let reached = sent;
    while (commits < limit) {
      const page = await stream.next(Math.max(0, until - performance.now()));
      if (typeof page === 'string') break;
      const lines: (string | Uint8Array)[] = [];
      for (const event of page.events) {
        if (commits === limit) break;
        const line = eventJson(event, positionOf, graph);
        if (isComplete(event)) reached = event.commit;
        if (line === undefined) continue;
        lines.push(...line, '\n');
        sent = event.commit;
        if (isComplete(event)) commits++;
      }
      if (commits < limit) reached = stream.since;
      if (lines.length > 0) yield bytesOf(lines);
      if (stream.isNewest && (commits > 0 || performance.now() >= until)) break;
    }
    if (!whole || sent !== reached || commits === 0) yield Buffer.from(positionLine(positionOf(reached)));
  } finally {
    stream.stop();
  }
}

/** A line that only names a position. */
export function positionLine(position: string): string {
  return `${JSON.stringify({ position })}\n`;
}
