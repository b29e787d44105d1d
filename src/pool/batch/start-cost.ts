/**
 * If start resources take less than this on average, in milliseconds, their jobs may borrow
 * threads.
 */
const FAST_MS = 0.5;
/**
 * The weight that earlier jobs keep when a job is recorded: one job may be long because its thread
 * waited for a processor.
 */
const MEMORY = 0.75;

/** The cost of a start resource for one selection, measured by recent jobs. */
export class StartCost {
  #starts = 0;
  #milliseconds = 0;

  /** Undefined while it is unknown. */
  get milliseconds(): number | undefined {
    return this.#starts > 0 ? this.#milliseconds / this.#starts : undefined;
  }

  get isFast(): boolean {
    return this.#starts > 0 && this.#milliseconds < FAST_MS * this.#starts;
  }

  record(starts: number, milliseconds: number): void {
    this.#starts = this.#starts * MEMORY + starts;
    this.#milliseconds = this.#milliseconds * MEMORY + milliseconds;
  }

  /** Call it when a start resource took long, or terminated its thread: others may do the same. */
  forget(): void {
    this.#starts = 0;
    this.#milliseconds = 0;
  }
}
