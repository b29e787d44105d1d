/** Rows in one unit of allocation: 16 MiB. */
const CHUNK_ROWS = 1 << 20;

/** A long list of rows of four words. */
export class RowList {
  #chunks: Uint32Array[] = [];
  #length = 0;

  /** Number of rows. */
  get length(): number {
    return this.#length;
  }

  push(s: number, p: number, o: number, g: number): void {
    const row = this.#length % CHUNK_ROWS;
    if (row === 0) this.#chunks[this.#length / CHUNK_ROWS] ??= new Uint32Array(4 * CHUNK_ROWS);
    const chunk = this.#chunks[(this.#length - row) / CHUNK_ROWS]!;
    const at = 4 * row;
    chunk[at] = s;
    chunk[at + 1] = p;
    chunk[at + 2] = o;
    chunk[at + 3] = g;
    this.#length++;
  }

  truncate(length: number): void {
    this.#length = length;
  }

  /** Returns all rows in one array and empties the list. */
  take(): Uint32Array {
    const rows = new Uint32Array(4 * this.#length);
    for (let from = 0; from < rows.length; from += 4 * CHUNK_ROWS) {
      const chunk = this.#chunks.shift()!;
      rows.set(chunk.subarray(0, Math.min(chunk.length, rows.length - from)), from);
    }
    this.#chunks = [];
    this.#length = 0;
    return rows;
  }
}
