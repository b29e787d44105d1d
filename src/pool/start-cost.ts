/** Starts that take less than this on average, in milliseconds, may have threads that must be given back at once. */
const QUICK_MS = 0.5;
/** Share of what was known that stays when a job adds to it: a job may be long because its thread waited for a processor. */
const MEMORY = 0.75;

/** What a start of one selection takes, as the jobs of late found it. */
export class StartCost {
  #starts = 0;
  #milliseconds = 0;

  /** Undefined while nothing is known. */
  get milliseconds(): number | undefined {
    return this.#starts > 0 ? this.#milliseconds / this.#starts : undefined;
  }

  get isQuick(): boolean {
    return this.#starts > 0 && this.#milliseconds < QUICK_MS * this.#starts;
  }

  record(starts: number, milliseconds: number): void {
    this.#starts = this.#starts * MEMORY + starts;
    this.#milliseconds = this.#milliseconds * MEMORY + milliseconds;
  }

  /** A start took long, or ended its thread: so may others. */
  forget(): void {
    this.#starts = 0;
    this.#milliseconds = 0;
  }
}
