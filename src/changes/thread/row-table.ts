import { REMOVED } from '../../snapshot/runs/order.ts';
import { QuadSet } from '../../snapshot/runs/quad-set.ts';
import type { ChangedRows } from '../messages.ts';
import { type RowCursor, termOf } from './row-cursor.ts';

/** Both this thread and one of the pool have the terms in memory. */
const TERM_BYTES_MAX = 2 ** 27;
/** The most rows that are read, since that takes time: a few microseconds each. */
const READ_MAX = 2 ** 22;

export interface RowLimits {
  /** The most quads that are changed in the end. */
  readonly quads: number;
  readonly termBytes?: number;
  readonly read?: number;
}

/** The first change of a quad removes it; the last one does. */
const FIRST_REMOVES = 1;
const LAST_REMOVES = 2;

/**
 * Folds the rows of commits, given in their order: what remains are the quads that were there
 * before, or are afterwards, with a table of their terms. Quads that were added and removed again
 * are dropped from time to time, so that it holds at most half as much again as the limits.
 */
export class RowTable {
  readonly #limits: Required<RowLimits>;
  #numbers = new Map<string, number>();
  #bytes = 0;
  /** Of numbers of terms. */
  #quads = new QuadSet();
  /** By row of `#quads`. */
  #changes: number[] = [];
  #read = 0;
  /** Beyond these, what has no effect is dropped. */
  #mostQuads: number;
  #mostBytes: number;

  constructor({ quads, termBytes = TERM_BYTES_MAX, read = READ_MAX }: RowLimits) {
    this.#limits = { quads, termBytes, read };
    this.#mostQuads = quads;
    this.#mostBytes = termBytes;
  }

  /** Adds the current row; returns false if there are too many. */
  add(row: RowCursor): boolean {
    const terms = [0, 1, 2, 3].map((column) => this.#number(termOf(row, column)));
    const [s, p, o, g] = terms as [number, number, number, number];
    const known = this.#quads.row(s, p, o, g);
    if (known < 0) {
      this.#quads.add(s, p, o, g);
      this.#changes.push(row.removed ? FIRST_REMOVES | LAST_REMOVES : 0);
    } else {
      const first = this.#changes[known]! & FIRST_REMOVES;
      this.#changes[known] = first | (row.removed ? LAST_REMOVES : 0);
    }
    if (++this.#read > this.#limits.read) return false;
    const isFull = this.#changes.length > this.#mostQuads || this.#bytes > this.#mostBytes;
    return !isFull || this.#drop();
  }

  /**
   * A quad that was removed and added again has a row for each. Returns `too-many` if more remains
   * than the limits allow.
   */
  finish(): ChangedRows | 'too-many' {
    if (!this.#drop()) return 'too-many';
    const bytes = new Uint8Array(new SharedArrayBuffer(this.#bytes));
    const offsets = new Uint32Array(new SharedArrayBuffer(4 * (this.#numbers.size + 1)));
    const text = Buffer.from(bytes.buffer);
    let at = 0;
    for (const [term, number] of this.#numbers) {
      at += text.write(term, at);
      offsets[number + 1] = at;
    }
    return { bytes, offsets, rows: this.#rows() };
  }

  #rows(): Uint32Array {
    const twice = this.#changes.filter((change) => change === FIRST_REMOVES).length;
    const rows = new Uint32Array(new SharedArrayBuffer(16 * (this.#changes.length + twice)));
    let at = 0;
    for (const [row, change] of this.#changes.entries()) {
      const quad = this.#quads.at(row);
      if ((change & FIRST_REMOVES) !== 0) {
        rows.set(quad, at);
        rows[at + 3]! |= REMOVED;
        at += 4;
      }
      if ((change & LAST_REMOVES) === 0) {
        rows.set(quad, at);
        at += 4;
      }
    }
    return rows;
  }

  /** Drops quads that neither were there before nor are now, and terms that nothing else has. */
  #drop(): boolean {
    const [texts, quads, changes] = [[...this.#numbers.keys()], this.#quads, this.#changes];
    this.#numbers = new Map();
    this.#bytes = 0;
    this.#quads = new QuadSet();
    this.#changes = [];
    for (const [row, change] of changes.entries()) {
      if (change === LAST_REMOVES) continue;
      const numbers = quads.at(row).map((term) => this.#number(texts[term]!));
      this.#quads.add(...(numbers as [number, number, number, number]));
      this.#changes.push(change);
    }
    const { quads: mostQuads, termBytes } = this.#limits;
    const count = this.#changes.length;
    // Dropping again is worth its time only after many more rows.
    this.#mostQuads = Math.max(mostQuads, count + mostQuads / 2);
    this.#mostBytes = Math.max(termBytes, this.#bytes + termBytes / 2);
    return count <= mostQuads && this.#bytes <= termBytes;
  }

  #number(term: string): number {
    const known = this.#numbers.get(term);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(term, number);
    this.#bytes += Buffer.byteLength(term);
    return number;
  }
}
