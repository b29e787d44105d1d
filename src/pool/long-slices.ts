/**
 * How many times as long as a long slice no other is given after it: so few requests meet one that
 * it is not seen in their p99.
 */
const PAUSE_FACTOR = 100;
/** The longest one, in milliseconds. */
export const LONGEST_SLICE_MS = 1_000;

/**
 * Says which slow evaluation may go on for long though jobs of other clients wait. An evaluation
 * that is stopped begins again, so short slices alone would never end it while new programs come
 * in; but long ones would keep those waiting.
 */
export class LongSlices<R> {
  #holder: R | null = null;
  /** When the next one may begin. */
  #next = Number.NEGATIVE_INFINITY;

  /** Whether the run has the long slice; it gets it when none has been given for long enough. */
  take(run: R, now: number): boolean {
    if (this.#holder === run) return true;
    if (this.#holder !== null || now < this.#next) return false;
    this.#holder = run;
    return true;
  }

  /** The run has left its thread, which it had for so long. */
  end(run: R, now: number, milliseconds: number): void {
    if (this.#holder !== run) return;
    this.#holder = null;
    this.#next = now + PAUSE_FACTOR * Math.min(LONGEST_SLICE_MS, milliseconds);
  }
}
