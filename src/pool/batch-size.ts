import { MAX_BATCH } from './task-board.ts';

/** Thread time that a batch may take, in microseconds: long against the cost of a dispatch, short against a wait. */
const MOST_MICROS = 1500;
/** Below this a batch is not split to keep a second thread busy: a dispatch costs the main thread 20 to 30. */
const LEAST_MICROS = 400;

const LEAST_COST = 1;

/** How far one measurement moves the estimate. */
const STEP = 1.1;

/** How many evaluations go together, by what they cost of late. */
export class BatchSize {
  /** The first guess makes batches of 64. */
  #cost = MOST_MICROS / 64;

  /**
   * What an evaluation costs, in microseconds: a running median over batches, which a few evaluations without
   * end do not move far.
   */
  get cost(): number {
    return this.#cost;
  }

  /** Evaluations for the next batch, when `waiting` of them share `idle` threads. */
  next(waiting: number, idle: number): number {
    const share = Math.max(Math.ceil(waiting / idle), Math.floor(LEAST_MICROS / this.#cost));
    return Math.min(MAX_BATCH, Math.max(1, Math.min(share, Math.floor(MOST_MICROS / this.#cost))));
  }

  record(micros: number, evaluations: number): void {
    if (micros / evaluations > this.#cost) this.#cost *= STEP;
    else this.#cost = Math.max(LEAST_COST, this.#cost / STEP);
  }
}
