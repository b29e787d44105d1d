import type { HeavyRun } from '../runs/heavy-job.ts';
import type { WorkerSlot } from '../runs/run.ts';
import { monotonicMs } from '../threads/monotonic-clock.ts';
import type { JobQueue, Lane } from './job-queue.ts';

/** For this long after a fast job was submitted, in milliseconds, more of them are expected. */
const EXPECTED_MS = 1_000;
/** The same for borrowing the last thread, which can be preempted quickly. */
const LENDING_PAUSE_MS = 5;
/**
 * After a slow evaluation delayed a fast one, slow evaluations leave the last thread free for this
 * many times the delay, but no longer than the maximum.
 */
const PAUSE_FACTOR = 8;
const MOST_PAUSE_MS = 10_000;

/** Decides which jobs may have a thread now, so that one stays free for fast jobs. */
export class Lanes {
  /** How many threads slow jobs may occupy at one time; the same limit applies to heavy jobs. */
  readonly limit: number;
  /** The job that has borrowed the last thread. */
  borrowed: HeavyRun | null = null;
  readonly #workerSlots: readonly WorkerSlot[];
  /** When a fast job was last submitted, in `monotonicMs`. */
  #lastFast = Number.NEGATIVE_INFINITY;
  /** Until this time (`monotonicMs`) slow evaluations leave the last thread to fast ones. */
  #pauseEnd = 0;

  constructor(workerSlots: readonly WorkerSlot[]) {
    this.#workerSlots = workerSlots;
    this.limit = Math.max(1, workerSlots.length - 1);
  }

  /** Returns how many threads jobs of the queue may use. */
  threads(queue: JobQueue): number {
    return queue.lane === 'fast' ? this.#workerSlots.length : this.limit;
  }

  noteFast(moment: number): void {
    this.#lastFast = moment;
  }

  /** Call it when a slow evaluation has delayed a fast job for this long. */
  noteWait(milliseconds: number): void {
    const pause = Math.min(MOST_PAUSE_MS, milliseconds * PAUSE_FACTOR);
    this.#pauseEnd = Math.max(this.#pauseEnd, monotonicMs() + pause);
  }

  readonly mayRun = (queue: JobQueue): boolean => {
    if (queue.lane === 'fast') return true;
    if (queue.first === null || this.isFull(queue.lane)) return false;
    return queue.lane === 'heavy' || queue.brief || !this.#isLastThread || !this.#isPause;
  };

  /** Whether jobs of the lane occupy all the threads that they may have. */
  isFull(lane: Lane): boolean {
    return this.#count((run) => run === lane) >= this.limit;
  }

  /** Whether no thread is left for fast jobs. */
  get isExhausted(): boolean {
    return this.#count((lane) => lane !== 'fast') >= this.#workerSlots.length;
  }

  /** Whether a job may borrow a thread: no fast job has arrived just now. */
  get mayBorrow(): boolean {
    return this.borrowed === null && monotonicMs() - this.#lastFast > LENDING_PAUSE_MS;
  }

  /** Whether jobs that are not fast occupy all other threads. */
  get #isLastThread(): boolean {
    return this.#count((lane) => lane !== 'fast') >= this.#workerSlots.length - 1;
  }

  get #isPause(): boolean {
    const now = monotonicMs();
    return now < this.#pauseEnd && now - this.#lastFast <= EXPECTED_MS;
  }

  #count(counts: (lane: Lane) => boolean): number {
    let count = 0;
    // A borrowed thread does not count: it can be preempted.
    for (const { run } of this.#workerSlots)
      if (run && run !== this.borrowed && counts(run.queue.lane)) count++;
    return count;
  }
}
