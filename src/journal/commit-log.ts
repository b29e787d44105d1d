import type { JournalRecord } from './record.ts';
import type { VisitRecord } from './replay-files.ts';

/** What became of records: `conflict` says that others came first and nothing was written. */
export type AppendOutcome = 'committed' | 'conflict';

/**
 * Receives a record that another process has appended. `state` is the digest of the data before
 * the group that the record belongs to, as its writer computed it. The payload is a view that is
 * only valid during the call; if a promise is returned, the next record waits for it.
 */
export type VisitForeign = (sequence: number, payload: Uint8Array, state: string) => unknown;

/**
 * The ordered, durable log of commits: the truth about the data. Records are numbered without gaps;
 * a record survives every crash once its `append` has resolved with `committed`. In one process,
 * the calls that change the log must not overlap.
 *
 * A log is local (`Journal`), or shared by the processes of a cluster. Only a shared log has foreign
 * records and conflicts, and only a shared log can be unavailable for a while.
 */
export interface CommitLog {
  /** Whether other processes append too. */
  readonly isShared: boolean;
  /** Number of the newest record that this process has appended, received or replayed. */
  readonly lastSequence: number;
  /** Bytes of the records that no checkpoint covers. */
  readonly bytes: number;
  /**
   * Appends a group; resolves when all of it is durable, or when it is certain that none of it will
   * ever be. The outcome is never unknown: a shared log settles a time-out by reading the log.
   *
   * Errors: `too-large` and `unavailable`: nothing was written, and later calls may succeed.
   * `writes-disabled`: nothing must be acknowledged, and no later call succeeds.
   *
   * @param state digest of the data before the group; only a shared log keeps it
   */
  append(records: readonly JournalRecord[], state: string): Promise<AppendOutcome>;
  /** Visits the committed records, from a sequence number on, in order. For a start. */
  replay(fromSequence: number, visit: VisitRecord): Promise<void>;
  /** Calls `wake` when foreign records can be received, and when the log becomes available. */
  watch(wake: () => void): void;
  /** Whether `receive` has records to visit. */
  readonly hasForeign: boolean;
  /**
   * Visits the records that others have appended since `lastSequence`, in order. After a conflict
   * it waits for the records that came first. Throws `data-damaged` if a record is missing or was
   * changed.
   */
  receive(visit: VisitForeign): Promise<void>;
  /** Prepares for a checkpoint of the records so far, which will cover them. */
  beginCheckpoint(): Promise<void>;
  /** Removes what a durable checkpoint at `sequence` covers. Records may be appended meanwhile. */
  checkpointed(sequence: number): Promise<void>;
  /** Ends in order: nothing is lost, and a local log is sealed. */
  close(): Promise<void>;
  /** Ends after a start that failed: leaves everything as it is. */
  abandon(): Promise<void>;
}
