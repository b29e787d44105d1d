import type { SystemThread } from '../base/thread-priority.ts';
import type { ClusterSettings } from '../cluster/settings.ts';
import type { ErrorData, Result } from '../errors.ts';
import type { Lease } from '../journal/lock/lease.ts';
import type {
  BuildChangesJob,
  BuiltChanges,
  EncodeChangesJob,
  EncodedChanges,
  PlanChangesJob,
  PlannedChanges,
} from '../pool/change-messages.ts';
import type { CheckpointOutput } from '../pool/messages.ts';
import type { SnapshotDescriptor } from '../snapshot/descriptor.ts';
import type { DescriptorUpdate } from '../snapshot/feed/descriptor-link.ts';
import type { GraphChange } from '../snapshot/graphs/table.ts';
import type { Compacted, Compaction } from '../snapshot/runs/compact.ts';
import type { FetchProgress } from './cluster/shared-checkpoints.ts';
import type { RetentionLimits } from './history/retention-limits.ts';
import type { Transaction, TransactionResult } from './main/transaction.ts';
import type { Identity } from './registry/identity.ts';

/** Messages between the main thread and the store thread. */
export interface StoreSettings {
  /** Absolute path; null keeps everything in memory. */
  readonly directory: string | null;
  /**
   * Proves that the directory still belongs to this process; undefined where a kernel lock excludes
   * others.
   */
  readonly lease?: Lease | undefined;
  /** Whether a process that lost the directory may still write to its journal. Default false. */
  readonly fence?: boolean;
  /** The log that this process shares with others; by default it has one of its own. */
  readonly cluster?: ClusterSettings | undefined;
  /** Bytes of journal after which a checkpoint is written. */
  readonly journalMax: number;
  /**
   * How much of the history is kept beyond the journal. Default: what there is, without adding to
   * it.
   */
  readonly changesRetention?: RetentionLimits | undefined;
  /** Bytes of memory that the snapshot may use; above this limit nothing is added. */
  readonly dataMax: number;
  /** Open a damaged journal and keep the records before the damage. */
  readonly recover: boolean;
  /**
   * Pool threads work out transactions with a single operation on graphs that may change at least
   * this many rows. Default: none, because the caller has to provide the threads
   * (`StoreClientOptions.work`).
   */
  readonly bigWriteRows?: number;
  /** Memory of the commit board; the store allocates its own by default. */
  readonly commitBoard?: SharedArrayBuffer;
  /** Memory of the change feed; the store allocates its own by default. */
  readonly changeFeed?: SharedArrayBuffer;
  /** Memory in which the journal counts; the store allocates its own by default. */
  readonly journalMeter?: SharedArrayBuffer;
}

export interface CommitMessage {
  readonly kind: 'commit';
  readonly id: number;
  readonly transaction: Transaction;
}

/** Messages are sent in arrays. */
export type ToStore =
  | CommitMessage
  | { readonly kind: 'maintained'; readonly outcome: MaintenanceOutcome }
  | {
      readonly kind: 'worked-out';
      readonly work: number;
      readonly result: WorkedOut;
    }
  /** Whether the process may write to a log that it shares; at first it may not. */
  | { readonly kind: 'writer'; readonly isWriter: boolean }
  | { readonly kind: 'close' };

/** Why a process can't follow its shared log any more. */
export interface Divergence {
  /** That of writes from now on. */
  readonly error: ErrorData;
  /**
   * Whether the log no longer has what would come next, because the process was too slow. Nothing
   * is wrong: another start begins with the newest checkpoint.
   */
  readonly isOvertaken: boolean;
}

export type FromStore =
  | {
      readonly kind: 'opened';
      readonly opened: Sent<OpenedStore>;
      readonly thread: SystemThread | undefined;
    }
  | { readonly kind: 'failed'; readonly error: ErrorData }
  | {
      readonly kind: 'committed';
      readonly published: Sent<Published> | null;
      readonly results: readonly CommitResult[];
    }
  /** Writes are disabled until the next start, for this reason. */
  | { readonly kind: 'disabled'; readonly error: ErrorData }
  /** The same, because the process can't follow a shared log any more: its data are wrong. */
  | ({ readonly kind: 'diverged' } & Divergence)
  /** Writes are rejected with this error until the next such message, or accepted if it is null. */
  | { readonly kind: 'reachable'; readonly error: ErrorData | null }
  | { readonly kind: 'published'; readonly published: Sent<Published> }
  | { readonly kind: 'wanted'; readonly maintenance: Maintenance }
  /** The last requested maintenance has ended. */
  | { readonly kind: 'ended'; readonly succeeded: boolean }
  /**
   * A part of a large change for a pool thread to work out; `work` is a number for the response.
   */
  | { readonly kind: 'work'; readonly work: number; readonly request: ChangeRequest }
  | { readonly kind: 'notice'; readonly message: string }
  /** Before the data are open. */
  | { readonly kind: 'fetching'; readonly progress: FetchProgress };

/** A message with a snapshot, in the form in which it is sent. */
export type Sent<T extends { readonly snapshot: SnapshotDescriptor }> = Omit<T, 'snapshot'> & {
  readonly snapshot: DescriptorUpdate;
};

export interface OpenedStore {
  readonly identity: Identity;
  readonly snapshot: SnapshotDescriptor;
  readonly graphs: readonly GraphChange[];
}

/** A new version of the data; graphs and snapshot are always applied together. */
export interface Published {
  readonly snapshot: SnapshotDescriptor;
  readonly graphs: readonly GraphChange[];
}

export type CommitResult = readonly [id: number, result: Result<TransactionResult>];

/** Work that the store thread requests from a pool thread, one piece at a time. */
export type Maintenance =
  | { readonly kind: 'compact'; readonly snapshot: SnapshotDescriptor; readonly compaction: Compaction }
  | {
      readonly kind: 'checkpoint';
      readonly snapshot: SnapshotDescriptor;
      readonly directory: string;
      readonly lease?: Lease | undefined;
      readonly imageFile: string;
      /** Bytes of the journal that the checkpoint will replace. */
      readonly journalBytes: number;
    };

/** See the pool's jobs. */
export type ChangeRequest =
  | Omit<PlanChangesJob, 'slot'>
  | Omit<BuildChangesJob, 'slot'>
  | Omit<EncodeChangesJob, 'slot'>;

/** The results of `plan-changes`, `build-changes` and `encode-changes`. */
export type WorkedOut = Result<PlannedChanges | BuiltChanges | EncodedChanges>;

export type MaintenanceOutcome =
  | { readonly kind: 'compact'; readonly result: Result<Compacted> }
  | { readonly kind: 'checkpoint'; readonly result: Result<CheckpointOutput> };
