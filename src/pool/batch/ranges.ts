/**
 * Target time for a job, in milliseconds: long compared to the cost of a dispatch, short compared
 * to a wait, and short enough that its lines are still in a cache when they are sent.
 */
const JOB_MS = 3;
/** A shorter job is not worth a dispatch, even though threads then end at different times. */
const LEAST_MS = 0.4;
const MOST_STARTS = 8192;
/**
 * Size of a range before the cost of the start resources is known. A job that has too much to do
 * leaves the rest.
 */
const FIRST_STARTS = 512;

/**
 * Consecutive start resources for one job, `from` (inclusive) to `to` (exclusive). `number` counts
 * the ranges in order.
 */
export interface Range {
  readonly number: number;
  readonly from: number;
  readonly to: number;
}

/** Cuts a list of start resources into ranges that take about equally long. */
export class BatchRanges {
  readonly #count: number;
  readonly #endsWork: boolean;
  #next = 0;
  #number = 0;

  /** `endsWork`: whether no more start resources follow. */
  constructor(count: number, endsWork = true) {
    this.#count = count;
    this.#endsWork = endsWork;
  }

  /**
   * Returns the next range; null if all are taken. `takers` share the remaining start resources, so
   * that at the end none of them has much left to do when the others have ended. `startMs` is the
   * time for one start resource; undefined if it is unknown.
   */
  take(takers: number, startMs: number | undefined): Range | null {
    if (this.#next === this.#count) return null;
    const from = this.#next;
    const left = this.#count - from;
    const fair = this.#endsWork ? Math.ceil(left / takers) : left;
    const share = Math.max(fair, startsIn(LEAST_MS, startMs) ?? 1);
    this.#next += Math.min(left, share, startsIn(JOB_MS, startMs) ?? FIRST_STARTS);
    return { number: this.#number++, from, to: this.#next };
  }
}

function startsIn(milliseconds: number, startMs: number | undefined): number | undefined {
  return startMs === undefined
    ? undefined
    : Math.max(1, Math.min(MOST_STARTS, Math.floor(milliseconds / startMs)));
}
