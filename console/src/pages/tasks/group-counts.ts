import type { GroupChange } from '../../../../src/library/client/entry.ts';

/** Rates are those of the last so many milliseconds. */
const RATE_MS = 5000;

interface Sample {
  readonly time: number;
  readonly begun: number;
  readonly ended: number;
}

/** How many tasks of a group there are, and how many come and go. */
export class GroupCounts {
  running = 0;
  queued = 0;
  #samples: Sample[] = [];

  note({ running, queued, begun, ended }: GroupChange, time: number): void {
    [this.running, this.queued] = [running, queued];
    this.#samples = this.#samples.filter((sample) => sample.time > time - RATE_MS);
    this.#samples.push({ time, begun, ended });
  }

  /** Returns tasks a second. `now`: milliseconds since 1970. */
  rates(now: number): { readonly begun: number; readonly ended: number } {
    let [begun, ended] = [0, 0];
    for (const sample of this.#samples) {
      if (sample.time <= now - RATE_MS) continue;
      begun += sample.begun;
      ended += sample.ended;
    }
    return { begun: (begun * 1000) / RATE_MS, ended: (ended * 1000) / RATE_MS };
  }
}
