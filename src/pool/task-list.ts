import type { Run } from './run.ts';
import type { QueueName } from './settings.ts';
import type { Submission } from './submission.ts';
import type { TaskBoard } from './task-board.ts';
import { expectedEnd, type TaskMap, taskName } from './task-map.ts';

const activities: Readonly<Record<QueueName, string>> = {
  ldpath: 'evaluating',
  parse: 'parsing',
  serialize: 'writing',
  maintenance: 'maintaining',
};

/**
 * A waiting job; also one that waits behind others of its batch. `now` is in milliseconds since 1970, `clock` the
 * same moment by `monotonicMs`. Spelt out, as the next, since copying objects into objects takes ten times as long.
 */
export function queuedTask(submission: Submission, now: number, clock: number): TaskMap {
  const submitted = Math.round(now - (clock - submission.submitted));
  const { info } = submission;
  return {
    id: submission.id,
    name: taskName(info, submission.sequence),
    group: info.group,
    state: 'queued',
    thread: null,
    message: 'waiting for a thread',
    progress: 0,
    totalSteps: 0,
    started: submitted,
    lastUpdate: submitted,
    eta: null,
    detailMessages: info.detail,
  };
}

/**
 * What the run's thread does now, as the board shows it; undefined when it is between two jobs, or at work on a part
 * of a task that is listed by itself.
 */
export function runningTask(run: Run, board: TaskBoard, now: number, clock: number): TaskMap | undefined {
  const slot = run.seat.index;
  const submission = run.member(Math.max(0, board.current(slot)));
  if (!submission || submission.isPart) return undefined;
  const { info } = submission;
  const progress = board.progress(slot);
  const totalSteps = board.total(slot);
  const age = run.size > 1 ? board.stepAge(slot) : clock - run.started;
  const started = Math.round(now - age);
  return {
    id: submission.id,
    name: taskName(info, submission.sequence),
    group: info.group,
    state: 'running',
    thread: run.seat.name,
    message: submission.cancelled > 0 ? 'stopping' : activities[run.queue.name],
    progress,
    totalSteps,
    started,
    lastUpdate: Math.round(now - board.updateAge(slot)),
    eta: expectedEnd(started, now, progress, totalSteps),
    detailMessages: info.detail,
  };
}
