import { buildBase } from './base-builder.ts';
import { mergeRuns } from './delta-builder.ts';
import { DeltaRun } from './delta-run.ts';
import type { SnapshotDescriptor } from './descriptor.ts';
import { MergedScan } from './merged-scan.ts';
import { BY_SUBJECT } from './order.ts';
import { Runs } from './runs.ts';

/** Work on the runs of a snapshot for a thread that has time, see `SnapshotWriter.beginCompaction`. */
export interface Compaction {
  readonly snapshot: SnapshotDescriptor;
  /** A new base run of the whole snapshot, or one delta of some of its deltas. */
  readonly into: 'base' | 'run';
  /** The first of these deltas, and the one after the last. */
  readonly from: number;
  readonly to: number;
}

/** What a compaction made: the memory of the run; null for deltas that cancel each other out. */
export interface Compacted {
  readonly run: SharedArrayBuffer | null;
}

export function carryOut({ snapshot, into, from, to }: Compaction): Compacted {
  if (into === 'base') return { run: compact(snapshot) };
  const runs = snapshot.deltas.slice(from, to).map((buffer) => new DeltaRun(buffer));
  return { run: mergeRuns(runs)?.words.buffer ?? null };
}

/** A base run with the quads of the whole snapshot: what all its runs say together. */
export function compact(descriptor: SnapshotDescriptor): SharedArrayBuffer {
  const scan = new MergedScan(new Runs(descriptor)).start(BY_SUBJECT, 0);
  return buildBase(scan, descriptor.quadCount, descriptor.dictionary.termCount).words.buffer;
}
