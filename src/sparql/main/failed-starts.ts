import type { ErrorData } from '../../errors.ts';
import { monotonicMs } from '../../pool/threads/monotonic-clock.ts';

/** A failure may be that of one image, or of chance: so another thread tries at once. */
const TRIES = 2;
/** Milliseconds until it is tried again after that. */
const REST_MS = 30_000;

/**
 * Threads that hung, died or gave up before they began any job, one after another. Each new one
 * costs a processor for a while, and may well end in the same way. So there are pauses in between.
 */
export class FailedStarts {
  #count = 0;
  #why = '';
  #until = 0;
  readonly #now: () => number;

  constructor(now = monotonicMs) {
    this.#now = now;
  }

  record(why: string): void {
    this.#why = why;
    if (++this.#count >= TRIES) this.#until = this.#now() + REST_MS;
  }

  /** A thread has done a job. */
  forget(): void {
    this.#count = 0;
    this.#until = 0;
  }

  /** Why no thread is started now; null when one may be. */
  get refusal(): ErrorData | null {
    const left = this.#until - this.#now();
    if (left <= 0) return null;
    const retryAfter = Math.ceil(left / 1000);
    const message = `SPARQL threads failed ${this.#count} times in a row: ${this.#why} The next one is started in ${retryAfter} s.`;
    return { code: 'sparql-unavailable', message, details: { retryAfter } };
  }
}
