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
  // What is loaded are all graphs, and a client may not learn how many triples hidden ones have.
  const isCounted = step === 'filling' && !submission.isRestricted;
  const began = epochMs(since || thread.batch!.started);
  return taskMap(
    submission,
    {
      thread: thread.name,
      message: step,
      progress: isCounted ? progress : 0,
      total: 0,
      unit: isCounted ? 'triples' : null,
      since: began,
      updated: began,
      detail: info.detail,
    },
    now,
  );
}
