import type { Result } from '../errors.ts';
import { monotonicMs } from './monotonic-clock.ts';

/** How long after an evaluation another one is expected, in milliseconds. */
const EXPECTED_MS = 50;
/** What all documents together may have of the main thread meanwhile, in bytes a millisecond: a tenth of it, or less. */
const BYTES_A_MS = 256 * 1024;
/** Timers are no finer than this, in milliseconds. */
const LEAST_WAIT_MS = 1;

/**
 * Documents that are streamed go at a measured pace while evaluations come in: at full speed they take both the main thread and, by
 * their clients, whatever else the machine has.
 */
export class Pace {
  readonly #now: () => number;
  #lastEvaluation = Number.NEGATIVE_INFINITY;
  /** When what was streamed so far would have ended at that pace. */
  #due = Number.NEGATIVE_INFINITY;

  /** `now`: milliseconds of any clock. */
  constructor(now: () => number = monotonicMs) {
    this.#now = now;
  }

  /** An evaluation has come in. */
  note(moment: number): void {
    this.#lastEvaluation = moment;
  }

  /** Whether more evaluations are to be expected now. */
  get expectsEvaluations(): boolean {
    return this.#now() - this.#lastEvaluation <= EXPECTED_MS;
  }

  /** The document as it is to be sent. */
  apply(document: Result<Uint8Array | AsyncIterable<Uint8Array>>): typeof document {
    if (!document.ok || document.value instanceof Uint8Array) return document;
    return { ok: true, value: this.#paced(document.value[Symbol.asyncIterator]()) };
  }

  #paced(chunks: AsyncIterator<Uint8Array>): AsyncIterable<Uint8Array> {
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
