import { plots } from './plot-definitions.ts';
import type { Reading } from './reading.ts';

/** Seconds. */
const KEPT = 3600;

type Values = (number | null)[];

/** What the plots show: a value of each series for each time, an hour at most. */
export class MetricsHistory {
  /** Seconds since 1970. */
  readonly times: number[] = [];
  /** The values of each series of each plot; null where one is not known. */
  readonly values: readonly (readonly Values[])[] = plots.map(({ series }) => series.map(() => []));
  #last: Reading | undefined;

  get last(): Reading | undefined {
    return this.#last;
  }

  /** `interval`: seconds between readings; after a much longer time the lines have a gap. */
  add(now: Reading, interval: number): void {
    const before = this.#last;
    this.#last = now;
    if (!before || now.time <= before.time) return;
    const isGap = now.time - before.time > 3 * interval + 1;
    this.times.push(now.time);
    plots.forEach(({ series }, plot) => {
      series.forEach(({ value }, i) => {
        this.values[plot]![i]!.push(isGap ? null : (value({ before, now }) ?? null));
      });
    });
    this.#forget(now.time - KEPT);
  }

  #forget(oldest: number): void {
    const count = this.times.findIndex((time) => time >= oldest);
    if (count <= 0) return;
    this.times.splice(0, count);
    for (const values of this.values.flat()) values.splice(0, count);
  }
}
