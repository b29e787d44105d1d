import type { TaskMap } from '../tasks/map.ts';

/** Milliseconds since the start, by the kind of work: the `message` of running tasks. */
export type WorkTimes = Readonly<Record<string, number>>;

/** What a thread has done since the start, and does now. */
export interface ThreadReading {
  /** As tasks name it. */
  readonly thread: string;
  /** Null if it is idle, or does several things at a time. */
  readonly task: Pick<TaskMap, 'id' | 'name' | 'group'> | null;
  /** How long it has had work, in milliseconds. */
  readonly busyMs: number;
  /** The parts of that time; empty if they are not known. */
  readonly work: WorkTimes;
  /** Number of jobs that have ended. */
  readonly jobs: number;
}

/** Sums up the runs of a thread, and of those that replace it. */
export class WorkMeter {
  jobs = 0;
  readonly #times: Record<string, number> = Object.create(null);

  add(kind: string, milliseconds: number, jobs: number): void {
    this.#times[kind] = (this.#times[kind] ?? 0) + milliseconds;
    this.jobs += jobs;
  }

  /** Returns the times with that of a run that has not ended yet. */
  times(current?: { readonly kind: string; readonly milliseconds: number }): WorkTimes {
    const times = { ...this.#times };
    if (current) times[current.kind] = (times[current.kind] ?? 0) + current.milliseconds;
    return times;
  }
}

export function totalOf(work: WorkTimes): number {
  return Object.values(work).reduce((sum, milliseconds) => sum + milliseconds, 0);
}
