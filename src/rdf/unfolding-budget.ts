import { RdfError } from './errors.ts';

/** What a document may unfold to, repetitions included, as a multiple of its size, and the least that is granted. */
const MAX_RATIO = 64;
const MIN_UNITS = 64 * 1024 * 1024;
/** The same for a document that is to be read only if that is quick: some ten milliseconds. */
const BRIEF_UNITS = 256 * 1024;

/** The document was to be read only if that is quick, and it is not. */
export class LengthyDocumentError extends RdfError {
  constructor() {
    super('too-large', 'The document takes too long for a brief job', { source: 'body' });
  }
}

/**
 * Bounds the work that a document causes by abbreviations: with a prefix of a megabyte, each name of three
 * characters costs a megabyte to read, however often it occurs. One unit is one character of an IRI to be processed.
 */
export class UnfoldingBudget {
  readonly #brief: boolean;
  #left: number;

  /**
   * `brief`: `LengthyDocumentError` is thrown after a few milliseconds of work. `least`: units that
   * are granted otherwise.
   */
  constructor(documentBytes: number, brief = false, least = MIN_UNITS) {
    this.#brief = brief;
    this.#left = brief ? BRIEF_UNITS : Math.max(least, MAX_RATIO * documentBytes);
  }

  /** Throws `too-large` when the budget is exhausted. */
  spend(characters: number): void {
    if (!this.covers(characters))
      throw new RdfError('too-large', 'The document expands to too much', { source: 'body' });
  }

  /** Spends, and returns whether the budget still covers it. */
  covers(characters: number): boolean {
    this.#left -= characters;
    if (this.#brief && this.#left < 0) throw new LengthyDocumentError();
    return this.#left >= 0;
  }
}
