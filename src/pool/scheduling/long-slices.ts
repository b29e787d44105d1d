/**
 * After a long slice no other one is granted for this many times its length, so that too few
 * requests meet one for it to show in their p99.
 */
const PAUSE_FACTOR = 100;
/** The longest slice, in milliseconds. */
export const LONGEST_SLICE_MS = 1_000;

/**
 * Decides which slow evaluation may run for long although jobs of other clients wait. A stopped
 * evaluation starts again from the beginning, so with short slices alone it would never end while
 * new programs come in; but frequent long slices would delay those.
 */
export class LongSlices<R> {
  #holder: R | null = null;
  /** When the next long slice may begin. */
  #next = Number.NEGATIVE_INFINITY;

  /** Whether the run has the long slice. It gets it if none was granted recently. */
  take(run: R, now: number): boolean {
    if (this.#holder === run) return true;
    if (this.#holder !== null || now < this.#next) return false;
    this.#holder = run;
    return true;
  }

  /** Call it when the run has left its thread, which it occupied for `milliseconds`. */
  end(run: R, now: number, milliseconds: number): void {
    if (this.#holder !== run) return;
    this.#holder = null;
    this.#next = now + PAUSE_FACTOR * Math.min(LONGEST_SLICE_MS, milliseconds);
  }
}
