import { AppError } from '../../errors.ts';

/** Characters that are gathered before they are encoded. */
const PIECE = 64 * 1024;

/**
 * Text that is written piece by piece and becomes UTF-8. Writing throws `too-large` beyond a number
 * of bytes.
 */
export class BoundedText {
  readonly #maxBytes: number;
  #bytes: Buffer;
  #length = 0;
  #piece = '';

  /** `expected`: about how many bytes it will have. */
  constructor(maxBytes: number, expected: number) {
    this.#maxBytes = maxBytes;
    this.#bytes = Buffer.allocUnsafeSlow(Math.min(maxBytes, expected) + Math.min(3 * PIECE, 3 * expected));
  }

  add(text: string): void {
    this.#piece += text;
    if (this.#piece.length >= PIECE) this.#encode();
  }

  end(): Uint8Array {
    this.#encode();
    return this.#bytes.subarray(0, this.#length);
  }

  #encode(): void {
    const piece = this.#piece;
    this.#piece = '';
    // A code unit takes three bytes at most.
    this.#reserve(this.#length + 3 * piece.length);
    this.#length += this.#bytes.write(piece, this.#length);
    if (this.#length > this.#maxBytes) throw tooLarge(this.#maxBytes);
  }

  #reserve(size: number): void {
    if (size <= this.#bytes.length) return;
    const bytes = Buffer.allocUnsafeSlow(Math.max(size, 2 * this.#bytes.length));
    this.#bytes.copy(bytes, 0, 0, this.#length);
    this.#bytes = bytes;
  }
}

function tooLarge(maxBytes: number): AppError {
  const message = `The result is longer than ${maxBytes} bytes: ask for less, for example with LIMIT.`;
  return new AppError('too-large', message);
}
