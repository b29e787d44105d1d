import { queuedTask } from '../../pool/tasks/listing.ts';
import { type TaskMap, taskMap } from '../../pool/tasks/map.ts';
import { epochMs, monotonicMs } from '../../pool/threads/monotonic-clock.ts';
import type { SparqlSubmission } from './query-submission.ts';

/** Whether its thread is evaluating it, and not another one of its batch. */
export function isRunning(submission: SparqlSubmission): boolean {
  const { batch, status } = submission.thread ?? {};
  return status !== undefined && batch?.submissions[Math.max(0, status.job)] === submission;
}

/**
 * Returns the entry of a query or update in `/tasks`. It is queued as long as other queries of its
 * batch run.
 */
export function taskOf(submission: SparqlSubmission): TaskMap {
  const now = epochMs(monotonicMs());
  const { thread, info } = submission;
  const status = thread?.status;
  if (!thread || !status || !isRunning(submission))
    return { ...queuedTask(submission, now), message: 'queued' };
  const { step, progress, since } = status;
  const began = epochMs(since || thread.batch!.started);
  return taskMap(
    submission,
    {
      thread: thread.name,
      message: step,
      progress: step === 'filling' ? progress : 0,
      total: 0,
      unit: step === 'filling' ? 'triples' : null,
      since: began,
      updated: began,
      detail: info.detail,
    },
    now,
  );
}
