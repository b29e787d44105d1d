import type { Run, WorkerSlot } from '../runs/run.ts';
import type { Submission } from '../runs/submission.ts';
import type { JobQueueName } from '../scheduling/job-queue.ts';
import { epochMs, monotonicMs } from '../threads/monotonic-clock.ts';
import { type ThreadReading, totalOf } from '../threads/work-meter.ts';
import { NOT_BEGUN, type TaskBoard } from './board.ts';
import type { LiveTask } from './live-task.ts';
import { type TaskMap, taskMap } from './map.ts';

/** What running tasks do, by the queue that they come from. */
export const activities: Readonly<Record<JobQueueName, string>> = {
  ldpath: 'evaluating',
  parse: 'parsing',
  serialize: 'writing',
  maintenance: 'maintaining',
  sparql: 'evaluating',
};

/**
 * Returns the entry of a waiting job, including one that waits for others of its micro-batch.
 * `now`: milliseconds since 1970.
 */
export function queuedTask(submission: Submission, now: number): TaskMap {
  const updated = epochMs(submission.requeued || submission.submitted);
  const activity = {
    thread: null,
    message: 'waiting for a thread',
    progress: 0,
    total: 0,
    unit: submission.unit,
    since: updated,
    updated,
    detail: submission.info.detail,
  };
  return taskMap(submission, activity, now);
}

/** Returns the job that the run's thread is working on; null if it is between two jobs. */
export function currentJob(run: Run, board: TaskBoard): Submission | null {
  return run.member(Math.max(0, board.current(run.workerSlot.index)));
}

/** Returns the entry of a running job, as the task board shows it. */
export function runningTask(submission: Submission, run: Run, board: TaskBoard, now: number): TaskMap {
  const slot = run.workerSlot.index;
  const begun = board.current(slot) !== NOT_BEGUN;
  const activity = {
    thread: run.workerSlot.name,
    message: submission.cancelled > 0 ? 'stopping' : activities[run.queue.name],
    progress: board.progress(slot),
    total: board.total(slot),
    unit: submission.unit,
    since: epochMs(begun ? board.stepStarted(slot) : run.started),
    updated: epochMs(Math.max(board.updated(slot), submission.cancelled)),
    detail: submission.info.detail,
  };
  return taskMap(submission, activity, now);
}

/** `show` returns the entry of the job while it waits or runs. */
export function liveTask(job: Submission, isRunning: boolean, show: () => TaskMap): LiveTask {
  const { group, started } = job;
  return { group, started, isRunning, show, outcome: () => job.outcome };
}

/** Returns what the thread of a slot has done, and does now. */
export function readThread({ name, run, meter }: WorkerSlot, board: TaskBoard): ThreadReading {
  const kind = run && activities[run.queue.name];
  const work = meter.times(run && kind ? { kind, milliseconds: monotonicMs() - run.started } : undefined);
  const job = run && currentJob(run, board);
  return { thread: name, task: job && identityOf(job), busyMs: totalOf(work), work, jobs: meter.jobs };
}

function identityOf(job: Submission): ThreadReading['task'] {
  const { id, name, group } = job.whole?.task(epochMs(monotonicMs())) ?? job;
  return { id, name, group };
}
