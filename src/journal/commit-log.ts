import type { JournalRecord } from './record.ts';

/** What became of records: `conflict` says that others came first and nothing was written. */
export type AppendOutcome = 'committed' | 'conflict';

/**
 * Receives a committed record. The payload is a view that is only valid during the call; if a
 * promise is returned, the next record waits for it. `state` is the digest of the data before the
 * group, as its writer computed it; only the first record of a group in a shared log has it.
 */
export type VisitRecord = (sequence: number, payload: Uint8Array, state?: string) => unknown;

/**
 * The ordered, durable log of commits: the truth about the data. Records are numbered without gaps;
 * a record survives every crash once its `append` has resolved with `committed`. In one process,
 * the calls that change the log must not overlap: `append`, `receive`, `beginCheckpoint`, `close`.
 *
 * A log is local (`Journal`), or shared by the processes of a cluster. Only a shared log has
 * foreign records and conflicts, and only a shared log can be unavailable for a while.
 */
export interface CommitLog {
  /** Whether other processes append too. */
  readonly isShared: boolean;
  /** Number of the newest record that this process has appended, received or replayed. */
  readonly lastSequence: number;
  /** Bytes of the records that no checkpoint covers. */
  readonly bytes: number;
  /** Whether the log can be reached, as far as is known: false while an append is in doubt. */
  readonly isAvailable: boolean;
  /** Whether `receive` has records to visit. */
  readonly hasForeign: boolean;
  /**
   * Appends a group; resolves when all of it is durable, or when it is certain that none of it will
   * ever be. The outcome is never unknown: a shared log settles a time-out by reading the log.
   * Numbers continue from `lastSequence`. Without records, this only verifies, where others could
   * append, that nobody has done so, as far as the log's servers know.
   *
   * Errors: `too-large` and `unavailable`: nothing was written, and later calls may succeed.
   * `writes-disabled`: nothing must be acknowledged, and no later call succeeds.
   *
   * @param state digest of the data before the group, which only a shared log keeps
   */
  append(records: readonly JournalRecord[], state?: string): Promise<AppendOutcome>;
  /**
   * Visits the committed records, from a sequence number on, in order. For a start. Throws
   * `data-damaged` if a record is missing or was changed.
   */
  replay(fromSequence: number, visit: VisitRecord): Promise<void>;
  /** Calls `wake` when foreign records can be received, and when `isAvailable` has changed. */
  watch(wake: () => void): void;
  /**
   * Visits the records that others have appended since `lastSequence`, in order, as many as there
   * are now. After a conflict it waits for the records that came first. `lastSequence` counts a
   * record from the end of its visit.
   *
   * Errors: `unavailable`: a later call continues after the last record visited. `data-damaged`: a
   * record is missing or was changed.
   */
  receive(visit: VisitRecord): Promise<void>;
  /** Prepares for a checkpoint of the records so far, which will cover them. */
  beginCheckpoint(): Promise<void>;
  /**
   * Removes what a durable checkpoint at `sequence` covers; a shared log keeps a margin for slow
   * processes. Records may be appended meanwhile.
   */
  checkpointed(sequence: number): Promise<void>;
  /** Ends in order: nothing is lost, and a local log is sealed. */
  close(): Promise<void>;
  /**
   * Ends after a start that failed: leaves everything as it is. An append to a shared log that is
   * in doubt then rejects with `writes-disabled`. `close` may follow.
   */
  abandon(): Promise<void>;
}
