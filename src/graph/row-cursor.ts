import type { TermBytes } from './path-graph.ts';
import type { QuadCursor } from './quad-cursor.ts';
import { NO_TERM, type TermId } from './term-id.ts';

/** Goes through triples or quads that are given as rows of ids. */
export class RowCursor implements QuadCursor {
  readonly terms: TermBytes;
  readonly #rows: Uint32Array;
  /** Ids in a row. */
  readonly #width: 3 | 4;
  #at: number;

  constructor(terms: TermBytes, rows: Uint32Array, width: 3 | 4) {
    this.terms = terms;
    this.#rows = rows;
    this.#width = width;
    this.#at = -width;
  }

  get subject(): TermId {
    return this.#rows[this.#at]!;
  }

  get predicate(): TermId {
    return this.#rows[this.#at + 1]!;
  }

  get object(): TermId {
    return this.#rows[this.#at + 2]!;
  }

  get graph(): TermId {
    return this.#width === 4 ? this.#rows[this.#at + 3]! : NO_TERM;
  }

  next(): boolean {
    this.#at += this.#width;
    return this.#at < this.#rows.length;
  }
}
