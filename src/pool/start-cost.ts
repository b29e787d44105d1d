/** Starts that take less than this on average, in milliseconds, may have threads that must be given back at once. */
const QUICK_MS = 0.5;
/** Fewer starts say little of what one takes, unless they took long. */
const TELLING_STARTS = 64;
/** Least that a start takes, in milliseconds. */
const LEAST_MS = 0.0001;

/** What a start of one selection takes, as the newest job of many starts found it. */
export class StartCost {
  /** Undefined while nothing is known. */
  milliseconds: number | undefined;

  get isQuick(): boolean {
    return this.milliseconds !== undefined && this.milliseconds < QUICK_MS;
  }

  /** A start took long, or ended its thread: so may others. */
  forget(): void {
    this.milliseconds = undefined;
  }

  record(starts: number, milliseconds: number): void {
    if (starts < TELLING_STARTS && milliseconds < QUICK_MS) return;
    this.milliseconds = Math.max(LEAST_MS, milliseconds / starts);
  }
}
