import type { NetChanges } from '../../rdf/model/changes/net-changes.ts';
import type { SnapshotDescriptor } from '../descriptor.ts';
import { buildDelta } from '../runs/delta-builder.ts';
import { REMOVED } from '../runs/order.ts';
import { sortQuads } from '../runs/sorted-quads.ts';
import { SnapshotReader } from './reader.ts';

/**
 * Returns the data as they were before the changes, with the present ids: the present snapshot and
 * one more delta, which takes the changes back. Quads of terms that the dictionary has dropped are
 * missing (see `unsure` of `NetChanges`). The system graph is as it is now.
 */
export function earlierSnapshot(
  present: SnapshotDescriptor,
  { added, removed }: NetChanges,
  sequence: number,
): SnapshotReader {
  const rows = new Uint32Array(added.length + removed.length);
  rows.set(added);
  for (let i = 3; i < added.length; i += 4) rows[i]! |= REMOVED;
  rows.set(removed, added.length);
  const back = buildDelta(sortQuads(rows));
  const quadCount = present.quadCount + (removed.length - added.length) / 4;
  const deltas = back === undefined ? present.deltas : [...present.deltas, back.words.buffer];
  return new SnapshotReader({ ...present, sequence, quadCount, deltas });
}
