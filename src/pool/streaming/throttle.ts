import type { Result } from '../../errors.ts';
import { monotonicMs } from '../threads/monotonic-clock.ts';

/** For this long after an evaluation, in milliseconds, another one is expected. */
const EXPECTED_MS = 50;
/**
 * The rate for all documents together meanwhile, in bytes per millisecond: a tenth of the main
 * thread's time, or less.
 */
const BYTES_A_MS = 256 * 1024;
/** Resolution of timers, in milliseconds. */
const LEAST_WAIT_MS = 1;

/**
 * Limits the rate at which documents are streamed while evaluations come in. At full speed they use
 * up the main thread and, through their clients, the rest of the machine.
 */
export class Throttle {
  readonly #now: () => number;
  #lastEvaluation = Number.NEGATIVE_INFINITY;
  /** When the documents streamed so far would have ended at that rate. */
  #due = Number.NEGATIVE_INFINITY;

  /** `now`: milliseconds of any clock. */
  constructor(now: () => number = monotonicMs) {
    this.#now = now;
  }

  /** Call it when an evaluation has come in. */
  note(moment: number): void {
    this.#lastEvaluation = moment;
  }

  /** Whether more evaluations are expected now. */
  get expectsEvaluations(): boolean {
    return this.#now() - this.#lastEvaluation <= EXPECTED_MS;
  }

  /** Returns the document with its rate limited. */
  apply(document: Result<Uint8Array | AsyncIterable<Uint8Array>>): typeof document {
    if (!document.ok || document.value instanceof Uint8Array) return document;
    return { ok: true, value: this.#throttled(document.value[Symbol.asyncIterator]()) };
  }

  #throttled(chunks: AsyncIterator<Uint8Array>): AsyncIterable<Uint8Array> {
    const next = async () => {
      await this.#turn();
      const chunk = await chunks.next();
      if (!chunk.done) this.#due = Math.max(this.#due, this.#now()) + chunk.value.length / BYTES_A_MS;
      return chunk;
    };
    const leave = () => chunks.return!();
    return { [Symbol.asyncIterator]: () => ({ next, return: leave }) };
  }

  async #turn(): Promise<void> {
    for (;;) {
      const wait = this.#due - this.#now();
      if (wait < LEAST_WAIT_MS || !this.expectsEvaluations) return;
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
}
