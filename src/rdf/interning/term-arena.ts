import { viewOf } from '../../base/bytes/wide-copy.ts';
import { RdfError } from '../formats/errors.ts';

/** For fewer bytes than this a loop is faster than creating a view for `set`. */
const SHORT = 64;

/**
 * Terms in canonical form (`rdf/model/term.ts`), one after another in one growing buffer. Terms are
 * numbered from 0 in the order in which they are added. For look-ups see `TermIndex`.
 */
export class TermArena {
  bytes: Uint8Array;
  /** The same bytes. */
  view: DataView;
  /** Term `i` is `bytes[offsets[i] .. offsets[i + 1])`. */
  offsets: Uint32Array;
  count = 0;
  length = 0;
  /** Bytes of the longest term. */
  longest = 0;
  readonly #maxBytes: number;

  /**
   * `maxBytes`: the most bytes of all terms together, so that a small document cannot expand
   * without limit.
   */
  constructor(expectedBytes: number, maxBytes: number) {
    this.bytes = new Uint8Array(Math.max(256, expectedBytes));
    this.view = viewOf(this.bytes);
    this.offsets = new Uint32Array(32);
    this.#maxBytes = maxBytes;
  }

  /** Makes room for a term of at most `size` bytes at `length`. */
  reserve(size: number): void {
    const needed = this.length + size;
    if (needed > this.bytes.length) this.#grow(needed);
  }

  /** Ends the term whose bytes were written at `length`; returns its number. */
  close(end: number): number {
    if (end > this.#maxBytes) {
      throw new RdfError('too-large', `The terms of the document need more than ${this.#maxBytes} bytes`);
    }
    if (end - this.length > this.longest) this.longest = end - this.length;
    this.length = end;
    const index = this.count++;
    if (index + 1 === this.offsets.length) this.offsets = grown(this.offsets, 2 * this.offsets.length);
    this.offsets[index + 1] = end;
    return index;
  }

  /** Adds `source[start .. end)`. */
  addBytes(source: Uint8Array, start: number, end: number): number {
    const size = end - start;
    this.reserve(size);
    this.#copy(source, start, end);
    return this.close(this.length + size);
  }

  /** Copies `source[start .. end)` to `length`. */
  #copy(source: Uint8Array, start: number, end: number): void {
    const { bytes, length } = this;
    if (end - start > SHORT) {
      bytes.set(source.subarray(start, end), length);
      return;
    }
    for (let from = start, to = length; from < end; from++, to++) bytes[to] = source[from]!;
  }

  #grow(needed: number): void {
    const bytes = new Uint8Array(Math.max(needed, 2 * this.bytes.length));
    bytes.set(this.bytes.subarray(0, this.length));
    this.bytes = bytes;
    this.view = viewOf(bytes);
  }
}

/** Returns a longer copy of an array. */
export function grown(array: Uint32Array, length: number): Uint32Array<ArrayBuffer> {
  const longer = new Uint32Array(length);
  longer.set(array);
  return longer;
}
