import { copyWide, viewOf, WIDE } from '../../rdf/model/wide-copy.ts';
import { LdPathError } from '../errors.ts';

/**
 * A growing byte buffer that is reused from result to result. A result may have up to `limit`
 * bytes.
 */
export class ByteWriter {
  bytes: Uint8Array;
  length = 0;
  readonly #limit: number;
  /** The largest end offset of the current result. */
  #end: number;
  readonly #encoder = new TextEncoder();
  #view: DataView;
  /** The array that was last copied from: usually the terms of one graph. */
  #source: Uint8Array;
  #sourceView: DataView;

  constructor(limit: number, initial = 64 * 1024) {
    this.#limit = limit;
    this.#end = limit;
    this.bytes = new Uint8Array(Math.min(limit, initial));
    this.#view = viewOf(this.bytes);
    this.#source = this.bytes;
    this.#sourceView = this.#view;
  }

  clear(): void {
    this.length = 0;
    this.#end = this.#limit;
  }

  /** Starts a separate result, with the full limit again. */
  beginResult(): void {
    this.#end = this.length + this.#limit;
  }

  /** Returns a copy of the bytes written from `start` on. */
  slice(start = 0): Uint8Array {
    return this.bytes.slice(start, this.length);
  }

  byte(value: number): void {
    this.#reserve(1);
    this.bytes[this.length++] = value;
  }

  append({ view, length }: Piece): void {
    this.#reserve(length);
    copyWide(view, 0, length, this.#view, this.length);
    this.length += length;
  }

  copy(source: Uint8Array, start: number, end: number): void {
    const count = end - start;
    this.#reserve(count);
    if (count < WIDE) this.#copyShort(source, start, end);
    else if (count > LONG_COPY) this.bytes.set(source.subarray(start, end), this.length);
    else this.#copyWide(source, start, end);
    this.length += count;
  }

  /**
   * For callers that write many pieces: ensures room for this many bytes from `length` on in
   * `view`; false if that exceeds the limit of a result.
   */
  makeRoom(count: number): boolean {
    const needed = this.length + count;
    if (needed <= this.bytes.length) return true;
    if (needed > this.#end) return false;
    this.#grow(needed);
    return true;
  }

  /** A view of `bytes`, valid until they grow. */
  get view(): DataView {
    return this.#view;
  }

  /** Returns a view of the whole source; the view of the last source is cached. */
  viewOfSource(source: Uint8Array): DataView {
    if (source !== this.#source) {
      this.#source = source;
      this.#sourceView = viewOf(source);
    }
    return this.#sourceView;
  }

  /**
   * Writes a text in UTF-8. Short ASCII texts are written unit by unit, since calling the encoder
   * costs more.
   */
  text(text: string): void {
    this.#reserve(Math.min(text.length * MAX_BYTES_A_UNIT, this.#end - this.length));
    const written = text.length > LONG_TEXT ? 0 : this.#writeAscii(text);
    if (written < text.length) this.#encode(text.slice(written));
  }

  #copyShort(source: Uint8Array, start: number, end: number): void {
    const { bytes } = this;
    for (let from = start, to = this.length; from < end; from++, to++) bytes[to] = source[from]!;
  }

  #copyWide(source: Uint8Array, start: number, end: number): void {
    copyWide(this.viewOfSource(source), start, end, this.#view, this.length);
  }

  /**
   * Writes up to the first unit that is not ASCII or does not fit; returns the number of units
   * written.
   */
  #writeAscii(text: string): number {
    const { bytes } = this;
    const end = Math.min(text.length, bytes.length - this.length);
    for (let i = 0; i < end; i++) {
      const unit = text.charCodeAt(i);
      if (unit > MAX_ASCII) return i;
      bytes[this.length++] = unit;
    }
    return end;
  }

  #encode(text: string): void {
    const { read, written } = this.#encoder.encodeInto(text, this.bytes.subarray(this.length));
    if (read < text.length) throw this.#tooLong();
    this.length += written;
  }

  #reserve(count: number): void {
    if (this.length + count > this.bytes.length) this.#grow(this.length + count);
  }

  #grow(needed: number): void {
    if (needed > this.#end) throw this.#tooLong();
    const grown = new Uint8Array(Math.min(this.#end, Math.max(needed, this.bytes.length * 2)));
    grown.set(this.bytes.subarray(0, this.length));
    this.bytes = grown;
    this.#view = viewOf(grown);
  }

  #tooLong(): LdPathError {
    return new LdPathError('budget-exceeded', `The result exceeded its budget of ${this.#limit} bytes`);
  }
}

const LONG_COPY = 512;
const LONG_TEXT = 128;
const MAX_BYTES_A_UNIT = 3;
const MAX_ASCII = 0x7f;

/**
 * A text that is appended repeatedly. Its length is stored beside it, since asking a view for it is
 * a slow call.
 */
export interface Piece {
  readonly view: DataView;
  readonly length: number;
}

export function piece(text: string): Piece {
  const bytes = new TextEncoder().encode(text);
  return { view: viewOf(bytes), length: bytes.length };
}
