import type { ErrorData } from '../../errors.ts';
import type { Submission } from '../runs/submission.ts';
import type { JobQueue } from './job-queue.ts';
import { hasShareLeft } from './places.ts';
import { Quarantine } from './quarantine.ts';

type Applicant = Pick<Submission, 'client'>;

/** Decides which jobs are rejected before they wait in a queue. */
export class Admission {
  readonly #quarantine = new Quarantine();
  /** The error with which every job is rejected; null while the pool accepts jobs. */
  closed: ErrorData | null = null;

  /** The number of programs that are rejected now. */
  get quarantined(): number {
    return this.#quarantine.size;
  }

  /** Returns why the program is rejected; null if it is not. */
  rejection(programKey: string | null): ErrorData | null {
    return programKey === null ? null : this.#quarantine.rejection(programKey);
  }

  /**
   * Records that the program terminated a thread. Returns why it is rejected from now on, if it is.
   */
  recordCrash(programKey: string): ErrorData | null {
    this.#quarantine.record(programKey);
    return this.#quarantine.rejection(programKey);
  }

  /**
   * Returns why there is no room for the client's job; null if there is room. All `queues` together
   * have the depth of the first one. When they are full, only clients that have used up their share
   * of the places are rejected.
   */
  overload(queues: readonly JobQueue[], applicant: Applicant, threads: number): ErrorData | null {
    const [queue] = queues as readonly [JobQueue];
    // It takes a while to identify the client, and usually there is room.
    if (sum(queues, ({ length }) => length) < queue.depth) return null;
    const own = sum(queues, (each) => each.lengthOf(applicant.client));
    if (
      hasShareLeft(
        own,
        sum(queues, ({ clients }) => clients),
        queue.depth,
      )
    )
      return null;
    queue.rejected++;
    const retryAfter = queue.retryAfter(threads);
    const message = `Too many jobs are waiting for a thread; try again in ${retryAfter} s.`;
    return { code: 'overloaded', message, details: { retryAfter } };
  }
}

function sum(queues: readonly JobQueue[], numberOf: (queue: JobQueue) => number): number {
  let total = 0;
  for (const queue of queues) total += numberOf(queue);
  return total;
}
