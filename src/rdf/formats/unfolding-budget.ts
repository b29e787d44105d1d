import { RdfError } from './errors.ts';

/**
 * The most that a document may expand to, including repetitions, as a multiple of its size, and the
 * minimum that is granted.
 */
const MAX_RATIO = 64;
const MIN_UNITS = 64 * 1024 * 1024;
/** The same for a document with `brief`: about ten milliseconds of work. */
const BRIEF_UNITS = 256 * 1024;

/** Thrown if a document with `brief` takes too long. */
export class LengthyDocumentError extends RdfError {
  constructor() {
    super('too-large', 'The document takes too long for a brief job', { source: 'body' });
  }
}

/**
 * Limits the work that a document causes by abbreviations: with a prefix of a megabyte, each name
 * of three characters costs a megabyte to read, each time that it occurs. One unit is one character
 * of an IRI to be processed.
 */
export class UnfoldingBudget {
  readonly #brief: boolean;
  #left: number;

  /**
   * `brief`: throw `LengthyDocumentError` after a few milliseconds of work. `least`: the minimum
   * number of units that is granted otherwise.
   */
  constructor(documentBytes: number, brief = false, least = MIN_UNITS) {
    this.#brief = brief;
    this.#left = brief ? BRIEF_UNITS : Math.max(least, MAX_RATIO * documentBytes);
  }

  /** Throws `too-large` if the budget is exhausted. */
  spend(characters: number): void {
    if (!this.covers(characters))
      throw new RdfError('too-large', 'The document expands to too much', { source: 'body' });
  }

  /** Spends units, and returns whether the budget still covers them. */
  covers(characters: number): boolean {
    this.#left -= characters;
    if (this.#brief && this.#left < 0) throw new LengthyDocumentError();
    return this.#left >= 0;
  }
}
