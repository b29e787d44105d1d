import type { Transferable } from 'node:worker_threads';
import type { Caller } from '../../base/caller.ts';
import type { ErrorData, Result } from '../../errors.ts';
import type { Job } from '../messages.ts';
import type { JobQueue } from '../scheduling/job-queue.ts';
import type { TaskInfo, TaskUnit } from '../tasks/map.ts';
import { monotonicMs } from '../threads/monotonic-clock.ts';
import type { WorkerSlot } from './run.ts';
import { type Run, type WorkerExit, workerExitError } from './run.ts';
import { type EvaluationSubmission, Submission, type WholeTask } from './submission.ts';

/**
 * A whole job: parsing, serialising, maintenance, or many evaluations in a row. It has a thread to
 * itself, unless it is a small document.
 */
export interface HeavyWork {
  readonly info: TaskInfo;
  /** See `Run.stepMs`. */
  readonly stepMs: number;
  readonly job: (slot: number) => Job;
  /** Transferred to the thread; empty for a small document (see `DocumentRun`). */
  readonly transfer: readonly Transferable[];
  /** Size of the document to be read, if there is one. */
  readonly bytes?: number;
  /**
   * Whether it may borrow the last thread while nothing else waits for one. It ends when it is
   * preempted.
   */
  readonly borrowed?: boolean;
  /** Called once, with the worker's result or the reason why there is none. */
  readonly settle: (result: Result<unknown>) => void;
  /**
   * Called before `settle` when a thread has finished the job, successfully or not. Also called if
   * the job was settled before, for example because it was cancelled: then it is not `wanted`.
   */
  readonly ended?: (result: Result<unknown>, wanted: boolean) => void;
}

export class HeavySubmission extends Submission {
  readonly work: HeavyWork;
  readonly programKey = null;

  constructor(work: HeavyWork, submitted: number, caller?: Caller, whole?: WholeTask) {
    super(submitted, caller, whole, work.info.identity);
    this.work = work;
  }

  get info(): TaskInfo {
    return this.work.info;
  }

  get unit(): TaskUnit | null {
    return this.work.info.unit ?? null;
  }

  settle(result: Result<unknown>): void {
    if (this.settled) return;
    this.settled = true;
    if (!result.ok) this.failure = result.error.code;
    this.work.settle(result);
  }

  fail(error: ErrorData): void {
    this.settle({ ok: false, error });
  }

  /** Call it when the thread has finished the job. */
  end(result: Result<unknown>): void {
    this.work.ended?.(result, !this.settled);
    this.settle(result);
  }
}

/**
 * A heavy job on its thread: a run of one step. Its data were transferred, so it never runs twice.
 */
export class HeavyRun implements Run {
  readonly queue: JobQueue;
  readonly workerSlot: WorkerSlot;
  readonly started = monotonicMs();
  readonly size = 1;
  charged = 0;
  workerExit: WorkerExit | null = null;
  /** When the run was preempted, in `monotonicMs`; 0 for never. */
  preempted = 0;
  readonly #submission: HeavySubmission;

  constructor(submission: HeavySubmission, queue: JobQueue, workerSlot: WorkerSlot) {
    this.#submission = submission;
    this.queue = queue;
    this.workerSlot = workerSlot;
    submission.run = this;
  }

  stepMs(): number {
    return this.#submission.work.stepMs;
  }

  member(): HeavySubmission {
    return this.#submission;
  }

  members(): Iterable<HeavySubmission> {
    return [this.#submission];
  }

  complete(output: unknown): EvaluationSubmission[] {
    this.#submission.end(output as Result<unknown>);
    return [];
  }

  culpritOf(): HeavySubmission {
    return this.#submission;
  }

  abandon(workerExit: WorkerExit): EvaluationSubmission[] {
    this.#submission.end({ ok: false, error: workerExitError(workerExit) });
    return [];
  }
}
