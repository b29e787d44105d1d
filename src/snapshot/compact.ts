import { baseOf, readColumns } from './base-builder.ts';
import { mergeRuns } from './delta-builder.ts';
import { DeltaRun } from './delta-run.ts';
import type { SnapshotDescriptor } from './descriptor.ts';
import { MergedScan } from './merged-scan.ts';
import { BY_SUBJECT } from './order.ts';
import { catchUp, dropDeadTerms, type Renumbering } from './renumbering.ts';
import { Runs } from './runs.ts';

/**
 * Work on the runs of a snapshot for a thread that has time, see `SnapshotWriter.beginCompaction`.
 */
export type Compaction = RunMerge | Rebuilding | CatchingUp;

interface Work {
  readonly snapshot: SnapshotDescriptor;
  /** Of the snapshot's deltas, the first that is taken, and the one after the last. */
  readonly from: number;
  readonly to: number;
}

/** Deltas become one. */
interface RunMerge extends Work {
  readonly into: 'run';
}

/** The whole snapshot becomes a base run, without dead terms when they are at least so many. */
interface Rebuilding extends Work {
  readonly into: 'base';
  readonly leastDead: number;
}

/** What was made is brought up to the snapshot. */
interface CatchingUp extends Work {
  readonly into: 'renumbered';
  readonly made: Compacted;
}

export interface Compacted {
  /** The memory of the run; null for deltas that cancel each other out. */
  readonly run: SharedArrayBuffer | null;
  /** The dictionary whose ids the run has; null when that is the old one. */
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

/** A base run with the quads of the whole snapshot: what all its runs say together. */
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
