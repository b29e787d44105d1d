import { createHistogram, type RecordableHistogram } from 'node:perf_hooks';
import type { Run } from '../runs/run.ts';
import type { JobQueue } from './job-queue.ts';

/** A distribution of times, in milliseconds. */
export interface Times {
  readonly count: number;
  readonly mean: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

export interface QueueStatistics {
  /** Number of jobs that wait for a thread now. */
  readonly waiting: number;
  /** Number of threads that its jobs occupy now. */
  readonly running: number;
  /** Number of jobs that were rejected because too many waited. */
  readonly rejected: number;
  /** The time from submission to dispatch, for each job. */
  readonly waitingTimes: Times;
  /** How long each run occupied its thread; a micro-batch of evaluations is one run. */
  readonly runningTimes: Times;
}

/** What a queue has counted since the start, and what waits in it now; for monitoring. */
export type QueueCounts = Pick<JobQueue, 'length' | 'finished' | 'rejected' | 'waits'>;

/** The state of a pool for monitoring. */
export interface PoolCounts {
  readonly queues: Readonly<Record<string, QueueCounts>>;
  readonly threads: {
    readonly idle: number;
    readonly busy: number;
    /** Threads that are being replaced. */
    readonly starting: number;
  };
  /** Number of programs or queries that are rejected now. */
  readonly quarantined: number;
}

/** Returns the statistics of several queues together. */
export function queueStatistics(queues: readonly JobQueue[], runs: readonly Run[]): QueueStatistics {
  return {
    waiting: queues.reduce((sum, queue) => sum + queue.length, 0),
    running: runs.filter((run) => queues.includes(run.queue)).length,
    rejected: queues.reduce((sum, queue) => sum + queue.rejected, 0),
    waitingTimes: times(queues.map((queue) => queue.waitingTimes)),
    runningTimes: times(queues.map((queue) => queue.runningTimes)),
  };
}

function times(histograms: readonly RecordableHistogram[]): Times {
  const all = createHistogram();
  for (const histogram of histograms) if (histogram.count > 0) all.add(histogram);
  if (all.count === 0) return { count: 0, mean: 0, p50: 0, p99: 0, max: 0 };
  return {
    count: all.count,
    mean: all.mean / 1000,
    p50: all.percentile(50) / 1000,
    p99: all.percentile(99) / 1000,
    max: all.max / 1000,
  };
}
