import type { TermBytes } from './path-graph.ts';
import type { QuadCursor } from './quad-cursor.ts';
import type { TermId } from './term-id.ts';

const ROW_WORDS = 4;

/** A cursor over quads in rows of four ids. */
export class RowQuads implements QuadCursor {
  readonly terms: TermBytes;
  readonly #rows: Uint32Array;
  #at = -ROW_WORDS;

  constructor(terms: TermBytes, rows: Uint32Array) {
    this.terms = terms;
    this.#rows = rows;
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
    return this.#rows[this.#at + 3]!;
  }

  next(): boolean {
    this.#at += ROW_WORDS;
    return this.#at < this.#rows.length;
  }
}
