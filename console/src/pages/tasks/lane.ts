import type { TaskName, ThreadChange } from '../../../../src/library/client/entry.ts';

/** How much of the past a lane keeps, in milliseconds. */
export const WINDOW_MS = 60_000;

/** What a thread did between two times, which are milliseconds since 1970. */
export interface Segment {
  readonly since: number;
  readonly time: number;
  /** The share of the time in which the thread had work, 0 to 1; undefined if nobody looked. */
  readonly busy: number | undefined;
  readonly work: ThreadChange['work'];
  readonly task: TaskName | undefined;
  readonly jobs: number;
}

/** The last minute of a thread. Times without a segment were idle. */
export class Lane {
  readonly thread: string;
  /** What the thread runs now. */
  task: TaskName | undefined;
  #segments: Segment[] = [];

  constructor(thread: string) {
    this.thread = thread;
  }

  get segments(): readonly Segment[] {
    return this.#segments;
  }

  add(segment: Segment): void {
    const oldest = segment.time - WINDOW_MS;
    let outside = 0;
    while (outside < this.#segments.length && this.#segments[outside]!.time < oldest) outside++;
    if (outside > 0) this.#segments.splice(0, outside);
    this.#segments.push(segment);
  }

  /** Marks a time in which nobody looked. */
  addGap(since: number, time: number): void {
    this.add({ since, time, busy: undefined, work: {}, task: undefined, jobs: 0 });
  }

  /** Returns the share of the known time before `now` in which the thread worked, and its jobs. */
  summary(from: number, now: number): { readonly busy: number; readonly jobs: number } {
    let [worked, unknown, jobs] = [0, 0, 0];
    for (const { since, time, busy, jobs: ended } of this.#segments) {
      const length = Math.min(time, now) - Math.max(since, from);
      if (length <= 0) continue;
      if (busy === undefined) unknown += length;
      else worked += busy * length;
      jobs += ended;
    }
    const known = now - from - unknown;
    return { busy: known > 0 ? Math.min(1, worked / known) : 0, jobs };
  }
}
