import type { ReadableFile } from '../../journal/disk/disk.ts';

/** Bytes from an offset on. */
export interface ChunksFrom {
  /** The offset of the first chunk. */
  readonly at: number;
  readonly chunks: AsyncIterable<Uint8Array>;
}

/**
 * Bytes that come in chunks, and are read as those of a file. Only one chunk is in memory; what is
 * before it is fetched again.
 */
export class ChunkedBytes implements ReadableFile {
  readonly #open: (offset: number) => ChunksFrom;
  #chunks: AsyncIterator<Uint8Array> | undefined;
  #chunk: Uint8Array = new Uint8Array();
  /** Offset of the chunk. */
  #at = 0;

  /** `open`: returns the bytes from an offset, or an earlier one, on. */
  constructor(open: (offset: number) => ChunksFrom) {
    this.#open = open;
  }

  async read(target: Uint8Array, offset: number): Promise<number> {
    if (!this.#chunks || offset < this.#at) await this.#begin(offset);
    while (offset >= this.#at + this.#chunk.length) {
      const { done, value } = await this.#chunks!.next();
      if (done) return 0;
      this.#at += this.#chunk.length;
      this.#chunk = value;
    }
    const from = offset - this.#at;
    const read = Math.min(target.length, this.#chunk.length - from);
    target.set(this.#chunk.subarray(from, from + read));
    return read;
  }

  async close(): Promise<void> {
    await this.#chunks?.return?.();
    this.#chunks = undefined;
  }

  async #begin(offset: number): Promise<void> {
    await this.close();
    const { at, chunks } = this.#open(offset);
    this.#chunks = chunks[Symbol.asyncIterator]();
    this.#chunk = new Uint8Array();
    this.#at = at;
  }
}
