import { ConditionVariable } from '../../base/condition-variable.ts';
import type { ErrorData } from '../../errors.ts';
import type { StartPosition } from './start-position.ts';

/** Results for some of the start resources, ready to be written out. */
export interface BatchPart {
  /** Lines of JSON, as in `BatchLines`. */
  readonly bytes: Uint8Array;
  readonly errors: readonly BatchError[];
  /** Number of start resources that it covers. */
  readonly count: number;
  /** How many of them have neither a line nor an error: their program's `@filter` is false. */
  readonly omitted: number;
  /** The position after them; null for those of a list. */
  readonly after: StartPosition | null;
  /** Call it when the bytes are no longer needed: their memory is reused. */
  readonly release: () => void;
}

export interface BatchError {
  /** Offset in `bytes` at which its line belongs. */
  readonly at: number;
  readonly uri: string;
  readonly error: ErrorData;
}

/**
 * Returns the part with results in place of some of its errors. Each is a line, or another error.
 * The returned part replaces the given one.
 */
export function withResults(part: BatchPart, results: ReadonlyMap<BatchError, BatchPart>): BatchPart {
  const pieces: Uint8Array[] = [];
  const errors: BatchError[] = [];
  let length = 0;
  let from = 0;
  const append = (bytes: Uint8Array) => {
    pieces.push(bytes);
    length += bytes.length;
  };
  for (const problem of part.errors) {
    append(part.bytes.subarray(from, problem.at));
    from = problem.at;
    const result = results.get(problem);
    if (result) append(result.bytes);
    for (const { uri, error } of result?.errors ?? [problem]) errors.push({ at: length, uri, error });
  }
  append(part.bytes.subarray(from));
  return { ...part, bytes: Buffer.concat(pieces), errors };
}

/** Returns the part of a set without its members that no longer exist. */
export function withoutMissing(part: BatchPart): BatchPart {
  const errors = part.errors.filter(({ error }) => error.code !== 'resource-not-found');
  return { ...part, errors, count: part.count - (part.errors.length - errors.length) };
}

interface Offer {
  readonly range: number;
  readonly part: BatchPart;
  readonly taken: () => void;
}

/**
 * Passes parts from several producers to one consumer. Each producer waits until its part is taken.
 */
export class BatchParts {
  readonly #ordered: boolean;
  readonly #offers: Offer[] = [];
  /** With `ordered`: the range whose parts are due. */
  #due = 0;
  #ended = false;
  readonly #change = new ConditionVariable();

  /** `ordered`: parts are delivered in the order of their ranges. */
  constructor(ordered: boolean) {
    this.#ordered = ordered;
  }

  /** Whether the consumer is waiting for a part. */
  get awaited(): boolean {
    return this.#change.awaited;
  }

  /** Whether parts of the range can be taken next. */
  isDue(range: number): boolean {
    return !this.#ordered || range === this.#due;
  }

  /** Resolves when the part is taken, or when no more parts are taken. */
  offer(range: number, part: BatchPart): Promise<void> {
    if (this.#ended) {
      part.release();
      return Promise.resolve();
    }
    return new Promise((taken) => {
      this.#offers.push({ range, part, taken });
      this.#change.notify();
    });
  }

  /** Call it when all parts of the range have been offered. */
  finish(range: number): void {
    if (range === this.#due) this.#due++;
    this.#change.notify();
  }

  /** Ends the delivery and discards the parts that were not taken. */
  end(): void {
    this.#ended = true;
    for (const { part, taken } of this.#offers.splice(0)) {
      part.release();
      taken();
    }
    this.#change.notify();
  }

  /** Resolves with the next part when there is one, or with undefined after the end. */
  async take(): Promise<BatchPart | undefined> {
    for (;;) {
      const at = this.#offers.findIndex(({ range }) => this.isDue(range));
      const [offer] = at < 0 ? [] : this.#offers.splice(at, 1);
      if (offer) {
        offer.taken();
        return offer.part;
      }
      if (this.#ended) return undefined;
      await this.#change.wait();
    }
  }
}
