import { v4 as uuid } from 'uuid';
import type { Caller } from '../../base/caller.ts';
import { epochMs, monotonicMs } from '../threads/monotonic-clock.ts';

/** What the counters of a task count. */
export type TaskUnit = 'bytes' | 'triples' | 'steps' | 'resources';

/** One task as `/tasks` shows it (http-api 6.2). Times are milliseconds since 1970. */
export interface TaskMap {
  readonly id: string;
  /** Unique within its group. */
  readonly name: string;
  readonly group: string;
  readonly state: 'queued' | 'running' | 'ended';
  /** `main`, `store`, `worker-1` …; null while queued, and when it has ended. */
  readonly thread: string | null;
  readonly message: string | null;
  readonly progress: number;
  /** 0 if unknown. */
  readonly totalSteps: number;
  /** Null if nothing is counted. */
  readonly unit: TaskUnit | null;
  /** When it was submitted; the same in all states. */
  readonly started: number;
  /** Never decreases from one reading to the next. */
  readonly lastUpdate: number;
  /** Milliseconds since `started`. */
  readonly elapsed: number;
  readonly eta: number | null;
  /** Method and target; null for the server's own work. */
  readonly request: string | null;
  /** The client's address; null for the server's own work. */
  readonly client: string | null;
  /** Name of the client's credential, if it sent one. */
  readonly user: string | null;
  readonly detailMessages: Readonly<Record<string, string>>;
}

/** The identity of a task, which stays the same while several components work on it. */
export interface TaskIdentity {
  readonly id: string;
  readonly sequence: number;
  /** Milliseconds since 1970. */
  readonly started: number;
}

let lastSequence = 0;

export function nextSequence(): number {
  return ++lastSequence;
}

export function newIdentity(): TaskIdentity {
  return { id: uuid(), sequence: nextSequence(), started: epochMs(monotonicMs()) };
}

/** How the caller of the pool wants a job to be listed. */
export interface TaskInfo {
  /** Set if the task outlives the job; otherwise the pool creates one. */
  readonly identity?: TaskIdentity;
  readonly group: string;
  /** The kind of work, such as `RDF import`; with a number added it becomes the task's name. */
  readonly label: string;
  /** What its progress counts, if anything. */
  readonly unit?: TaskUnit;
  readonly detail: Readonly<Record<string, string>>;
}

const formatNames: Readonly<Record<string, string>> = {
  'application/ld+json': 'JSON-LD',
  'application/n-quads': 'N-Quads',
  'application/n-triples': 'N-Triples',
  'application/rdf+xml': 'RDF/XML',
  'application/trig': 'TriG',
  'text/n3': 'N3',
  'text/turtle': 'Turtle',
};

/** Returns a name such as `RDF import 17 (Turtle)`. */
export function taskName(info: TaskInfo, sequence: number): string {
  const format = formatNames[info.detail['format'] ?? ''];
  return `${info.label} ${sequence}${format === undefined ? '' : ` (${format})`}`;
}

/** The data of a task that stay the same while it is listed. */
export interface ListedTask {
  readonly id: string;
  readonly name: string;
  readonly group: string;
  /** Milliseconds since 1970. */
  readonly started: number;
  readonly caller: Caller | undefined;
}

/** What a task is doing at the moment. */
export interface TaskActivity {
  readonly thread: string | null;
  readonly message: string;
  readonly progress: number;
  /** 0 if unknown. */
  readonly total: number;
  readonly unit: TaskUnit | null;
  /** When counting began, in milliseconds since 1970. */
  readonly since: number;
  /** Milliseconds since 1970. */
  readonly updated: number;
  readonly detail: Readonly<Record<string, string>>;
}

/** `now`: milliseconds since 1970. */
export function taskMap(task: ListedTask, activity: TaskActivity, now: number): TaskMap {
  const { caller, started } = task;
  const { thread, progress, total, since } = activity;
  return {
    id: task.id,
    name: task.name,
    group: task.group,
    state: thread === null ? 'queued' : 'running',
    thread,
    message: activity.message,
    progress,
    totalSteps: total,
    unit: activity.unit,
    started,
    lastUpdate: Math.max(started, activity.updated),
    elapsed: Math.max(0, now - started),
    eta: expectedEnd(since, now, progress, total),
    request: caller?.requestLine || null,
    client: caller?.remoteAddress || null,
    user: caller?.user ?? null,
    detailMessages: activity.detail,
  };
}

/** Returns when the counter will reach its total at the rate that it has had since `since`. */
function expectedEnd(since: number, now: number, progress: number, total: number): number | null {
  if (progress <= 0 || total <= 0) return null;
  return Math.round(since + ((now - since) * total) / progress);
}
