import type { LiveTask, TaskOutcome } from '../../../src/pool/tasks/live-task.ts';
import type { TaskMap } from '../../../src/pool/tasks/map.ts';
import type { ThreadReading } from '../../../src/pool/threads/work-meter.ts';
import type { TaskState } from '../../../src/services/tasks/live-state.ts';

export function fakeTask(id: string, given: Partial<TaskMap> = {}): TaskMap {
  return {
    ...{
      id,
      name: `path ${id}`,
      group: 'LDPath',
      state: 'running',
      thread: 'worker-1',
      message: 'evaluating',
    },
    ...{ progress: 0, totalSteps: 0, unit: 'steps', started: 1, elapsed: 1, lastUpdate: 2, eta: null },
    ...{ request: 'GET /ldpath/path', client: '127.0.0.1', user: 'anna', detailMessages: {} },
    ...given,
  } as TaskMap;
}

export function fakeLive(task: TaskMap, outcome?: TaskOutcome): LiveTask {
  const { group, started, state } = task;
  return { group, started, isRunning: state === 'running', show: () => task, outcome: () => outcome };
}

export function fakeThread(thread: string, given: Partial<ThreadReading> = {}): ThreadReading {
  return { thread, task: null, busyMs: 0, work: {}, jobs: 0, ...given };
}

/** `outcome`: that of all tasks. */
export function fakeState(
  time: number,
  tasks: readonly TaskMap[] = [],
  given: Partial<TaskState> = {},
  outcome?: TaskOutcome,
): TaskState {
  const listed = tasks.map((task) => [task.id, { task, live: fakeLive(task, outcome) }] as const);
  return { time, tasks: new Map(listed), unlisted: 0, groups: new Map(), threads: [], ...given };
}
