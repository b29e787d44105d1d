import type { Run } from '../runs/run.ts';
import type { Submission } from '../runs/submission.ts';
import type { JobQueueName } from '../scheduling/job-queue.ts';
import { epochMs } from '../threads/monotonic-clock.ts';
import { NOT_BEGUN, type TaskBoard } from './board.ts';
import { type TaskMap, taskMap } from './map.ts';

const activities: Readonly<Record<JobQueueName, string>> = {
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
