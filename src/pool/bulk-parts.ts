import type { ErrorData } from '../errors.ts';
import { Signal } from '../signal.ts';

/** Answers of some starts, fit to be written out. */
export interface BulkPart {
  /** Lines of JSON, as `BulkLines` has them. */
  readonly bytes: Uint8Array;
  readonly errors: readonly BulkError[];
  /** Starts that it answers. */
  readonly count: number;
  /** Nobody reads the bytes any more: their memory is used again. */
  readonly release: () => void;
}

export interface BulkError {
  /** Place in `bytes` where its line belongs. */
  readonly at: number;
  readonly uri: string;
  readonly error: ErrorData;
}

/** The part with answers in the place of some of its errors: each a line, or another error. Takes the place of the part. */
export function withAnswers(part: BulkPart, answers: ReadonlyMap<BulkError, BulkPart>): BulkPart {
  const pieces: Uint8Array[] = [];
  const errors: BulkError[] = [];
  let length = 0;
  let from = 0;
  const append = (bytes: Uint8Array) => {
    pieces.push(bytes);
    length += bytes.length;
  };
  for (const problem of part.errors) {
    append(part.bytes.subarray(from, problem.at));
    from = problem.at;
    const answer = answers.get(problem);
    if (answer) append(answer.bytes);
    for (const { uri, error } of answer?.errors ?? [problem]) errors.push({ at: length, uri, error });
  }
  append(part.bytes.subarray(from));
  return { bytes: Buffer.concat(pieces), errors, count: part.count, release: part.release };
}

interface Offer {
  readonly range: number;
  readonly part: BulkPart;
  readonly taken: () => void;
}

/** Hands parts from those who make them to the one who takes them; each maker waits until its part was taken. */
export class BulkParts {
  readonly #ordered: boolean;
  readonly #offers: Offer[] = [];
  /** With `ordered`: the range whose parts are due. */
  #due = 0;
  #ended = false;
  readonly #change = new Signal();

  /** `ordered`: parts come in the order of their ranges. */
  constructor(ordered: boolean) {
    this.#ordered = ordered;
  }

  /** Whether somebody waits for a part. */
  get awaited(): boolean {
    return this.#change.awaited;
  }

  /** Resolves when the part was taken, or nothing is taken any more. */
  offer(range: number, part: BulkPart): Promise<void> {
    if (this.#ended) {
      part.release();
      return Promise.resolve();
    }
    return new Promise((taken) => {
      this.#offers.push({ range, part, taken });
      this.#change.notify();
    });
  }

  /** All parts of the range were offered. */
  finish(range: number): void {
    if (range === this.#due) this.#due++;
    this.#change.notify();
  }

  /** No more parts: what was not taken is thrown away. */
  end(): void {
    this.#ended = true;
    for (const { part, taken } of this.#offers.splice(0)) {
      part.release();
      taken();
    }
    this.#change.notify();
  }

  /** The next part, when there is one; undefined after the end. */
  async take(): Promise<BulkPart | undefined> {
    for (;;) {
      const at = this.#offers.findIndex(({ range }) => !this.#ordered || range === this.#due);
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
