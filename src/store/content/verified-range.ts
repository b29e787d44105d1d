import { createHash } from 'node:crypto';
import type { FileRange } from './file-range.ts';
import { damaged } from './verified-files.ts';
import type { ContentFile } from './write-file.ts';

/** Reads a whole content file, and withholds the last bytes until the digest is verified. */
export class VerifiedRange implements AsyncIterable<Uint8Array>, AsyncIterator<Uint8Array> {
  readonly #bytes: FileRange;
  readonly #digest: string;
  readonly #onDamage: () => void;
  readonly #hash = createHash('sha256');
  #left: number;
  #hasEnded = false;

  constructor(bytes: FileRange, { digest, bytes: length }: ContentFile, onDamage: () => void) {
    this.#bytes = bytes;
    this.#digest = digest;
    this.#left = length;
    this.#onDamage = onDamage;
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return this;
  }

  /** Throws `data-damaged`. */
  async next(): Promise<IteratorResult<Uint8Array>> {
    const result = await this.#bytes.next();
    const isSound = result.done ? this.#left === 0 || this.#hasEnded : this.#take(result.value);
    if (isSound) return result;
    await this.return();
    this.#onDamage();
    throw damaged(this.#digest);
  }

  /** Returns false if these are the last bytes and the digest does not match. */
  #take(piece: Uint8Array): boolean {
    this.#hash.update(piece);
    this.#left -= piece.length;
    return this.#left > 0 || this.#hash.digest('hex') === this.#digest;
  }

  return(): Promise<IteratorResult<Uint8Array>> {
    this.#hasEnded = true;
    return this.#bytes.return();
  }
}
