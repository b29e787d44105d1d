import type { SnapshotDescriptor } from '../descriptor.ts';
import { catchUp, dropDeadTerms, type Renumbering } from '../dictionary/renumbering.ts';
import { baseOf, readColumns } from './base-builder.ts';
import { mergeRuns } from './delta-builder.ts';
import { DeltaRun } from './delta-run.ts';
import { MergedScan } from './merged-scan.ts';
import { BY_SUBJECT } from './order.ts';
import { Runs } from './runs.ts';

/**
 * Work on the runs of a snapshot for a thread that is less busy, see
 * `SnapshotWriter.beginCompaction`.
 */
export type Compaction = RunMerge | Rebuilding | CatchingUp;

interface Work {
  readonly snapshot: SnapshotDescriptor;
  /**
   * The range of the snapshot's deltas: the index of the first one, and the index after the last
   * one.
   */
  readonly from: number;
  readonly to: number;
}

/** Merges deltas into one. */
interface RunMerge extends Work {
  readonly into: 'run';
}

/**
 * Rebuilds the whole snapshot as a base run. Drops dead terms if there are at least `leastDead`.
 */
interface Rebuilding extends Work {
  readonly into: 'base';
  readonly leastDead: number;
}

/** Updates an earlier result to the state of the snapshot. */
interface CatchingUp extends Work {
  readonly into: 'renumbered';
  readonly made: Compacted;
}

export interface Compacted {
  /** The memory of the run; null for deltas that cancel each other out. */
  readonly run: SharedArrayBuffer | null;
  /** The dictionary with the ids of the run; null if it is the old one. */
  readonly renumbering: Renumbering | null;
}

export function carryOut(compaction: Compaction): Compacted {
  const { snapshot, from, to } = compaction;
  if (compaction.into === 'base') return rebuild(snapshot, compaction.leastDead);
  if (compaction.into === 'renumbered') {
    const { run, renumbering } = compaction.made;
    return { run, renumbering: renumbering && catchUp(renumbering, snapshot, from) };
  }
  const runs = snapshot.deltas.slice(from, to).map((buffer) => new DeltaRun(buffer));
  return { run: mergeRuns(runs)?.words.buffer ?? null, renumbering: null };
}

/** Builds a base run with the quads of the whole snapshot, from all its runs. */
export function compact(descriptor: SnapshotDescriptor): SharedArrayBuffer {
  return rebuild(descriptor, Number.POSITIVE_INFINITY).run;
}

function rebuild(
  descriptor: SnapshotDescriptor,
  leastDead: number,
): Compacted & { readonly run: SharedArrayBuffer } {
  const { quadCount, dictionary } = descriptor;
  const columns = readColumns(new MergedScan(new Runs(descriptor)).start(BY_SUBJECT, 0), quadCount);
  const renumbering =
    leastDead === Number.POSITIVE_INFINITY ? null : dropDeadTerms(columns, dictionary, leastDead);
  const { termCount } = renumbering?.dictionary ?? dictionary;
  return { run: baseOf(columns, termCount).words.buffer, renumbering };
}
