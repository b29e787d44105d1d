import type { TaskMap } from '../tasks/map.ts';

/** Number of tasks that are kept. */
const KEPT = 100;

/**
 * The tasks of the batches that ended last: some formats of results have no place for errors, so
 * that clients learn from the task how their batch went (http-api 4.11).
 */
export class EndedBatches {
  readonly #tasks: TaskMap[] = [];

  add(task: TaskMap): void {
    this.#tasks.push(task);
    if (this.#tasks.length > KEPT) this.#tasks.shift();
  }

  find(group: string, name: string): TaskMap | undefined {
    return this.#tasks.find((task) => task.group === group && task.name === name);
  }
}
