/** Upper bounds of the counted times, in seconds. */
const BOUNDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const;
const BOUNDS_MS = Float64Array.from(BOUNDS, (bound) => bound * 1000);

/**
 * A distribution of times for monitoring: how many were within each bound. Recording one allocates
 * nothing, so every request and job can be recorded.
 */
export class DurationCounts {
  readonly bounds: readonly number[] = BOUNDS;
  /** Times within each bound, and not within a smaller one; the last entry counts all others. */
  readonly counts = new Float64Array(BOUNDS.length + 1);
  #milliseconds = 0;

  record(milliseconds: number): void {
    let place = 0;
    while (place < BOUNDS_MS.length && milliseconds > BOUNDS_MS[place]!) place++;
    this.counts[place]! += 1;
    this.#milliseconds += milliseconds;
  }

  /** In seconds. */
  get sum(): number {
    return this.#milliseconds / 1000;
  }
}
