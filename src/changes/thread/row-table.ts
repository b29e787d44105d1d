import { REMOVED } from '../../snapshot/runs/order.ts';
import type { ChangedRows } from '../messages.ts';
import { type RowCursor, termOf } from './row-cursor.ts';

/** Both this thread and one of the pool have the terms in memory. */
const TERM_BYTES_MAX = 2 ** 27;

/** Rows with a table of their terms. */
export class RowTable {
  readonly #maxRows: number;
  readonly #numbers = new Map<string, number>();
  #rows = new Uint32Array(64);
  #length = 0;
  #bytes = 0;

  constructor(maxRows: number) {
    this.#maxRows = maxRows;
  }

  /** Adds the current row; returns false if there are too many. */
  add(row: RowCursor): boolean {
    if (this.#length / 4 >= this.#maxRows || this.#bytes > TERM_BYTES_MAX) return false;
    if (this.#length === this.#rows.length) {
      const rows = new Uint32Array(2 * this.#length);
      rows.set(this.#rows);
      this.#rows = rows;
    }
    for (let column = 0; column < 4; column++) {
      this.#rows[this.#length + column] = this.#number(termOf(row, column));
    }
    if (row.removed) this.#rows[this.#length + 3]! |= REMOVED;
    this.#length += 4;
    return true;
  }

  finish(): ChangedRows {
    const bytes = new Uint8Array(new SharedArrayBuffer(this.#bytes));
    const offsets = new Uint32Array(new SharedArrayBuffer(4 * (this.#numbers.size + 1)));
    const rows = new Uint32Array(new SharedArrayBuffer(4 * this.#length));
    rows.set(this.#rows.subarray(0, this.#length));
    const text = Buffer.from(bytes.buffer);
    let at = 0;
    for (const [term, number] of this.#numbers) {
      at += text.write(term, at);
      offsets[number + 1] = at;
    }
    return { bytes, offsets, rows };
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
