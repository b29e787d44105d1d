import { ByteWriter } from '../../base/bytes/writer.ts';
import { LdPathError } from '../errors.ts';

/** A buffer that is reused from result to result. A result may have up to `limit` bytes. */
export class ResultWriter extends ByteWriter {
  readonly #limit: number;
  /** The largest end offset of the current result. */
  #end: number;

  constructor(limit: number, initial = 64 * 1024) {
    super(new Uint8Array(Math.min(limit, initial)));
    this.#limit = limit;
    this.#end = limit;
  }

  clear(): void {
    this.length = 0;
    this.#end = this.#limit;
  }

  /** Starts a separate result, with the full limit again. */
  beginResult(): void {
    this.#end = this.length + this.#limit;
  }

  /** Returns a copy of what has been written. */
  slice(): Uint8Array {
    return this.bytes.slice(0, this.length);
  }

  /** Removes bytes from `at` on, and moves what follows to their place. */
  remove(at: number, count: number): void {
    this.bytes.copyWithin(at, at + count, this.length);
    this.length -= count;
  }

  /** Makes room for this many more bytes; returns false if that exceeds the limit of a result. */
  makeRoom(count: number): boolean {
    const needed = this.length + count;
    if (needed > this.bytes.length && needed > this.#end) return false;
    this.reserve(count);
    return true;
  }

  protected override grow(count: number): void {
    const needed = this.length + count;
    if (needed > this.#end) {
      throw new LdPathError('budget-exceeded', `The result exceeded its budget of ${this.#limit} bytes`);
    }
    this.moveTo(new Uint8Array(Math.min(this.#end, Math.max(needed, 2 * this.bytes.length))));
  }
}
