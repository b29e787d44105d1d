import { randomBytes } from 'node:crypto';
import type { TermId } from '../../rdf/model/term-id.ts';
import { mix } from '../dictionary/hash.ts';

const FIRST_ROWS = 16;

/** Random odd factors, so that no client can choose quads with colliding hashes. */
const factors = new Int32Array(new Uint8Array(randomBytes(16)).buffer).map((word) => word | 1);
const [SUBJECT_FACTOR, PREDICATE_FACTOR, OBJECT_FACTOR, GRAPH_FACTOR] = factors as unknown as [
  number,
  number,
  number,
  number,
];

/** Shared by all empty sets, and most sets stay empty. Nothing is written into them. */
const noRows = new Uint32Array(0);
const noTable = new Uint32Array(1);

/**
 * Number of quads that are looked up in the table together, so that the waits for memory overlap.
 */
const BATCH = 256;

/** Scratch memory of `#settle`: the hashes of a batch, and the table's entries for them. */
const hashes = new Int32Array(BATCH);
const near = new Uint32Array(BATCH);

/** The quad that is looked up. */
const sought = new Uint32Array(4);

/**
 * A set of quads of term ids that keeps their insertion order. Open addressing over row numbers.
 */
export class QuadSet {
  /** The quads of the set, then new ones that may be duplicates. */
  #rows = noRows;
  #table = noTable;
  #size = 0;
  #unsettled = 0;

  get size(): number {
    this.#settle();
    return this.#size;
  }

  /** Returns the quads as rows of four ids. */
  rows(): Uint32Array {
    return this.rowsFrom(0);
  }

  /** The same without the rows before the given one. */
  rowsFrom(row: number): Uint32Array {
    const end = 4 * this.size;
    return this.#rows.slice(4 * row, end);
  }

  has(s: TermId, p: TermId, o: TermId, g: TermId): boolean {
    return this.row(s, p, o, g) >= 0;
  }

  /** Returns the number of the quad's row; -1 if it is not in the set. */
  row(s: TermId, p: TermId, o: TermId, g: TermId): number {
    this.#settle();
    sought[0] = s;
    sought[1] = p;
    sought[2] = o;
    sought[3] = g;
    return this.#table[this.#slot(hashQuad(s, p, o, g), sought, 0)]! - 1;
  }

  /** Returns the quad of a row. */
  at(row: number): readonly [s: TermId, p: TermId, o: TermId, g: TermId] {
    this.#settle();
    const rows = this.#rows;
    return [rows[4 * row]!, rows[4 * row + 1]!, rows[4 * row + 2]!, rows[4 * row + 3]!];
  }

  /** Does nothing if the set has the quad. */
  add(s: TermId, p: TermId, o: TermId, g: TermId): void {
    const at = 4 * (this.#size + this.#unsettled);
    if (at === this.#rows.length) this.#growRows();
    const rows = this.#rows;
    rows[at] = s;
    rows[at + 1] = p;
    rows[at + 2] = o;
    rows[at + 3] = g;
    if (++this.#unsettled === BATCH) this.#settle();
  }

  /** Moves the new quads into the table, and drops duplicates. */
  #settle(): void {
    const count = this.#unsettled;
    if (count === 0) return;
    this.#unsettled = 0;
    const first = this.#size;
    this.#makeRoom(first + count);
    const rows = this.#rows;
    const mask = this.#table.length - 1;
    for (let i = 0, at = 4 * first; i < count; i++, at += 4) {
      hashes[i] = hashQuad(rows[at]!, rows[at + 1]!, rows[at + 2]!, rows[at + 3]!);
    }
    for (let i = 0; i < count; i++) near[i] = this.#table[hashes[i]! & mask]!;
    for (let i = 0; i < count; i++) this.#place(4 * (first + i), hashes[i]!);
  }

  /** Appends the quad of a new row to the set, unless the set has it. */
  #place(from: number, hash: number): void {
    const rows = this.#rows;
    const slot = this.#slot(hash, rows, from);
    if (this.#table[slot] !== 0) return;
    const at = 4 * this.#size;
    rows[at] = rows[from]!;
    rows[at + 1] = rows[from + 1]!;
    rows[at + 2] = rows[from + 2]!;
    rows[at + 3] = rows[from + 3]!;
    this.#table[slot] = ++this.#size;
  }

  /** Returns the slot of the quad in `words` at `from`, or the free slot where it belongs. */
  #slot(hash: number, words: Uint32Array, from: number): number {
    const table = this.#table;
    const rows = this.#rows;
    const s = words[from]!;
    const p = words[from + 1]!;
    const o = words[from + 2]!;
    const g = words[from + 3]!;
    const mask = table.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
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

  /** Half of the table stays free. */
  #makeRoom(size: number): void {
    let slots = this.#table === noTable ? 2 * FIRST_ROWS : this.#table.length;
    while (slots < 2 * size) slots *= 4;
    if (slots > this.#table.length) this.#growTable(slots);
  }

  #growTable(slots: number): void {
    const rows = this.#rows;
    this.#table = new Uint32Array(slots);
    const mask = slots - 1;
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
