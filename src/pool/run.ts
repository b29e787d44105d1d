import type { ErrorData } from '../errors.ts';
import type { JobQueue } from './job-queue.ts';
import type { EvaluationSubmission, Submission } from './submission.ts';
import type { Seat } from './threads.ts';

/** Why a thread ended under a run: terminated by the pool, or by itself. */
export type Death = 'time-limit' | 'cancelled' | 'demoted' | 'heap' | 'crash';

/** What one thread does at one time: a batch of evaluations, some small documents, or one heavy job. */
export interface Run {
  readonly queue: JobQueue;
  readonly seat: Seat;
  /** `monotonicMs`. */
  readonly started: number;
  /** Jobs that it began with. */
  readonly size: number;
  /** Thread time that its queue was charged with in advance, in milliseconds. */
  charged: number;
  /** Set when the pool terminates the thread. */
  death: Death | null;
  /** Time for a step (see `TaskBoard`), in milliseconds. */
  stepMs(step: number): number;
  /** The job that runs as the given step; null when it was taken back. */
  member(step: number): Submission | null;
  members(): Iterable<Submission>;
  /** Settles what the output of the worker answers. Gives back what must run once more. */
  complete(output: unknown): readonly EvaluationSubmission[];
  /** The job whose fault it is that the thread died at `step`; null when nobody is blamed (yet). */
  guilty(death: Death, step: number): Submission | null;
  /** The thread died at `step`. Settles the job whose fault it was; gives back the others. */
  abandon(death: Death, step: number): readonly Submission[];
}

/** What the caller of the job that ended a thread is told. */
export function deathError(death: Death): ErrorData {
  switch (death) {
    case 'time-limit':
      return { code: 'time-limit', message: 'The job ran past its time limit and was ended.', details: {} };
    case 'heap':
      return {
        code: 'budget-exceeded',
        message: 'The job needs more memory than a thread has.',
        details: {},
      };
    case 'cancelled':
    case 'demoted':
      return { code: 'cancelled', message: 'The job was cancelled.', details: {} };
    case 'crash':
      return { code: 'internal', message: 'The thread of the job ended unexpectedly.', details: {} };
  }
}
