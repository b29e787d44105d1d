import type { TaskMap } from '../../pool/tasks/map.ts';
import type { Cancellation, TaskService } from './listed-tasks.ts';

type Tasks = Pick<TaskService, 'byGroup' | 'byThread' | 'find' | 'cancel'>;

/**
 * The tasks of one process of a cluster (http-api T-30): with its name, so that ids, names and
 * threads differ from those of the other processes.
 */
export class ProcessTasks implements Tasks {
  readonly #tasks: Tasks;
  readonly #process: string;

  constructor(tasks: Tasks, process: string) {
    this.#tasks = tasks;
    this.#process = process;
  }

  byGroup(group: string | undefined, queued: boolean): Record<string, TaskMap[]> {
    return mapped(this.#tasks.byGroup(group, queued), (name) => name, this.#named);
  }

  byThread(): Record<string, TaskMap[]> {
    return mapped(this.#tasks.byThread(), (thread) => this.#ofThread(thread), this.#named);
  }

  find(group: string, name: string): TaskMap | undefined {
    const found = this.#isOwn(name) && this.#tasks.find(group, this.#plain(name));
    return found ? this.#named(found) : undefined;
  }

  cancel(group: string, name: string): Cancellation {
    return this.#isOwn(name) ? this.#tasks.cancel(group, this.#plain(name)) : 'not-found';
  }

  #isOwn(name: string): boolean {
    return processOf(name) === this.#process;
  }

  #plain(name: string): string {
    return name.slice(0, name.lastIndexOf(SEPARATOR));
  }

  #ofThread(thread: string): string {
    return `${this.#process}/${thread}`;
  }

  readonly #named = (task: TaskMap): TaskMap => ({
    ...task,
    id: `${this.#process}.${task.id}`,
    name: nameAt(task.name, this.#process),
    thread: task.thread === null ? null : this.#ofThread(task.thread),
  });
}

const SEPARATOR = '@';

/** Returns the name that a task of a process has in its cluster. */
export function nameAt(name: string, process: string): string {
  return name + SEPARATOR + process;
}

/** Returns the process that a task's name ends with. */
export function processOf(name: string): string {
  return name.slice(name.lastIndexOf(SEPARATOR) + 1);
}

function mapped(
  lists: Readonly<Record<string, readonly TaskMap[]>>,
  key: (key: string) => string,
  named: (task: TaskMap) => TaskMap,
): Record<string, TaskMap[]> {
  return Object.fromEntries(Object.entries(lists).map(([name, tasks]) => [key(name), tasks.map(named)]));
}
