import type { ByteBudget } from '../byte-budget.ts';
import { type ErrorData, fromErrorData } from '../errors.ts';

/** Buffers that are kept for the next chunks. */
const SPARE_BUFFERS = 2;
/** Smaller ones are not worth keeping. */
const LEAST_CAPACITY = 64 * 1024;

interface Chunk {
  readonly buffer: Uint8Array;
  readonly length: number;
}

/**
 * A body on its way to a reader that takes it chunk by chunk. A chunk is valid until the next is asked for: its buffer is
 * used again.
 */
export class UploadStream implements AsyncIterable<Uint8Array>, AsyncIterator<Uint8Array> {
  readonly #store: ByteBudget;
  /** Called when all that came has been taken. */
  readonly #onEmpty: () => void;
  readonly #onLeave: () => void;
  readonly #chunks: Chunk[] = [];
  readonly #spare: Uint8Array[] = [];
  #taken: Uint8Array | undefined;
  #bytes = 0;
  #ended = false;
  #error: ErrorData | undefined;
  #wake: (() => void) | undefined;

  constructor(store: ByteBudget, onEmpty: () => void, onLeave: () => void) {
    this.#store = store;
    this.#onEmpty = onEmpty;
    this.#onLeave = onLeave;
  }

  /** Bytes that came and were not taken yet. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Copies the bytes; false when there is no room for them. */
  push(bytes: Uint8Array): boolean {
    if (!this.#store.reserve(bytes.length)) return false;
    const buffer = this.#bufferFor(bytes.length);
    buffer.set(bytes);
    this.#chunks.push({ buffer, length: bytes.length });
    this.#bytes += bytes.length;
    this.#notify();
    return true;
  }

  end(): void {
    this.#ended = true;
    this.#notify();
  }

  /** What was not taken is thrown away, and the reader told. */
  fail(error: ErrorData): void {
    if (this.#ended) return;
    this.#error ??= error;
    this.drop();
    this.#notify();
  }

  /** Gives back the room of what was not taken. */
  drop(): void {
    this.#store.release(this.#bytes);
    this.#bytes = 0;
    this.#chunks.length = 0;
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return this;
  }

  /** Throws the error of the upload. */
  async next(): Promise<IteratorResult<Uint8Array>> {
    if (this.#taken && this.#spare.length < SPARE_BUFFERS) this.#spare.push(this.#taken);
    this.#taken = undefined;
    while (this.#chunks.length === 0 && !this.#ended && !this.#error) await this.#arrival();
    const chunk = this.#chunks.shift();
    if (!chunk) {
      if (this.#error) throw fromErrorData(this.#error);
      return { done: true, value: undefined };
    }
    this.#taken = chunk.buffer;
    this.#bytes -= chunk.length;
    this.#store.release(chunk.length);
    if (this.#chunks.length === 0 && !this.#ended) this.#onEmpty();
    return { done: false, value: chunk.buffer.subarray(0, chunk.length) };
  }

  return(): Promise<IteratorResult<Uint8Array>> {
    this.drop();
    this.#onLeave();
    return Promise.resolve({ done: true, value: undefined });
  }

  #bufferFor(length: number): Uint8Array {
    const spare = this.#spare.pop();
    if (spare && spare.length >= length) return spare;
    return new Uint8Array(Math.max(length, LEAST_CAPACITY));
  }

  #arrival(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
    });
  }

  #notify(): void {
    const wake = this.#wake;
    this.#wake = undefined;
    wake?.();
  }
}
