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
  readonly #names: ProcessNames;

  constructor(tasks: Tasks, process: string) {
    this.#tasks = tasks;
    this.#process = process;
    this.#names = new ProcessNames(process);
  }

  byGroup(group: string | undefined, queued: boolean): Record<string, TaskMap[]> {
    return mapped(this.#tasks.byGroup(group, queued), (name) => name, this.#names.task);
  }

  byThread(): Record<string, TaskMap[]> {
    return mapped(this.#tasks.byThread(), (thread) => this.#names.thread(thread), this.#names.task);
  }

  find(group: string, name: string): TaskMap | undefined {
    const found = this.#isOwn(name) && this.#tasks.find(group, this.#plain(name));
    return found ? this.#names.task(found) : undefined;
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
}

/** The names that threads and tasks of a process have in its cluster (http-api T-30). */
export class ProcessNames {
  readonly #process: string;

  constructor(process: string) {
    this.#process = process;
  }

  readonly thread = (thread: string): string => `${this.#process}/${thread}`;

  readonly task = (task: TaskMap): TaskMap => ({
    ...task,
    ...this.identity(task),
    thread: task.thread === null ? null : this.thread(task.thread),
  });

  readonly identity = <T extends Pick<TaskMap, 'id' | 'name'>>(task: T): T => ({
    ...task,
    id: `${this.#process}.${task.id}`,
    name: nameAt(task.name, this.#process),
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
