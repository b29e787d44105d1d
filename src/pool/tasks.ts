import type { Bulk } from './bulk.ts';
import { monotonicMs } from './monotonic-clock.ts';
import type { Scheduler } from './scheduler.ts';
import type { Submission } from './submission.ts';
import type { TaskBoard } from './task-board.ts';
import { queuedTask, runningTask } from './task-list.ts';
import type { TaskMap } from './task-map.ts';

/** What people see of the pool's jobs, and how they cancel them (http-api 6). */
export class Tasks {
  readonly #scheduler: Scheduler;
  readonly #board: TaskBoard;
  readonly #bulks: Iterable<Bulk>;

  constructor(scheduler: Scheduler, board: TaskBoard, bulks: Iterable<Bulk>) {
    this.#scheduler = scheduler;
    this.#board = board;
    this.#bulks = bulks;
  }

  /** See `Pool.tasks`. */
  list(includeQueued: boolean): TaskMap[] {
    const now = Date.now();
    const clock = monotonicMs();
    const tasks = Array.from(this.#bulks, (bulk) => bulk.task(now));
    for (const run of this.#scheduler.runs()) {
      const task = runningTask(run, this.#board, now, clock);
      if (task) tasks.push(task);
    }
    if (includeQueued) {
      for (const submission of this.#waiting()) {
        if (!submission.isPart) tasks.push(queuedTask(submission, now, clock));
      }
    }
    return tasks;
  }

  /** See `Pool.cancelTask`. */
  cancel(group: string, name: string): boolean {
    for (const bulk of this.#bulks) {
      if (bulk.info.group !== group || bulk.name !== name) continue;
      bulk.cancel();
      return true;
    }
    for (const submission of this.#submissions()) {
      if (submission.isPart || submission.info.group !== group || submission.name !== name) continue;
      this.#scheduler.cancel(submission);
      return true;
    }
    return false;
  }

  *#waiting(): Generator<Submission> {
    for (const run of this.#scheduler.runs()) {
      const current = this.#board.current(run.seat.index);
      for (const member of run.members()) {
        if (member.step > Math.max(0, current) && !member.settled) yield member;
      }
    }
    for (const queue of this.#scheduler.queues) yield* queue;
  }

  *#submissions(): Generator<Submission> {
    for (const run of this.#scheduler.runs()) yield* run.members();
    for (const queue of this.#scheduler.queues) yield* queue;
  }
}
