/** Older samples count less: after so many milliseconds, a third. */
const MEMORY_MS = 3000;

/** How fast the progress of a task grows, in steps a second. */
export class ProgressRate {
  #progress: number;
  #time: number;
  #rate: number | undefined;

  /** `time`: milliseconds since 1970; so is that of `note`. */
  constructor(progress: number, time: number) {
    this.#progress = progress;
    this.#time = time;
  }

  /** Undefined until the progress has been seen to grow. */
  get value(): number | undefined {
    return this.#rate;
  }

  note(progress: number, time: number): void {
    const [steps, passed] = [progress - this.#progress, time - this.#time];
    if (passed <= 0) return;
    [this.#progress, this.#time] = [progress, time];
    // The task counts something else now.
    if (steps < 0) this.#rate = undefined;
    else {
      const rate = (steps * 1000) / passed;
      const weight = 1 - Math.exp(-passed / MEMORY_MS);
      this.#rate = this.#rate === undefined ? rate : this.#rate + weight * (rate - this.#rate);
    }
  }
}
