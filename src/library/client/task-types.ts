import type { LiveOptions } from './live-events.ts';

/** Work in progress (http-api 6.2). */
export interface Task {
  readonly id: string;
  /** Unique in its group. */
  readonly name: string;
  readonly group: string;
  /** `ended`: only a batch, and not in lists. */
  readonly state: 'queued' | 'running' | 'ended';
  readonly thread: string | null;
  readonly message: string | null;
  readonly progress: number;
  /** 0 if unknown. */
  readonly totalSteps: number;
  readonly unit: string | null;
  /** In milliseconds since 1970; so are `lastUpdate` and `eta`. */
  readonly started: number;
  readonly lastUpdate: number;
  /** Milliseconds since `started`. */
  readonly elapsed: number;
  readonly eta: number | null;
  readonly request: string | null;
  readonly client: string | null;
  readonly user: string | null;
  readonly detailMessages: Readonly<Record<string, string>>;
}

/** Which task a thread runs. */
export type TaskName = Pick<Task, 'id' | 'name' | 'group'>;

/** What the server is doing when it is first asked. Times are milliseconds since 1970. */
export interface TaskState {
  readonly type: 'state';
  readonly time: number;
  /** Tasks that are at least 100 ms old, waiting ones too, by group. */
  readonly tasks: Readonly<Record<string, readonly Task[]>>;
  /** How many more there are, beyond those that are listed. */
  readonly unlisted: number;
  readonly groups: Readonly<Record<string, { readonly running: number; readonly queued: number }>>;
  /** All threads of the process. Later events refer to them. */
  readonly threads: readonly { readonly thread: string; readonly task: TaskName | null }[];
}

/** What happened between `since` and `time`. */
export interface TaskChange {
  readonly type: 'change';
  /** Nothing happened between the event before and this time. */
  readonly since: number;
  readonly time: number;
  /** Tasks that were not listed before, or again under their id. */
  readonly appeared: readonly Task[];
  /** The fields that differ. */
  readonly changed: readonly (Pick<Task, 'id'> & Partial<Task>)[];
  readonly ended: readonly (TaskName & { readonly outcome: 'done' | 'cancelled' | 'failed' | null })[];
  readonly unlisted: number;
  /** Groups that did something, or have a task. The other ones have nothing but zeros. */
  readonly groups: Readonly<Record<string, GroupChange>>;
  /** Threads that did something, or run something. The other ones are idle. */
  readonly threads: readonly ThreadChange[];
}

export interface GroupChange {
  readonly running: number;
  readonly queued: number;
  /** Tasks of the interval, with those that were too short to be listed. */
  readonly begun: number;
  readonly ended: number;
}

export interface ThreadChange {
  readonly thread: string;
  readonly task: TaskName | null;
  /** The share of the interval in which the thread had work, 0 to 1. */
  readonly busy: number;
  /** The same by kind of work, where that is known. */
  readonly work: Readonly<Record<string, number>>;
  /** Jobs that ended on the thread. */
  readonly jobs: number;
}

/** Options of a call that goes on until its signal. */
export type FollowTasksOptions = Omit<LiveOptions, 'since'>;
