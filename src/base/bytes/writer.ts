import { copyWide, viewOf } from './wide-copy.ts';

/** A buffer for bytes and texts that grows. Subclasses decide where more memory comes from. */
export class ByteWriter {
  bytes: Uint8Array;
  /** A view of `bytes`. */
  view: DataView;
  length = 0;
  /** The array that was last copied from: usually the terms of one graph. */
  #source: Uint8Array;
  #sourceView: DataView;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.view = viewOf(bytes);
    this.#source = bytes;
    this.#sourceView = this.view;
  }

  /** Makes room for this many more bytes. */
  reserve(count: number): void {
    if (this.length + count > this.bytes.length) this.grow(count);
  }

  byte(value: number): void {
    if (this.length === this.bytes.length) this.grow(1);
    this.bytes[this.length++] = value;
  }

  append({ view, length }: Piece): void {
    this.reserve(length);
    copyWide(view, 0, length, this.view, this.length);
    this.length += length;
  }

  /** Copies `source[start .. end)`, which is UTF-8 (see `copyWide`). */
  copy(source: Uint8Array, start: number, end: number): void {
    const count = end - start;
    this.reserve(count);
    if (count < WIDE) this.#copyShort(source, start, end);
    else if (count > LONG_COPY) this.bytes.set(source.subarray(start, end), this.length);
    else copyWide(this.viewOfSource(source), start, end, this.view, this.length);
    this.length += count;
  }

  /** The same between two bytes: for the quotes of a string. */
  copyBetween(mark: number, source: Uint8Array, start: number, end: number): void {
    const count = end - start;
    this.reserve(count + 2);
    this.bytes[this.length++] = mark;
    this.copy(source, start, end);
    this.bytes[this.length++] = mark;
  }

  /** Copies the whole source, which is UTF-8. */
  put(source: Uint8Array): void {
    this.copy(source, 0, source.length);
  }

  /**
   * Writes a text in UTF-8. Short ASCII texts are written unit by unit, since calling the encoder
   * costs more.
   */
  text(text: string): void {
    if (text.length > LONG_TEXT || !this.#writeAscii(text)) this.#encode(text);
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
   * Called when there is no room for `count` more bytes. It provides room from `length` on; it may
   * change `bytes` and `length`.
   */
  protected grow(count: number): void {
    this.moveTo(new Uint8Array(Math.max(this.length + count, 2 * this.bytes.length)));
  }

  /** Continues in larger memory. */
  protected moveTo(larger: Uint8Array): void {
    larger.set(this.bytes.subarray(0, this.length));
    this.use(larger);
  }

  protected use(bytes: Uint8Array): void {
    this.bytes = bytes;
    this.view = viewOf(bytes);
  }

  #copyShort(source: Uint8Array, start: number, end: number): void {
    const { bytes } = this;
    for (let from = start, to = this.length; from < end; from++, to++) bytes[to] = source[from]!;
  }

  /** Returns false, without writing, if the text contains a character that is not ASCII. */
  #writeAscii(text: string): boolean {
    this.reserve(text.length);
    const { bytes, length } = this;
    for (let i = 0; i < text.length; i++) {
      const unit = text.charCodeAt(i);
      if (unit > MAX_ASCII) return false;
      bytes[length + i] = unit;
    }
    this.length = length + text.length;
    return true;
  }

  #encode(text: string): void {
    this.reserve(Buffer.byteLength(text));
    this.length += encoder.encodeInto(text, this.bytes.subarray(this.length)).written;
  }
}

const encoder = new TextEncoder();

/** For fewer bytes than this, a view of the source is not worthwhile. */
const WIDE = 16;
const LONG_COPY = 512;
const LONG_TEXT = 128;
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
  const bytes = encoder.encode(text);
  return { view: viewOf(bytes), length: bytes.length };
}
