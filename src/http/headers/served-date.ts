/** How often uWebSockets.js makes the text of `Date` anew, in milliseconds. */
const RENEWAL_MS = 1_000;
/** A little more than half of that, so that two pauses between ticks include a renewal. */
const TICK_MS = 510;
const KEPT_TICKS = 3;

/**
 * Tells which time `Date` has certainly reached. uWebSockets.js makes its text in a timer of the
 * event loop, so it is late by as much as the loop is. It can be neither read nor replaced. So a
 * timer of the same loop ticks too: the text is not older than the tick before the last but one.
 */
export class ServedDate {
  #ticks: number[] = [];
  #reached: number | undefined;
  #timer: NodeJS.Timeout | undefined;

  /** `now`: milliseconds since 1970. */
  tick(now: number): void {
    // Before the first tick the text may be as old as it gets.
    this.#ticks = [...(this.#ticks.length === 0 ? [now - RENEWAL_MS] : this.#ticks), now].slice(-KEPT_TICKS);
    // The clock may have gone back, so the oldest tick need not have the earliest time.
    this.#reached = Math.min(...this.#ticks);
  }

  /** Returns a time in milliseconds since 1970 that is not later than `Date` in a response. */
  reached(): number {
    return this.#reached ?? Date.now() - RENEWAL_MS;
  }

  /** Follows the clock until the process ends, as uWebSockets.js does. */
  follow(): void {
    if (this.#timer) return;
    this.tick(Date.now());
    this.#timer = setInterval(() => this.tick(Date.now()), TICK_MS).unref();
  }
}

/** That of this process. */
export const servedDate = new ServedDate();
