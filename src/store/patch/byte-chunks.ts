import { ByteWriter } from '../../base/bytes/writer.ts';

const CHUNK_BYTES = 1 << 20;

/** Builds a long byte string in chunks that grow to a mebibyte, so that nothing is copied twice. */
export class ByteChunks extends ByteWriter {
  readonly #chunks: Uint8Array[] = [];

  constructor(firstChunkBytes = 512) {
    super(new Uint8Array(firstChunkBytes));
  }

  /** Returns all chunks; the builder must not be used afterwards. */
  finish(): Uint8Array[] {
    if (this.length > 0) this.#chunks.push(this.bytes.subarray(0, this.length));
    return this.#chunks;
  }

  /** Begins the next chunk. */
  protected override grow(count: number): void {
    if (this.length > 0) this.#chunks.push(this.bytes.subarray(0, this.length));
    const size = Math.min(4 * this.bytes.length, CHUNK_BYTES);
    this.use(new Uint8Array(Math.max(size, count)));
    this.length = 0;
  }
}
