import type { ErrorData } from '../../errors.ts';
import type { AppendOutcome } from '../../journal/commit-log.ts';
import type { CheckpointName } from '../checkpoint/checkpoint.ts';
import type { PlannedEffect } from '../planning/planner.ts';

/**
 * How planned effects become durable, and part of the working state that is published next: in the
 * log of one process, or in one that several share.
 */
export interface Committer {
  /** Why nothing can be committed now; undefined if something can. */
  readonly rejection: ErrorData | undefined;
  /** Whether this process may write a checkpoint now, which frees space in the log. */
  readonly mayCheckpoint: boolean;
  /** Number of the newest commit in the working state, apart from planned effects. */
  readonly sequence: number;
  /** The time for the next commits, in milliseconds since 1970. */
  readonly now: () => number;
  /**
   * Makes effects durable, and writes their rows to the change feed. After `committed` the working
   * state has them; after `conflict` it has the commits that came first instead. If this throws,
   * the effects are discarded, unless the error is `writes-disabled`.
   *
   * Also called without effects: "nothing to change" is only true if this process has the newest
   * data.
   */
  commit(effects: readonly PlannedEffect[]): Promise<AppendOutcome>;
  /** Removes what an installed checkpoint covers. */
  checkpointed(checkpoint: CheckpointName): Promise<void>;
}
