import type { Pool } from '../pool/pool.ts';
import type { TaskMap } from '../pool/task-map.ts';

/** The live tasks of the server (http-api section 6); answered from memory, without using a thread. */
export class TaskService {
  readonly #pool: Pool;

  constructor(pool: Pool) {
    this.#pool = pool;
  }

  /** Tasks by group, of one group or all; an idle or unknown group is left out. */
  byGroup(group: string | undefined, queued: boolean): Record<string, TaskMap[]> {
    const tasks = this.#pool.tasks(queued);
    return groupedBy(group === undefined ? tasks : tasks.filter((task) => task.group === group), 'group');
  }

  /** Running tasks by the name of their thread. */
  byThread(): Record<string, TaskMap[]> {
    return groupedBy(this.#pool.tasks(false), 'thread');
  }

  find(group: string, name: string): TaskMap | undefined {
    return this.#pool.tasks(true).find((task) => task.group === group && task.name === name);
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
