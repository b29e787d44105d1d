import type { ErrorData } from '../../errors.ts';
import { monotonicMs } from '../../pool/threads/monotonic-clock.ts';

/** The failure may be due to the image or to chance, so another thread is tried at once. */
const TRIES = 2;
/** Milliseconds until the next try after that. */
const REST_MS = 30_000;

/**
 * Counts consecutive threads that hung, died or gave up before they began a job. Starting one
 * occupies a processor for a while and may well fail again, so there are pauses between attempts.
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

  /** Called after a thread has finished a job. */
  forget(): void {
    this.#count = 0;
    this.#until = 0;
  }

  /** Returns why no thread may be started now; null if one may. */
  get rejection(): ErrorData | null {
    const left = this.#until - this.#now();
    if (left <= 0) return null;
    const retryAfter = Math.ceil(left / 1000);
    const message = `SPARQL threads failed ${this.#count} times in a row: ${this.#why} The next one is started in ${retryAfter} s.`;
    return { code: 'sparql-unavailable', message, details: { retryAfter } };
  }
}
