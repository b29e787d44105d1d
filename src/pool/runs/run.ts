import type { Worker } from 'node:worker_threads';
import type { ErrorData } from '../../errors.ts';
import type { SnapshotDescriptor } from '../../snapshot/descriptor.ts';
import type { JobQueue } from '../scheduling/job-queue.ts';
import type { WorkMeter } from '../threads/work-meter.ts';
import type { EvaluationSubmission, Submission } from './submission.ts';

/** Why a thread exited during a run: the pool terminated it, or it ended by itself. */
export type WorkerExit = 'time-limit' | 'cancelled' | 'demoted' | 'heap' | 'crash';

/**
 * A worker slot. Threads are replaced, but the slot and its name stay. Its index is also the
 * thread's slot on the task board.
 */
export interface WorkerSlot {
  readonly index: number;
  /** As `/tasks` shows it (http-api 6.3). */
  readonly name: string;
  /** Null while a thread is starting. */
  worker: Pick<Worker, 'threadId' | 'terminate'> | null;
  run: Run | null;
  /**
   * The snapshot that the thread read in its last job, if that evaluated something; otherwise null.
   */
  snapshot: SnapshotDescriptor | null;
  readonly meter: WorkMeter;
}

/**
 * The work of one thread at one time: a micro-batch of evaluations, some small documents, or one
 * heavy job.
 */
export interface Run {
  readonly queue: JobQueue;
  readonly workerSlot: WorkerSlot;
  /** In `monotonicMs`. */
  readonly started: number;
  /** Number of jobs at the start. */
  readonly size: number;
  /** Thread time that its queue was charged in advance, in milliseconds. */
  charged: number;
  /** Set when the pool terminates the thread. */
  workerExit: WorkerExit | null;
  /** Returns the time limit of a step (see `TaskBoard`), in milliseconds. */
  stepMs(step: number): number;
  /** Returns the job that runs as the given step; null if it was taken back. */
  member(step: number): Submission | null;
  members(): Iterable<Submission>;
  /**
   * Settles the jobs that the worker's output has results for. Returns those that must run again.
   */
  complete(output: unknown): readonly EvaluationSubmission[];
  /**
   * Returns the culprit when the thread exited at `step`; null if there is none, or none is known
   * yet.
   */
  culpritOf(workerExit: WorkerExit, step: number): Submission | null;
  /** Handles the exit of the thread at `step`. Settles the culprit; returns the other jobs. */
  abandon(workerExit: WorkerExit, step: number): readonly Submission[];
}

/** Returns the error that is reported to the culprit's caller. */
export function workerExitError(workerExit: WorkerExit): ErrorData {
  switch (workerExit) {
    case 'time-limit':
      return {
        code: 'time-limit',
        message: 'The job exceeded its time limit and was terminated.',
        details: {},
      };
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
