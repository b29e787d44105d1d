import type { Batch } from '../batch/batch.ts';
import type { Run } from '../runs/run.ts';
import type { Submission } from '../runs/submission.ts';
import type { Scheduler } from '../scheduling/scheduler.ts';
import { epochMs, monotonicMs } from '../threads/monotonic-clock.ts';
import type { TaskBoard } from './board.ts';
import { currentJob, liveTask, queuedTask, runningTask } from './listing.ts';
import type { LiveTask } from './live-task.ts';
import type { TaskMap } from './map.ts';

interface RunAtStep {
  readonly run: Run;
  readonly step: number;
}

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
    return Array.from(this.live(includeQueued), (task) => task.show());
  }

  /** See `Pool.liveTasks`. */
  *live(includeQueued: boolean): Generator<LiveTask> {
    const now = epochMs(monotonicMs());
    for (const batch of this.#batches) yield batch.live(now);
    // Threads go on meanwhile: no job must be both waiting and running, or neither.
    const runs = Array.from(this.#scheduler.runs(), (run) => ({ run, step: this.#step(run) }));
    for (const { run, step } of runs) {
      const job = run.member(step);
      if (job && !job.whole) yield liveTask(job, true, () => runningTask(job, run, this.#board, now));
    }
    if (!includeQueued) return;
    for (const job of this.#waiting(runs)) {
      if (!job.whole) yield liveTask(job, false, () => queuedTask(job, now));
    }
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

  *#waiting(runs: readonly RunAtStep[]): Generator<Submission> {
    for (const { run, step } of runs) {
      for (const member of run.members()) if (member.step > step && !member.settled) yield member;
    }
    for (const queue of this.#scheduler.queues) yield* queue;
  }

  #step({ workerSlot }: Run): number {
    return Math.max(0, this.#board.current(workerSlot.index));
  }

  *#submissions(): Generator<Submission> {
    for (const run of this.#scheduler.runs()) yield* run.members();
    for (const queue of this.#scheduler.queues) yield* queue;
  }
}
