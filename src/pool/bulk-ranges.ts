/**
 * What a job should take, in milliseconds: long against the cost of handing it over, short against a wait, and short
 * enough that its lines are still in a cache when they are sent.
 */
const JOB_MS = 3;
/** A job that takes less is not worth handing over, though threads then end at different times. */
const LEAST_MS = 0.4;
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
  #next = 0;
  #number = 0;

  constructor(count: number) {
    this.#count = count;
  }

  /**
   * The next range; null when all are taken. `takers` share what is left, so that none has much to do when the others have
   * ended. `startMs`: what a start takes; undefined when that is not known.
   */
  take(takers: number, startMs: number | undefined): Range | null {
    if (this.#next === this.#count) return null;
    const from = this.#next;
    const left = this.#count - from;
    const share = Math.max(Math.ceil(left / takers), startsIn(LEAST_MS, startMs) ?? 1);
    this.#next += Math.min(left, share, startsIn(JOB_MS, startMs) ?? FIRST_STARTS);
    return { number: this.#number++, from, to: this.#next };
  }
}

function startsIn(milliseconds: number, startMs: number | undefined): number | undefined {
  return startMs === undefined
    ? undefined
    : Math.max(1, Math.min(MOST_STARTS, Math.floor(milliseconds / startMs)));
}
