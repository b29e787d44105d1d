import type { ErrorData } from '../errors.ts';
import type { JobQueue } from './job-queue.ts';
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
   * full, only those are refused who have their share of the places already, so nobody is refused
   * because of what others hand in. That admits more jobs than there are places: by less than ten times, with
   * thousands of clients.
   */
  overload(queues: readonly JobQueue[], applicant: Applicant, threads: number): ErrorData | null {
    const [queue] = queues as readonly [JobQueue];
    if (sum(queues, ({ length }) => length) < queue.depth || hasLess(queues, applicant)) return null;
    queue.refused++;
    const retryAfter = queue.retryAfter(threads);
    const message = `Too many jobs wait for a thread; try again in ${retryAfter} s.`;
    return { code: 'overloaded', message, details: { retryAfter } };
  }
}

/** Whether the client would have no more than its share with one job more. */
function hasLess(queues: readonly JobQueue[], { client }: Applicant): boolean {
  const own = sum(queues, (queue) => queue.lengthOf(client));
  const clients = sum(queues, (queue) => queue.clients) + (own === 0 ? 1 : 0);
  return (own + 1) * clients <= queues[0]!.depth;
}

function sum(queues: readonly JobQueue[], numberOf: (queue: JobQueue) => number): number {
  let total = 0;
  for (const queue of queues) total += numberOf(queue);
  return total;
}
