import type { Transferable } from 'node:worker_threads';
import type { Caller } from '../caller.ts';
import type { ErrorData, Result } from '../errors.ts';
import type { JobQueue } from './job-queue.ts';
import type { Job } from './messages.ts';
import { type Death, deathError, type Run } from './run.ts';
import { type EvaluationSubmission, Submission, type WholeTask } from './submission.ts';
import type { TaskInfo, TaskUnit } from './task-map.ts';
import type { Seat } from './threads.ts';

/** A whole job: parsing, serialising, maintenance, many evaluations in a row. It has a thread to itself, unless it is a small document. */
export interface HeavyWork {
  readonly info: TaskInfo;
  /** See `Run.stepMs`. */
  readonly stepMs: number;
  readonly job: (slot: number) => Job;
  /** Moved to the thread; of a small document nothing is (see `DocumentRun`). */
  readonly transfer: readonly Transferable[];
  /** Of the document that is to be read, if there is one. */
  readonly bytes?: number;
  /** Whether it may have the last thread while nobody else waits for one: it ends when the thread is recalled. */
  readonly lent?: boolean;
  /** Called once, with what the worker returned or why there is nothing. */
  readonly settle: (result: Result<unknown>) => void;
  /**
   * Called before `settle` when a thread is done with the job, for better or worse; also when that was settled before, as when
   * it was cancelled: then it is not `wanted`.
   */
  readonly ended?: (result: Result<unknown>, wanted: boolean) => void;
}

export class HeavySubmission extends Submission {
  readonly work: HeavyWork;
  readonly program = null;

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
    this.work.settle(result);
  }

  fail(error: ErrorData): void {
    this.settle({ ok: false, error });
  }

  /** Its thread is done with it. */
  end(result: Result<unknown>): void {
    this.work.ended?.(result, !this.settled);
    this.settle(result);
  }
}

/** A heavy job on its thread: a run of one step. What it carried was transferred, so it never runs twice. */
export class HeavyRun implements Run {
  readonly queue: JobQueue;
  readonly seat: Seat;
  readonly started: number;
  readonly size = 1;
  charged = 0;
  death: Death | null = null;
  /** When its thread was recalled, `monotonicMs`; 0 for never. */
  recalled = 0;
  readonly #submission: HeavySubmission;

  constructor(submission: HeavySubmission, queue: JobQueue, seat: Seat, started: number) {
    this.#submission = submission;
    this.queue = queue;
    this.seat = seat;
    this.started = started;
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

  guilty(): HeavySubmission {
    return this.#submission;
  }

  abandon(death: Death): EvaluationSubmission[] {
    this.#submission.end({ ok: false, error: deathError(death) });
    return [];
  }
}
