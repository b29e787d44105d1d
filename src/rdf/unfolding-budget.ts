import { RdfError } from './errors.ts';

/** What a document may unfold to, repetitions included, as a multiple of its size, and the least that is granted. */
const MAX_RATIO = 64;
const MIN_BYTES = 64 * 1024 * 1024;

/**
 * Bounds the work that a document makes by abbreviations: with a prefix of a megabyte, each name of three
 * characters costs a megabyte to read, however often it comes.
 */
export class UnfoldingBudget {
  #left: number;

  constructor(documentBytes: number) {
    this.#left = Math.max(MIN_BYTES, MAX_RATIO * documentBytes);
  }

  spend(characters: number): void {
    this.#left -= characters;
    if (this.#left < 0)
      throw new RdfError('too-large', 'The document unfolds to too much', { source: 'body' });
  }
}
