const CHUNK_BYTES = 1 << 20;
/** Below this length a loop beats `TypedArray.set`, which first has to make a view. */
const SHORT_COPY = 96;

/** Builds a long byte string in chunks that grow to a mebibyte, so that nothing is copied twice. */
export class ByteChunks {
  readonly #chunks: Uint8Array[] = [];
  #current: Uint8Array;
  #length = 0;

  constructor(firstChunkBytes = 4096) {
    this.#current = new Uint8Array(firstChunkBytes);
  }

  byte(value: number): void {
    if (this.#length === this.#current.length) this.#next(1);
    this.#current[this.#length++] = value;
  }

  /** ASCII or any other text; for short, rare pieces. */
  text(value: string): void {
    const bytes = Buffer.from(value);
    this.copy(bytes, 0, bytes.length);
  }

  copy(source: Uint8Array, start: number, end: number): void {
    const count = end - start;
    if (this.#length + count > this.#current.length) this.#next(count);
    const target = this.#current;
    let at = this.#length;
    if (count > SHORT_COPY) target.set(source.subarray(start, end), at);
    else for (let i = start; i < end; i++) target[at++] = source[i] as number;
    this.#length += count;
  }

  /** All chunks; the builder must not be used afterwards. */
  finish(): Uint8Array[] {
    if (this.#length > 0) this.#chunks.push(this.#current.subarray(0, this.#length));
    return this.#chunks;
  }

  #next(atLeast: number): void {
    if (this.#length > 0) this.#chunks.push(this.#current.subarray(0, this.#length));
    const grown = Math.min(4 * this.#current.length, CHUNK_BYTES);
    this.#current = new Uint8Array(Math.max(grown, atLeast));
    this.#length = 0;
  }
}
