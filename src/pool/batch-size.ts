import { MAX_BATCH } from './task-board.ts';

/** Thread time that a batch should take, in microseconds: long against the cost of a dispatch, short against a wait. */
const TARGET_MICROS = 1500;

const NEWEST_SHARE = 0.1;

/** How many evaluations go together, by what they cost of late. */
export class BatchSize {
  /** The first guess makes batches of 64. */
  #cost = TARGET_MICROS / 64;

  /** Average cost of one evaluation, microseconds. */
  get cost(): number {
    return this.#cost;
  }

  get value(): number {
    return Math.min(MAX_BATCH, Math.max(1, Math.floor(TARGET_MICROS / this.#cost)));
  }

  /** One extraordinary batch counts for ten times the average at most. */
  record(micros: number, evaluations: number): void {
    const cost = Math.min(Math.max(micros, 1) / evaluations, this.#cost * 10);
    this.#cost += (cost - this.#cost) * NEWEST_SHARE;
  }
}
