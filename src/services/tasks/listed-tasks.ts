import type { Pool } from '../../pool/pool.ts';
import type { BegunTasks } from '../../pool/tasks/begun-tasks.ts';
import type { LiveTask } from '../../pool/tasks/live-task.ts';
import type { TaskMap } from '../../pool/tasks/map.ts';

/** Tasks outside the pool. */
export interface TaskSource {
  /** Missing if all of them have begun as jobs of the pool. */
  readonly begun?: BegunTasks;
  liveTasks(): Iterable<LiveTask>;
  /** Returns undefined if there is no such task, and false if it is too late. */
  cancel(group: string, name: string): boolean | undefined;
}

type PoolTasks = Pick<Pool, 'tasks' | 'liveTasks' | 'begun' | 'tasksOfThreads' | 'endedTask' | 'cancelTask'>;

/** The outcome of a request to cancel a task. */
export type Cancellation = 'cancelled' | 'not-found' | 'not-possible';

/** The group of maintenance, whose tasks belong to the server (http-api 6.4). */
const OWN_GROUP = 'default';

/**
 * The live tasks of the server (http-api section 6). Requests are answered from memory, without a
 * worker.
 */
export class TaskService {
  readonly #pool: PoolTasks;
  readonly #others: readonly TaskSource[];

  constructor(pool: PoolTasks, ...others: readonly TaskSource[]) {
    this.#pool = pool;
    this.#others = others;
  }

  /** Yields all tasks, running or waiting. */
  *live(): Iterable<LiveTask> {
    yield* this.#pool.liveTasks(true);
    for (const source of this.#others) yield* source.liveTasks();
  }

  /** How many tasks of each group have begun since the start. */
  *begun(): Iterable<readonly [group: string, count: number]> {
    for (const { begun } of [this.#pool, ...this.#others]) if (begun) yield* begun;
  }

  /** Returns tasks by group, of one group or all. Idle and unknown groups are left out. */
  byGroup(group: string | undefined, queued: boolean): Record<string, TaskMap[]> {
    const tasks = this.#tasks(queued);
    return groupedBy(group === undefined ? tasks : tasks.filter((task) => task.group === group), 'group');
  }

  /** Returns running tasks by the name of their thread. */
  byThread(): Record<string, TaskMap[]> {
    return groupedBy([...this.#pool.tasksOfThreads(), ...this.#elsewhere(false)], 'thread');
  }

  /** Returns a task that is running or waiting, or a batch that has ended not long ago. */
  find(group: string, name: string): TaskMap | undefined {
    return this.#findLive(group, name) ?? this.#pool.endedTask(group, name);
  }

  /**
   * Cancels a task. Maintenance can't be cancelled, nor can a write that is already going to the
   * journal: it is about to be acknowledged.
   */
  cancel(group: string, name: string): Cancellation {
    if (!this.#findLive(group, name)) return 'not-found';
    if (group === OWN_GROUP) return 'not-possible';
    return this.#pool.cancelTask(group, name) || this.#cancelElsewhere(group, name)
      ? 'cancelled'
      : 'not-possible';
  }

  #findLive(group: string, name: string): TaskMap | undefined {
    return this.#tasks(true).find((task) => task.group === group && task.name === name);
  }

  #cancelElsewhere(group: string, name: string): boolean {
    return this.#others.some((source) => source.cancel(group, name));
  }

  #tasks(queued: boolean): TaskMap[] {
    return [...this.#pool.tasks(queued), ...this.#elsewhere(queued)];
  }

  #elsewhere(queued: boolean): TaskMap[] {
    const tasks = this.#others.flatMap((source) => [...source.liveTasks()]);
    return tasks.filter(({ isRunning }) => queued || isRunning).map((task) => task.show());
  }
}

function groupedBy(tasks: readonly TaskMap[], field: 'group' | 'thread'): Record<string, TaskMap[]> {
  const groups: Record<string, TaskMap[]> = Object.create(null);
  for (const task of tasks) {
    const key = task[field];
    if (key === null) continue;
    const group = groups[key];
    if (group) group.push(task);
    else groups[key] = [task];
  }
  return groups;
}
