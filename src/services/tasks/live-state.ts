import type { LiveTask } from '../../pool/tasks/live-task.ts';
import type { TaskMap } from '../../pool/tasks/map.ts';
import { epochMs, monotonicMs } from '../../pool/threads/monotonic-clock.ts';
import type { ThreadReading } from '../../pool/threads/work-meter.ts';
import type { TaskService } from './listed-tasks.ts';
import type { ProcessNames } from './process-tasks.ts';

/** How many tasks of a group there are now, and how many there have been since the start. */
export interface GroupState {
  readonly begun: number;
  readonly ended: number;
  readonly running: number;
  readonly queued: number;
}

/** A task of a state, and where to ask how it ended. */
export interface StateTask {
  readonly task: TaskMap;
  readonly live: LiveTask;
}

/** The live tasks and the threads of the process at one moment. */
export interface TaskState {
  /** Milliseconds since 1970. */
  readonly time: number;
  /** By id. */
  readonly tasks: ReadonlyMap<string, StateTask>;
  /** The number of tasks that would be among `tasks` if there were fewer. */
  readonly unlisted: number;
  readonly groups: ReadonlyMap<string, GroupState>;
  /** All threads, always in the same order. */
  readonly threads: readonly ThreadReading[];
}

export interface StateSources {
  readonly tasks: Pick<TaskService, 'live' | 'begun'>;
  readonly readThreads: () => readonly ThreadReading[];
  /** In a cluster. */
  readonly names?: ProcessNames | undefined;
}

/**
 * A task that is younger is not listed. A hundred thousand evaluations in a second, each of a few
 * milliseconds, are of no use to people, and would take a client all its time.
 */
const LEAST_AGE_MS = 100;
const MOST_LISTED = 500;

/** Returns the state of now. `previous`: an earlier one, so that no number of ended tasks falls. */
export function readState({ tasks, readThreads, names }: StateSources, previous?: TaskState): TaskState {
  const time = epochMs(monotonicMs());
  const groups = new Map<string, Counts>();
  const running: LiveTask[] = [];
  const queued: LiveTask[] = [];
  let old = 0;
  for (const task of tasks.live()) {
    countsOf(groups, task.group)[task.isRunning ? 'running' : 'queued']++;
    if (time - task.started < LEAST_AGE_MS) continue;
    old++;
    const list = task.isRunning ? running : queued;
    if (list.length < MOST_LISTED) list.push(task);
  }
  for (const [group, count] of tasks.begun()) countsOf(groups, group).begun += count;
  for (const [group, counts] of groups) {
    // A task may pass from one thread to another in this moment, and be in no list.
    const least = previous?.groups.get(group)?.ended ?? 0;
    counts.ended = Math.max(least, counts.begun - counts.running - counts.queued);
  }
  const listed = [...running, ...queued].slice(0, MOST_LISTED).map((live): [string, StateTask] => {
    const task = names ? names.task(live.show()) : live.show();
    return [task.id, { task, live }];
  });
  const threads = names ? readThreads().map((reading) => named(reading, names)) : readThreads();
  return { time, tasks: new Map(listed), unlisted: old - listed.length, groups, threads };
}

type Counts = { -readonly [Name in keyof GroupState]: GroupState[Name] };

function countsOf(groups: Map<string, Counts>, group: string): Counts {
  const known = groups.get(group);
  if (known) return known;
  const counts = { begun: 0, ended: 0, running: 0, queued: 0 };
  groups.set(group, counts);
  return counts;
}

function named(reading: ThreadReading, names: ProcessNames): ThreadReading {
  const task = reading.task && names.identity(reading.task);
  return { ...reading, thread: names.thread(reading.thread), task };
}
