import { ByteWriter } from '../../base/bytes/writer.ts';

/** Approximate size of a chunk, except for chunks in spare memory. */
const CHUNK_BYTES = 64 * 1024;
/** Room for the end of a chunk's last row. */
const ROW_BYTES = 4096;

/**
 * Returns memory for the next chunk, if there is some. The chunk fills it except for a few
 * kibibytes.
 */
export type SpareMemory = () => Uint8Array | undefined;

const nothing = new Uint8Array(0);

/** Collects output in a buffer that becomes a chunk whenever it is full. */
export class ChunkWriter extends ByteWriter {
  /** Number of bytes that make a chunk in this memory. */
  enough = CHUNK_BYTES;
  readonly #spare: SpareMemory | undefined;

  constructor(spare?: SpareMemory) {
    super(new Uint8Array(CHUNK_BYTES + ROW_BYTES));
    this.#spare = spare;
  }

  get full(): boolean {
    return this.length >= this.enough;
  }

  /**
   * Returns the output since the last call. The caller owns its buffer; the next write allocates a
   * new one.
   */
  take(): Uint8Array {
    const chunk = this.bytes.subarray(0, this.length);
    this.use(nothing);
    this.enough = 1;
    this.length = 0;
    return chunk;
  }

  /**
   * Appends many bytes at once. `fill` copies as fast as memory allows, also to shared memory.
   * There `set` copies words of eight bytes, and single bytes unless both arrays have the same
   * alignment.
   */
  putMany(source: Uint8Array): void {
    this.reserve(source.length);
    const { buffer, byteOffset } = this.bytes;
    Buffer.from(buffer, byteOffset + this.length, source.length).fill(source);
    this.length += source.length;
  }

  /** Inserts bytes at `offset`. */
  insert(offset: number, inserted: Uint8Array): void {
    this.reserve(inserted.length);
    this.bytes.copyWithin(offset + inserted.length, offset, this.length);
    this.bytes.set(inserted, offset);
    this.length += inserted.length;
  }

  protected override grow(count: number): void {
    if (this.bytes.length === 0) {
      this.use(this.#spare?.() ?? new Uint8Array(CHUNK_BYTES + ROW_BYTES));
      this.enough = this.bytes.length - ROW_BYTES;
      if (count <= this.bytes.length) return;
    }
    super.grow(count);
  }
}

/** A constant part of the output. */
export function ascii(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}
