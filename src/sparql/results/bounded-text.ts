import { AppError } from '../../errors.ts';

/** Characters that are collected before they are encoded. */
const PIECE = 64 * 1024;

/**
 * Collects text and encodes it as UTF-8. Adding text throws `too-large` beyond a number of bytes.
 */
export class BoundedText {
  readonly #maxBytes: number;
  readonly #expected: number;
  /** Undefined while there is only the first piece, which is enough for most texts. */
  #bytes: Buffer | undefined;
  #length = 0;
  #piece = '';

  /** `expected`: the approximate size in bytes. */
  constructor(maxBytes: number, expected: number) {
    this.#maxBytes = maxBytes;
    this.#expected = expected;
  }

  add(text: string): void {
    this.#piece += text;
    if (this.#piece.length >= PIECE) this.#encode();
  }

  end(): Uint8Array {
    if (!this.#bytes) return this.#bounded(Buffer.from(this.#piece));
    this.#encode();
    return this.#bytes.subarray(0, this.#length);
  }

  #encode(): void {
    const piece = this.#piece;
    this.#piece = '';
    // A code unit is encoded as at most three bytes.
    const bytes = this.#withRoom(this.#length + 3 * piece.length);
    this.#length += bytes.write(piece, this.#length);
    this.#bounded(bytes.subarray(0, this.#length));
  }

  #withRoom(size: number): Buffer {
    const before = this.#bytes;
    if (before && size <= before.length) return before;
    const expected = before ? 2 * before.length : Math.min(this.#maxBytes, this.#expected) + 3 * PIECE;
    this.#bytes = Buffer.allocUnsafeSlow(Math.max(size, expected));
    before?.copy(this.#bytes, 0, 0, this.#length);
    return this.#bytes;
  }

  #bounded(bytes: Buffer): Buffer {
    if (bytes.length > this.#maxBytes) throw tooLarge(this.#maxBytes);
    return bytes;
  }
}

/** The error of a result that is longer than the limit. */
export function tooLarge(maxBytes: number): AppError {
  const message = `The result is longer than ${maxBytes} bytes: request less, for example with LIMIT.`;
  return new AppError('too-large', message);
}
