import type { TermBytes } from '../../rdf/model/path-graph.ts';
import { REMOVED } from '../../snapshot/runs/order.ts';
import { type Bounds, newBounds, scanQuad } from '../../store/patch/quad-scanner.ts';
import type { RowBlock } from '../../store/patch/row-block.ts';

/** Iterates over changed rows in their order within the commit. */
export interface RowCursor {
  /** Goes to the next row; returns false after the last one. */
  next(): boolean;
  /** Whether the row was removed, instead of added. */
  readonly removed: boolean;
  /** Term `i` of the row is `bytes[bounds[2 i] .. bounds[2 i + 1])`, in canonical form. */
  readonly bytes: Uint8Array;
  readonly bounds: ArrayLike<number>;
}

const LINE_FEED = 0x0a;
const LETTER_A = 0x41;
const LETTER_D = 0x44;

/** The rows of a journal record, or of lines of a patch file. */
export class TextRows implements RowCursor {
  removed = false;
  readonly bytes: Uint8Array;
  readonly bounds: Bounds = newBounds();
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  next(): boolean {
    const { bytes } = this;
    while (this.#at < bytes.length) {
      const letter = bytes[this.#at];
      if (letter === LETTER_A || letter === LETTER_D) {
        this.removed = letter === LETTER_D;
        this.#at = scanQuad(bytes, this.#at + 2, this.bounds);
        return true;
      }
      const end = bytes.indexOf(LINE_FEED, this.#at);
      this.#at = end < 0 ? bytes.length : end + 1;
    }
    return false;
  }
}

/** Rows of ids, as the ring has them. */
export class IdRows implements RowCursor {
  removed = false;
  readonly bytes: Uint8Array;
  readonly bounds = new Float64Array(8);
  readonly #rows: Uint32Array;
  readonly #terms: Pick<TermBytes, 'start' | 'end'>;
  #at = -4;

  /** `rows`: the fourth id of each has `REMOVED` if the row was removed. */
  constructor(rows: Uint32Array, terms: Pick<TermBytes, 'bytes' | 'start' | 'end'>) {
    this.#rows = rows;
    this.#terms = terms;
    this.bytes = terms.bytes;
  }

  next(): boolean {
    this.#at += 4;
    if (this.#at >= this.#rows.length) return false;
    this.removed = this.#rows[this.#at + 3]! >= REMOVED;
    for (let column = 0; column < 4; column++) {
      const id = this.#rows[this.#at + column]! % REMOVED;
      this.bounds[2 * column] = this.#terms.start(id);
      this.bounds[2 * column + 1] = this.#terms.end(id);
    }
    return true;
  }
}

/** The rows of a block of a patch file. */
export function blockRows({ bytes, offsets, removals, additions }: RowBlock): IdRows {
  const rows = new Uint32Array(removals.length + additions.length);
  rows.set(removals);
  for (let i = 3; i < removals.length; i += 4) rows[i]! |= REMOVED;
  rows.set(additions, removals.length);
  return new IdRows(rows, { bytes, start: (term) => offsets[term]!, end: (term) => offsets[term + 1]! });
}

/** Returns a term of the current row: 0 is the subject, 3 the graph. */
export function termOf({ bytes, bounds }: RowCursor, column: number): string {
  const [from, to] = [bounds[2 * column]!, bounds[2 * column + 1]!];
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString();
}
