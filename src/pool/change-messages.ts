import type { SnapshotDescriptor } from '../snapshot/descriptor.ts';
import type { GraphOperation } from '../snapshot/graph-operation.ts';
import type { TermList } from '../snapshot/overlay-dictionary.ts';
import type { FileDigest } from './messages.ts';

/**
 * Where a job says how far it has come, and looks whether it is cancelled: a transaction of the
 * store's commit board.
 */
export interface CommitProgress {
  readonly board: SharedArrayBuffer;
  readonly id: number;
}

/**
 * Works out what an operation changes. New terms get provisional ids, which follow on those of the
 * snapshot.
 */
export interface PlanChangesJob {
  readonly kind: 'plan-changes';
  readonly snapshot: SnapshotDescriptor;
  readonly operation: GraphOperation;
  /** See `planGraphOperation`. */
  readonly blankPrefix: string;
  /** Absent when it can't be cancelled. */
  readonly progress?: CommitProgress | undefined;
  readonly slot: number;
}

export interface PlannedChanges {
  /** Rows of four term ids, in shared memory: first the removals, then the additions. */
  readonly rows: Uint32Array;
  readonly removals: number;
  readonly additions: number;
  /** Terms of the snapshot; greater ids are provisional. */
  readonly knownTerms: number;
  readonly newTerms: TermList;
  /** The graphs that change. */
  readonly growth: readonly GraphGrowth[];
  /** The graphs on whose state it depends; among them all that change. */
  readonly graphs: readonly string[];
}

/** What happens to one graph, in triples. */
export interface GraphGrowth {
  readonly graph: string;
  readonly added: number;
  readonly removed: number;
}

/**
 * Makes of planned changes what the store takes over as it is: a run of the snapshot, and a patch
 * file.
 */
export interface BuildChangesJob {
  readonly kind: 'build-changes';
  /** It has the terms of all ids. */
  readonly snapshot: SnapshotDescriptor;
  /** As `PlannedChanges` has them. */
  readonly rows: Uint32Array;
  readonly removals: number;
  readonly knownTerms: number;
  /** The real ids of new terms, in the order of the provisional ones. */
  readonly newIds: Uint32Array;
  /** Null where nothing is kept on disk. */
  readonly patch: PatchPlace | null;
  readonly progress?: CommitProgress | undefined;
  readonly slot: number;
}

export interface PatchPlace {
  /** Absolute path of the data directory; the file lies in it. */
  readonly directory: string;
  /** See `CheckpointJob`. */
  readonly lease?: { readonly file: string; readonly id: string } | undefined;
  readonly name: string;
}

export interface BuiltChanges {
  /** See `DeltaRun`; null when nothing changes. */
  readonly run: SharedArrayBuffer | null;
  /** Null when no file was written. */
  readonly patch: FileDigest | null;
}
