import type { NetChanges } from '../../rdf/model/changes/net-changes.ts';
import type { SnapshotDescriptor } from '../descriptor.ts';
import { buildDelta } from '../runs/delta-builder.ts';
import { REMOVED } from '../runs/order.ts';
import { sortQuads } from '../runs/sorted-quads.ts';
import { SnapshotReader } from './reader.ts';

/** How an earlier state is made from a present snapshot; it can be sent to other threads. */
export interface StepBack {
  /** Number of the earlier commit. */
  readonly sequence: number;
  readonly quadCount: number;
  /** A delta that takes the changes back; null if nothing has changed. */
  readonly delta: SharedArrayBuffer | null;
}

/**
 * Returns the data as they were before the changes, with the present ids: the present snapshot and
 * one more delta, which takes the changes back. Quads of terms that the dictionary has dropped are
 * missing (see `unsure` of `NetChanges`). The system graph is as it is now.
 */
export function earlierSnapshot(
  present: SnapshotDescriptor,
  changes: NetChanges,
  sequence: number,
): SnapshotReader {
  return openEarlier(present, stepBack(present, changes, sequence));
}

export function stepBack(
  present: SnapshotDescriptor,
  { added, removed }: NetChanges,
  sequence: number,
): StepBack {
  const rows = new Uint32Array(added.length + removed.length);
  rows.set(added);
  for (let i = 3; i < added.length; i += 4) rows[i]! |= REMOVED;
  rows.set(removed, added.length);
  const back = buildDelta(sortQuads(rows));
  const quadCount = present.quadCount + (removed.length - added.length) / 4;
  return { sequence, quadCount, delta: back?.words.buffer ?? null };
}

export function openEarlier(present: SnapshotDescriptor, { delta, ...state }: StepBack): SnapshotReader {
  const deltas = delta === null ? present.deltas : [...present.deltas, delta];
  return new SnapshotReader({ ...present, ...state, deltas });
}
