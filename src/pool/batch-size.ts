import { MAX_BATCH } from './task-board.ts';

/** Thread time that a batch may take, in microseconds: long against the cost of a dispatch, short against a wait. */
const MOST_MICROS = 1500;
/** Below this a batch is not split to keep a second thread busy: a dispatch costs the main thread 20 to 30. */
const LEAST_MICROS = 400;

const NEWEST_SHARE = 0.1;

/** How many evaluations go together, by what they cost of late. */
export class BatchSize {
  /** The first guess makes batches of 64. */
  #cost = MOST_MICROS / 64;

  /** Average cost of one evaluation, microseconds. */
  get cost(): number {
    return this.#cost;
  }

  /** Evaluations for the next batch, when `waiting` of them share `idle` threads. */
  next(waiting: number, idle: number): number {
    const share = Math.max(Math.ceil(waiting / idle), Math.floor(LEAST_MICROS / this.#cost));
    return Math.min(MAX_BATCH, Math.max(1, Math.min(share, Math.floor(MOST_MICROS / this.#cost))));
  }

  /** One extraordinary batch counts for ten times the average at most. */
  record(micros: number, evaluations: number): void {
    const cost = Math.min(Math.max(micros, 1) / evaluations, this.#cost * 10);
    this.#cost += (cost - this.#cost) * NEWEST_SHARE;
  }
}
