import { RdfError } from './errors.ts';

/** What a document may unfold to, repetitions included, as a multiple of its size, and the least that is granted. */
const MAX_RATIO = 64;
const MIN_BYTES = 64 * 1024 * 1024;

/**
 * Bounds the work that a document causes by abbreviations: with a prefix of a megabyte, each name of three
 * characters costs a megabyte to read, however often it occurs. One unit is one character of an IRI to be processed.
 */
export class UnfoldingBudget {
  #left: number;

  constructor(documentBytes: number) {
    this.#left = Math.max(MIN_BYTES, MAX_RATIO * documentBytes);
  }

  /** Throws `too-large` when the budget is exhausted. */
  spend(characters: number): void {
    if (!this.covers(characters))
      throw new RdfError('too-large', 'The document unfolds to too much', { source: 'body' });
  }

  /** Spends, and returns whether the budget still covers it. */
  covers(characters: number): boolean {
    this.#left -= characters;
    return this.#left >= 0;
  }
}
