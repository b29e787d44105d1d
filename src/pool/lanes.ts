import type { HeavyRun } from './heavy-job.ts';
import type { JobQueue, Lane } from './job-queue.ts';
import { monotonicMs } from './monotonic-clock.ts';
import type { Seat } from './threads.ts';

/** So long after something quick was handed in, in milliseconds, more of it is expected. */
const EXPECTED_MS = 1_000;
/** The same before the last thread is lent, which can be had back quickly. */
const LENDING_PAUSE_MS = 5;
/** How many times as long as it kept others waiting a slow evaluation leaves the last thread to them, and how long at most. */
const PAUSE_FACTOR = 8;
const MOST_PAUSE_MS = 10_000;

/** Knows which jobs may have a thread now, so that one is left for what is quick. */
export class Lanes {
  /** Threads that slow jobs may hold at one time, and that heavy jobs may hold. */
  readonly limit: number;
  /** The job that has the last thread while nobody else waits for it. */
  lent: HeavyRun | null = null;
  readonly #seats: readonly Seat[];
  /** When a quick job was handed in last, `monotonicMs`. */
  #lastQuick = Number.NEGATIVE_INFINITY;
  /** Until then (`monotonicMs`) slow evaluations leave the last thread to quick ones. */
  #pauseEnd = 0;

  constructor(seats: readonly Seat[]) {
    this.#seats = seats;
    this.limit = Math.max(1, seats.length - 1);
  }

  /** Threads for jobs of the queue. */
  threads(queue: JobQueue): number {
    return queue.lane === 'quick' ? this.#seats.length : this.limit;
  }

  noteQuick(moment: number): void {
    this.#lastQuick = moment;
  }

  /** A slow evaluation has kept something quick waiting for so long. */
  noteWait(milliseconds: number): void {
    const pause = Math.min(MOST_PAUSE_MS, milliseconds * PAUSE_FACTOR);
    this.#pauseEnd = Math.max(this.#pauseEnd, monotonicMs() + pause);
  }

  readonly mayRun = (queue: JobQueue): boolean => {
    if (queue.lane === 'quick') return true;
    if (queue.first === null || this.isFull(queue.lane)) return false;
    return queue.lane === 'heavy' || queue.brief || !this.#isLastThread || !this.#isPause;
  };

  /** Whether jobs of the lane have all the threads that they may have. */
  isFull(lane: Lane): boolean {
    return this.#count((run) => run === lane) >= this.limit;
  }

  /** Whether no thread is left for what is quick. */
  get isExhausted(): boolean {
    return this.#count((lane) => lane !== 'quick') >= this.#seats.length;
  }

  /** Whether a thread may be lent: nobody hands in anything quick. */
  get mayLend(): boolean {
    return this.lent === null && monotonicMs() - this.#lastQuick > LENDING_PAUSE_MS;
  }

  /** Whether all other threads are held by what is not quick. */
  get #isLastThread(): boolean {
    return this.#count((lane) => lane !== 'quick') >= this.#seats.length - 1;
  }

  get #isPause(): boolean {
    const now = monotonicMs();
    return now < this.#pauseEnd && now - this.#lastQuick <= EXPECTED_MS;
  }

  #count(counts: (lane: Lane) => boolean): number {
    let count = 0;
    // What was lent counts for nothing: it can be had back.
    for (const { run } of this.#seats) if (run && run !== this.lent && counts(run.queue.lane)) count++;
    return count;
  }
}
