import { randomBytes } from 'node:crypto';
import type { TermId } from '../graph/term-id.ts';
import { mix } from './hash.ts';

const FIRST_ROWS = 16;

/** Odd and secret, so that nobody can choose quads that fall into one place. */
const factors = new Int32Array(new Uint8Array(randomBytes(16)).buffer).map((word) => word | 1);
const [SUBJECT_FACTOR, PREDICATE_FACTOR, OBJECT_FACTOR, GRAPH_FACTOR] = factors as unknown as [
  number,
  number,
  number,
  number,
];

/** Those of every set that is empty, as most stay. Nothing is written into them. */
const noRows = new Uint32Array(0);
const noTable = new Uint32Array(1);

/** A set of quads of term ids that keeps the order in which they came. Open addressing over row numbers. */
export class QuadSet {
  #rows = noRows;
  #table = noTable;
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** The quads as rows of four ids. */
  rows(): Uint32Array {
    return this.#rows.slice(0, 4 * this.#size);
  }

  has(s: TermId, p: TermId, o: TermId, g: TermId): boolean {
    return this.#table[this.#slot(s, p, o, g)] !== 0;
  }

  /** The number of the quad's row; -1 when it is not there. */
  row(s: TermId, p: TermId, o: TermId, g: TermId): number {
    return this.#table[this.#slot(s, p, o, g)]! - 1;
  }

  /** The number of the quad's row, whether it was there or not. */
  add(s: TermId, p: TermId, o: TermId, g: TermId): number {
    if (this.#table === noTable) this.#table = new Uint32Array(2 * FIRST_ROWS);
    const slot = this.#slot(s, p, o, g);
    if (this.#table[slot] !== 0) return this.#table[slot]! - 1;
    const at = 4 * this.#size;
    if (at === this.#rows.length) this.#growRows();
    this.#rows[at] = s;
    this.#rows[at + 1] = p;
    this.#rows[at + 2] = o;
    this.#rows[at + 3] = g;
    this.#table[slot] = ++this.#size;
    if (2 * this.#size > this.#table.length) this.#growTable();
    return this.#size - 1;
  }

  /** Where the quad is, or the free slot where it belongs. */
  #slot(s: TermId, p: TermId, o: TermId, g: TermId): number {
    const table = this.#table;
    const rows = this.#rows;
    const mask = table.length - 1;
    for (let slot = hashQuad(s, p, o, g) & mask; ; slot = (slot + 1) & mask) {
      const row = table[slot]!;
      if (row === 0) return slot;
      const at = 4 * (row - 1);
      if (rows[at] === s && rows[at + 2] === o && rows[at + 1] === p && rows[at + 3] === g) return slot;
    }
  }

  #growRows(): void {
    const grown = new Uint32Array(Math.max(4 * FIRST_ROWS, 2 * this.#rows.length));
    grown.set(this.#rows);
    this.#rows = grown;
  }

  #growTable(): void {
    const rows = this.#rows;
    this.#table = new Uint32Array(4 * this.#table.length);
    const mask = this.#table.length - 1;
    for (let row = 0; row < this.#size; row++) {
      const at = 4 * row;
      let slot = hashQuad(rows[at]!, rows[at + 1]!, rows[at + 2]!, rows[at + 3]!) & mask;
      while (this.#table[slot] !== 0) slot = (slot + 1) & mask;
      this.#table[slot] = row + 1;
    }
  }
}

function hashQuad(s: TermId, p: TermId, o: TermId, g: TermId): number {
  return mix(
    Math.imul(s, SUBJECT_FACTOR) +
      Math.imul(p, PREDICATE_FACTOR) +
      Math.imul(o, OBJECT_FACTOR) +
      Math.imul(g, GRAPH_FACTOR),
  );
}
