import { copyWide, viewOf, WIDE } from '../../rdf/model/wide-copy.ts';

const CHUNK_BYTES = 1 << 20;

/** Builds a long byte string in chunks that grow to a mebibyte, so that nothing is copied twice. */
export class ByteChunks {
  readonly #chunks: Uint8Array[] = [];
  #current: Uint8Array;
  #view: DataView;
  #length = 0;
  /** The array that was last copied from. */
  #source: Uint8Array;
  #sourceView: DataView;

  constructor(firstChunkBytes = 512) {
    this.#current = new Uint8Array(firstChunkBytes);
    this.#view = viewOf(this.#current);
    this.#source = this.#current;
    this.#sourceView = this.#view;
  }

  byte(value: number): void {
    if (this.#length === this.#current.length) this.#next(1);
    this.#current[this.#length++] = value;
  }

  /** Appends a text as UTF-8; for short, infrequent texts. */
  text(value: string): void {
    const bytes = Buffer.from(value);
    this.copy(bytes, 0, bytes.length);
  }

  copy(source: Uint8Array, start: number, end: number): void {
    const count = end - start;
    if (this.#length + count > this.#current.length) this.#next(count);
    if (count < WIDE) this.#copyShort(source, start, end);
    else this.#copyWide(source, start, end);
    this.#length += count;
  }

  /** Returns all chunks; the builder must not be used afterwards. */
  finish(): Uint8Array[] {
    if (this.#length > 0) this.#chunks.push(this.#current.subarray(0, this.#length));
    return this.#chunks;
  }

  #copyShort(source: Uint8Array, start: number, end: number): void {
    const target = this.#current;
    for (let i = start, at = this.#length; i < end; i++, at++) target[at] = source[i]!;
  }

  #copyWide(source: Uint8Array, start: number, end: number): void {
    if (source !== this.#source) {
      this.#source = source;
      this.#sourceView = viewOf(source);
    }
    copyWide(this.#sourceView, start, end, this.#view, this.#length);
  }

  #next(atLeast: number): void {
    if (this.#length > 0) this.#chunks.push(this.#current.subarray(0, this.#length));
    const grown = Math.min(4 * this.#current.length, CHUNK_BYTES);
    this.#current = new Uint8Array(Math.max(grown, atLeast));
    this.#view = viewOf(this.#current);
    this.#length = 0;
  }
}
