import type { JobQueue } from './job-queue.ts';

/**
 * Start-time fair queueing over the pool's queues: a queue's `virtualTime` is the thread time it had, over its
 * weight, and the waiting queue that had the least goes next. One that was idle starts level with the
 * others: it has saved nothing up.
 */
export class FairShare {
  readonly #queues: readonly JobQueue[];
  #virtualTime = 0;

  constructor(queues: readonly JobQueue[]) {
    this.#queues = queues;
  }

  /** Before a job joins an empty queue. */
  wake(queue: JobQueue): void {
    queue.virtualTime = Math.max(queue.virtualTime, this.#virtualTime);
  }

  /** The queue whose turn it is; null when none that may run has a job waiting. */
  next(mayRun: (queue: JobQueue) => boolean): JobQueue | null {
    let best: JobQueue | null = null;
    for (const queue of this.#queues) {
      if (queue.length === 0 || !mayRun(queue)) continue;
      if (best === null || queue.virtualTime < best.virtualTime) best = queue;
    }
    if (best) this.#virtualTime = Math.max(this.#virtualTime, best.virtualTime);
    return best;
  }
}
