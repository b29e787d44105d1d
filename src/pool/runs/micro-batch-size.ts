import { MAX_BATCH } from '../tasks/board.ts';

/**
 * Thread time for one micro-batch, in microseconds: long compared to the cost of a dispatch, short
 * compared to a wait.
 */
const MOST_MICROS = 1500;
/**
 * A micro-batch shorter than this is not split to keep a second thread busy, since a dispatch costs
 * the main thread 20 to 30 microseconds.
 */
const LEAST_MICROS = 400;

const LEAST_COST = 1;

/** The factor by which one measurement moves the estimate. */
const STEP = 1.1;

/** Decides how many evaluations go into a micro-batch, from their recent cost. */
export class MicroBatchSize {
  /** The first guess makes micro-batches of 64. */
  #cost = MOST_MICROS / 64;

  /**
   * The cost of an evaluation, in microseconds: a running median over micro-batches. A few
   * evaluations that never end do not move it far.
   */
  get cost(): number {
    return this.#cost;
  }

  /** Returns the size of the next micro-batch when `waiting` evaluations share `idle` threads. */
  next(waiting: number, idle: number): number {
    const share = Math.max(Math.ceil(waiting / idle), Math.floor(LEAST_MICROS / this.#cost));
    return Math.min(MAX_BATCH, Math.max(1, Math.min(share, Math.floor(MOST_MICROS / this.#cost))));
  }

  record(micros: number, evaluations: number): void {
    if (micros / evaluations > this.#cost) this.#cost *= STEP;
    else this.#cost = Math.max(LEAST_COST, this.#cost / STEP);
  }
}
