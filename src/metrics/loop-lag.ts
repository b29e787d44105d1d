import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';

/** Interval of the measurements, which is part of each of them, in milliseconds. */
const RESOLUTION_MS = 10;
const WINDOW_MS = 30_000;
const NANOSECONDS = 1e9;

/**
 * How late the event loop was in the last one to two windows. Asking changes nothing, so that any
 * number of scrapers see the same. Two histograms begin one window after the other, and the older
 * one is read.
 */
export class LoopLag {
  #older = startHistogram();
  #newer = startHistogram();
  readonly #timer = setInterval(() => this.#turn(), WINDOW_MS);

  constructor() {
    this.#timer.unref();
  }

  /** Returns seconds, without the interval of the measurements itself. */
  quantile(quantile: number): number {
    if (this.#older.count === 0) return 0;
    const seconds = this.#older.percentile(quantile * 100) / NANOSECONDS;
    return Math.max(0, seconds - RESOLUTION_MS / 1000);
  }

  close(): void {
    clearInterval(this.#timer);
    for (const histogram of [this.#older, this.#newer]) histogram.disable();
  }

  #turn(): void {
    const forgotten = this.#older;
    forgotten.reset();
    this.#older = this.#newer;
    this.#newer = forgotten;
  }
}

function startHistogram(): IntervalHistogram {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  return histogram;
}
