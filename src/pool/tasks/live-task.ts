import type { ErrorCode } from '../../errors.ts';
import type { TaskMap } from './map.ts';

export type TaskOutcome = 'done' | 'cancelled' | 'failed';

/** A task that waits or runs, for those who follow it to its end. */
export interface LiveTask {
  readonly group: string;
  /** Milliseconds since 1970. */
  readonly started: number;
  readonly isRunning: boolean;
  /** Returns its entry in the lists. */
  show(): TaskMap;
  /** Undefined before its end, and if its outcome is not known. */
  outcome(): TaskOutcome | undefined;
}

/** `failure`: the error with which it ended, if it did. */
export function outcomeOf(failure: ErrorCode | undefined): TaskOutcome {
  if (failure === undefined) return 'done';
  return failure === 'cancelled' ? 'cancelled' : 'failed';
}
