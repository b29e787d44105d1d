import { setImmediate as nextTurn } from 'node:timers/promises';
import type { QuadCursor } from '../graph/quad-cursor.ts';
import type { OxigraphRecord, TargetState } from './oxigraph-record.ts';

/** Words of four-word rows that are added at a time: about a quarter of a second. */
const SLICE_WORDS = 4 << 15;
const nothing = new Uint32Array(0);

/**
 * Loads an empty record until it equals `target`, in slices between which the thread takes in messages. Rejects with the
 * reason of `signal` when that is aborted. Errors: what Oxigraph throws when its memory ends.
 */
export async function loadRecord(
  record: OxigraphRecord,
  target: TargetState,
  signal?: AbortSignal,
): Promise<void> {
  record.reserve(target.quadCount);
  const cursor = target.allQuads();
  for (let rows = nextRows(cursor); rows.length > 0; rows = nextRows(cursor)) {
    await nextTurn();
    signal?.throwIfAborted();
    record.change({ additions: rows, removals: nothing }, target);
  }
}

function nextRows(cursor: QuadCursor): Uint32Array {
  const rows = new Uint32Array(SLICE_WORDS);
  let length = 0;
  for (; length < SLICE_WORDS && cursor.next(); length += 4) {
    rows.set([cursor.subject, cursor.predicate, cursor.object, cursor.graph], length);
  }
  return rows.subarray(0, length);
}
