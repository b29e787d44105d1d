/** What a job should take, in milliseconds: long against the cost of handing it over, short against a wait. */
const JOB_MS = 20;
const MOST_STARTS = 8192;
/** Before anything is known of their cost. A job that has too much to do leaves the rest of it. */
const FIRST_STARTS = 512;

/** A run of starts, `from` to `to`, that one job gets. `number` counts ranges in their order. */
export interface Range {
  readonly number: number;
  readonly from: number;
  readonly to: number;
}

/** Cuts a list of starts into ranges that take about equally long. */
export class BulkRanges {
  readonly #count: number;
  readonly #takers: number;
  #next = 0;
  #number = 0;
  #size = FIRST_STARTS;

  /** `takers` share what is left, so that none has much to do when the others have ended. */
  constructor(count: number, takers: number) {
    this.#count = count;
    this.#takers = takers;
  }

  /** The next range; null when all are taken. */
  take(): Range | null {
    if (this.#next === this.#count) return null;
    const left = this.#count - this.#next;
    const size = Math.max(1, Math.min(this.#size, Math.ceil(left / this.#takers)));
    const from = this.#next;
    this.#next += size;
    return { number: this.#number++, from, to: this.#next };
  }

  /** A job answered so many starts in that time. */
  record(starts: number, milliseconds: number): void {
    const fitting = Math.floor((starts * JOB_MS) / Math.max(milliseconds, 0.01));
    this.#size = Math.max(1, Math.min(MOST_STARTS, fitting));
  }
}
