import type { Batch } from '../batch/batch.ts';
import type { Run } from '../runs/run.ts';
import type { Submission } from '../runs/submission.ts';
import type { Scheduler } from '../scheduling/scheduler.ts';
import { epochMs, monotonicMs } from '../threads/monotonic-clock.ts';
import type { TaskBoard } from './board.ts';
import { currentJob, queuedTask, runningTask } from './listing.ts';
import type { TaskMap } from './map.ts';

/** Lists the pool's jobs for users, and cancels them (http-api 6). */
export class Tasks {
  readonly #scheduler: Scheduler;
  readonly #board: TaskBoard;
  readonly #batches: Iterable<Batch>;

  constructor(scheduler: Scheduler, board: TaskBoard, batches: Iterable<Batch>) {
    this.#scheduler = scheduler;
    this.#board = board;
    this.#batches = batches;
  }

  /** See `Pool.tasks`. */
  list(includeQueued: boolean): TaskMap[] {
    const now = epochMs(monotonicMs());
    const tasks = Array.from(this.#batches, (batch) => batch.task(now));
    for (const [job, run] of this.#running()) {
      if (!job.whole) tasks.push(runningTask(job, run, this.#board, now));
    }
    if (includeQueued) {
      for (const job of this.#waiting()) {
        if (!job.whole) tasks.push(queuedTask(job, now));
      }
    }
    return tasks;
  }

  /** See `Pool.tasksOfThreads`. */
  ofThreads(): TaskMap[] {
    const now = epochMs(monotonicMs());
    const tasks = Array.from(this.#batches, (batch) => batch.task(now));
    for (const [job, run] of this.#running()) {
      const task = job.whole
        ? { ...job.whole.task(now), thread: run.workerSlot.name }
        : runningTask(job, run, this.#board, now);
      tasks.push(task);
    }
    return tasks;
  }

  /** See `Pool.cancelTask`. */
  cancel(group: string, name: string): boolean {
    for (const batch of this.#batches) {
      if (batch.info.group !== group || batch.name !== name) continue;
      batch.cancel();
      return true;
    }
    for (const submission of this.#submissions()) {
      if (submission.whole || submission.group !== group || submission.name !== name) continue;
      this.#scheduler.cancel(submission);
      return true;
    }
    return false;
  }

  *#running(): Generator<[Submission, Run]> {
    for (const run of this.#scheduler.runs()) {
      const job = currentJob(run, this.#board);
      if (job) yield [job, run];
    }
  }

  *#waiting(): Generator<Submission> {
    for (const run of this.#scheduler.runs()) {
      const current = this.#board.current(run.workerSlot.index);
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
