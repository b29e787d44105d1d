import type { SnapshotDescriptor } from '../snapshot/descriptor.ts';
import type { TermList } from '../snapshot/dictionary/overlay.ts';
import type { GraphOperation } from '../snapshot/write/graph-operation.ts';
import type { FileDigest } from './file-digest.ts';

/**
 * Where a job reports its progress, and checks whether it is cancelled: a transaction on the
 * store's commit board.
 */
export interface CommitProgress {
  readonly board: SharedArrayBuffer;
  readonly id: number;
}

/**
 * Computes the changes of an operation. New terms get provisional ids, which continue those of the
 * snapshot.
 */
export interface PlanChangesJob {
  readonly kind: 'plan-changes';
  readonly snapshot: SnapshotDescriptor;
  readonly operation: GraphOperation;
  /** See `planGraphOperation`. */
  readonly blankPrefix: string;
  /** Undefined if the job cannot be cancelled. */
  readonly progress?: CommitProgress | undefined;
  readonly slot: number;
}

export interface PlannedChanges {
  /** Rows of four term ids, in shared memory: first the removals, then the additions. */
  readonly rows: Uint32Array;
  readonly removals: number;
  readonly additions: number;
  /** Number of terms in the snapshot; greater ids are provisional. */
  readonly knownTerms: number;
  readonly newTerms: TermList;
  /** The graphs that change. */
  readonly growth: readonly GraphGrowth[];
  /** The graphs whose state the changes depend on; they include all graphs that change. */
  readonly graphs: readonly string[];
}

/** The change of one graph, in triples. */
export interface GraphGrowth {
  readonly graph: string;
  readonly added: number;
  readonly removed: number;
}

/**
 * Turns planned changes into data that the store can use unchanged: a run of the snapshot, and a
 * patch file.
 */
export interface BuildChangesJob {
  readonly kind: 'build-changes';
  /** Contains the terms of all ids. */
  readonly snapshot: SnapshotDescriptor;
  /** As in `PlannedChanges`. */
  readonly rows: Uint32Array;
  readonly removals: number;
  readonly knownTerms: number;
  /** The final ids of new terms, in the order of the provisional ones. */
  readonly newIds: Uint32Array;
  /** Null if nothing is stored on disk. */
  readonly patch: PatchPlace | null;
  readonly progress?: CommitProgress | undefined;
  readonly slot: number;
}

/**
 * Encodes planned changes for the log that the processes of a cluster share. Their final ids are
 * only known once their record is in the log.
 */
export interface EncodeChangesJob {
  readonly kind: 'encode-changes';
  /** The snapshot on which they were planned. */
  readonly snapshot: SnapshotDescriptor;
  /** As in `PlannedChanges`. */
  readonly rows: Uint32Array;
  readonly removals: number;
  readonly knownTerms: number;
  readonly newTerms: TermList;
  readonly progress?: CommitProgress | undefined;
  readonly slot: number;
}

/** All in shared memory. New terms have provisional ids, in the order of the rows. */
export interface EncodedChanges {
  /** Rows of four term ids: first the removals, then the additions. */
  readonly rows: Uint32Array;
  readonly removals: number;
  /** Number of terms in the snapshot; greater ids are provisional. */
  readonly knownTerms: number;
  readonly newTerms: TermList;
  /** The rows as a replay reads them, see `row-block.ts`. */
  readonly blocks: Uint8Array;
  /** See `DeltaRun`; null if nothing changes. */
  readonly run: SharedArrayBuffer | null;
}

export interface PatchPlace {
  /** Absolute path of the data directory, which contains the file. */
  readonly directory: string;
  /** See `CheckpointJob`. */
  readonly lease?: { readonly file: string; readonly id: string } | undefined;
  readonly name: string;
}

export interface BuiltChanges {
  /** See `DeltaRun`; null if nothing changes. */
  readonly run: SharedArrayBuffer | null;
  /** Null if no file was written. */
  readonly patch: FileDigest | null;
  /** Whether rows that are added have terms that older releases would misread. */
  readonly needsNewFormat: boolean;
}
