import type { ErrorData } from '../errors.ts';
import type { JobQueue } from './job-queue.ts';
import { hasShareLeft } from './places.ts';
import { Quarantine } from './quarantine.ts';
import type { Submission } from './submission.ts';

type Applicant = Pick<Submission, 'client'>;

/** Says which jobs are refused before they wait. */
export class Admission {
  readonly #quarantine = new Quarantine();
  /** What every job is refused with; null while they are not. */
  closed: ErrorData | null = null;

  /** Why the program is refused; null when it is not. */
  refusal(program: string | null): ErrorData | null {
    return program === null ? null : this.#quarantine.refusal(program);
  }

  /** The program ended a thread. Why it is refused from now on, if it is. */
  blame(program: string): ErrorData | null {
    this.#quarantine.record(program);
    return this.#quarantine.refusal(program);
  }

  /**
   * Why there is no room for the job of a client; null when there is. `queues` have the depth of the first together. When they are
   * full, those are refused who have their share of the places.
   */
  overload(queues: readonly JobQueue[], applicant: Applicant, threads: number): ErrorData | null {
    const [queue] = queues as readonly [JobQueue];
    // To find out who the client is takes a while, and mostly there is room.
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
    queue.refused++;
    const retryAfter = queue.retryAfter(threads);
    const message = `Too many jobs wait for a thread; try again in ${retryAfter} s.`;
    return { code: 'overloaded', message, details: { retryAfter } };
  }
}

function sum(queues: readonly JobQueue[], numberOf: (queue: JobQueue) => number): number {
  let total = 0;
  for (const queue of queues) total += numberOf(queue);
  return total;
}
