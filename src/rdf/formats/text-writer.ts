import { copyBytes } from '../interning/term-arena.ts';
import type { TermBytes } from '../model/path-graph.ts';
import type { TermId } from '../model/term-id.ts';
import { copyWide, viewOf } from '../model/wide-copy.ts';

/** Approximate size of a chunk, except for chunks in spare memory. */
const CHUNK_BYTES = 64 * 1024;
/** Room for the end of a chunk's last row. */
const ROW_BYTES = 4096;

/**
 * Returns memory for the next chunk, if there is some. The chunk fills it except for a few
 * kibibytes.
 */
export type SpareMemory = () => Uint8Array | undefined;

const encoder = new TextEncoder();
const nothing = new Uint8Array(0);

/** Collects output in a buffer that becomes a chunk whenever it is full. */
export class ByteWriter {
  bytes: Uint8Array = new Uint8Array(CHUNK_BYTES + ROW_BYTES);
  length = 0;
  /** The same bytes, for `copyWide`. */
  view: DataView = viewOf(this.bytes);
  /** Number of bytes that make a chunk in this memory. */
  enough = CHUNK_BYTES;
  readonly #spare: SpareMemory | undefined;
  /** The memory from which terms were last read. */
  #terms: Uint8Array = this.bytes;
  #termsView = this.view;

  constructor(spare?: SpareMemory) {
    this.#spare = spare;
  }

  get full(): boolean {
    return this.length >= this.enough;
  }

  /**
   * Returns the output since the last call. The buffer is given away, and there is none until
   * something is written.
   */
  take(): Uint8Array {
    const chunk = this.bytes.subarray(0, this.length);
    this.#use(nothing);
    this.enough = 1;
    this.length = 0;
    return chunk;
  }

  /** Makes room for this many more bytes. */
  reserve(size: number): void {
    const after = this.length + size;
    if (after > this.bytes.length) this.#grow(after);
  }

  copy(source: Uint8Array, start: number, end: number): void {
    const length = this.length;
    const after = length + end - start;
    if (after > this.bytes.length) this.#grow(after);
    copyBytes(source, start, end, this.bytes, length);
    this.length = after;
  }

  /**
   * Appends many bytes at once. `fill` copies as fast as memory allows, also to shared memory.
   * There `set` copies words of eight bytes, and single bytes unless both arrays have the same
   * alignment.
   */
  append(source: Uint8Array): void {
    this.reserve(source.length);
    const { buffer, byteOffset } = this.bytes;
    Buffer.from(buffer, byteOffset + this.length, source.length).fill(source);
    this.length += source.length;
  }

  put(source: Uint8Array): void {
    this.copy(source, 0, source.length);
  }

  byte(value: number): void {
    if (this.length === this.bytes.length) this.#grow(this.length + 1);
    this.bytes[this.length++] = value;
  }

  /** Writes a term in canonical form. */
  term(terms: TermBytes, id: TermId): void {
    const start = terms.start(id);
    const end = terms.end(id);
    const after = this.length + end - start;
    if (after > this.bytes.length) this.#grow(after);
    if (terms.bytes !== this.#terms) this.#read(terms.bytes);
    copyWide(this.#termsView, start, end, this.view, this.length);
    this.length = after;
  }

  /** For headings and the like; not for the inner loop. */
  text(text: string): void {
    this.put(encoder.encode(text));
  }

  /** Inserts bytes at `offset`. */
  insert(offset: number, inserted: Uint8Array): void {
    const after = this.length + inserted.length;
    if (after > this.bytes.length) this.#grow(after);
    this.bytes.copyWithin(offset + inserted.length, offset, this.length);
    this.bytes.set(inserted, offset);
    this.length = after;
  }

  #grow(needed: number): void {
    if (this.bytes.length === 0) {
      this.#use(this.#spare?.() ?? new Uint8Array(CHUNK_BYTES + ROW_BYTES));
      this.enough = this.bytes.length - ROW_BYTES;
      if (needed <= this.bytes.length) return;
    }
    const bytes = new Uint8Array(Math.max(needed, 2 * this.bytes.length));
    bytes.set(this.bytes.subarray(0, this.length));
    this.#use(bytes);
  }

  #use(bytes: Uint8Array): void {
    this.bytes = bytes;
    this.view = viewOf(bytes);
  }

  #read(terms: Uint8Array): void {
    this.#terms = terms;
    this.#termsView = viewOf(terms);
  }
}

/** A constant part of the output. */
export function ascii(text: string): Uint8Array {
  return encoder.encode(text);
}
