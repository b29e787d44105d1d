import type { TermId } from '../../rdf/model/term-id.ts';

/**
 * This many rows are searched linearly: that is faster than a binary search, which often
 * mispredicts the half.
 */
const FEW_ROWS = 8;

/**
 * The quads of a base run by subject or by object: an offset for each term, then for each quad a
 * row of the three other columns.
 */
export class BaseOrder {
  readonly words: Uint32Array;
  /** Where the offsets begin: first that of term 0, last the number of quads. */
  readonly offsets: number;
  /** Where the rows begin. */
  readonly rows: number;
  readonly #terms: number;
  readonly #quads: number;

  constructor(words: Uint32Array, offsets: number, terms: number, quads: number) {
    this.words = words;
    this.offsets = offsets;
    this.rows = offsets + terms + 2;
    this.#terms = terms;
    this.#quads = quads;
  }

  /** Where the rows end. */
  get end(): number {
    return this.rows + 3 * this.#quads;
  }

  /** Returns the first quad of a term, or the end for terms that the run does not contain. */
  first(a: TermId): number {
    return a > this.#terms ? this.#quads : this.words[this.offsets + a]!;
  }

  /** In the range `from .. to` of one term, returns the first quad at or after `(b, c)`. */
  seek(from: number, to: number, b: TermId, c: TermId): number {
    let low = from;
    let high = to;
    while (high - low > FEW_ROWS) {
      const middle = (low + high) >>> 1;
      if (this.#isBefore(middle, b, c)) low = middle + 1;
      else high = middle;
    }
    while (low < high && this.#isBefore(low, b, c)) low++;
    return low;
  }

  #isBefore(quad: number, b: TermId, c: TermId): boolean {
    const at = this.rows + 3 * quad;
    const value = this.words[at]!;
    return value < b || (value === b && this.words[at + 1]! < c);
  }
}
