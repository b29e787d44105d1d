import type { ByteBudget } from '../../base/byte-budget.ts';
import { ConditionVariable } from '../../base/condition-variable.ts';
import { type ErrorData, fromErrorData } from '../../errors.ts';
import type { IncomingBody } from './message.ts';

/** Bytes of the first block, because most bodies are small, and of all further blocks. */
const FIRST_BLOCK = 16 * 1024;
const BLOCK = 256 * 1024;
/**
 * Maximum bytes that are buffered for a reader that takes the overflow. uWebSockets.js continues
 * reading from a paused socket while its client fills the socket's buffer as fast as it is read.
 * That may be hundreds of megabytes.
 */
const OVERFLOW_BYTES = 4 * 1024 * 1024;

/** Received bytes in a buffer that may have room for more. */
interface Block {
  readonly buffer: Uint8Array;
  length: number;
}

/**
 * A body for a reader that consumes it in chunks. A chunk is valid until the next one is requested:
 * its block is reused, because new buffers for a gibibyte would grow the process faster than they
 * are garbage-collected.
 */
export class UploadStream implements IncomingBody, AsyncIterator<Uint8Array> {
  readonly #store: ByteBudget;
  /** Called when all received bytes have been read. */
  readonly #onEmpty: () => void;
  readonly #onLeave: () => void;
  readonly #blocks: Block[] = [];
  readonly #spare: Block[] = [];
  #nextCapacity = FIRST_BLOCK;
  #taken: Block | undefined;
  #bytes = 0;
  #ended = false;
  #error: ErrorData | undefined;
  #overflow: ((chunk: Uint8Array) => void) | undefined;
  readonly #change = new ConditionVariable();

  constructor(store: ByteBudget, onEmpty: () => void, onLeave: () => void) {
    this.#store = store;
    this.#onEmpty = onEmpty;
    this.#onLeave = onLeave;
  }

  /** Bytes that have been received but not read. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Copies the bytes; returns false if there is no room for them. */
  push(bytes: Uint8Array): boolean {
    if (this.#overflow && this.#bytes >= OVERFLOW_BYTES) {
      this.#passOn(this.#overflow, bytes);
      return true;
    }
    if (!this.#store.reserve(bytes.length)) return false;
    for (let at = 0; at < bytes.length; ) {
      const block = this.#blockWithRoom();
      const part = bytes.subarray(at, at + block.buffer.length - block.length);
      block.buffer.set(part, block.length);
      block.length += part.length;
      at += part.length;
    }
    this.#bytes += bytes.length;
    this.#change.notify();
    return true;
  }

  end(): void {
    this.#ended = true;
    this.#overflow = undefined;
    this.#change.notify();
  }

  /** Discards the unread bytes and reports the error to the reader. */
  fail(error: ErrorData): void {
    if (this.#ended) return;
    this.#error ??= error;
    this.#overflow = undefined;
    this.drop();
    this.#change.notify();
  }

  /** Releases the memory of the unread bytes. */
  drop(): void {
    this.#store.release(this.#bytes);
    this.#bytes = 0;
    this.#blocks.length = 0;
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return this;
  }

  readWithOverflow(overflow: (chunk: Uint8Array) => void): AsyncIterable<Uint8Array> {
    // The iteration of an upload that has failed or ended may finish without a call of `return`.
    if (!this.#error && !this.#ended) this.#overflow = overflow;
    return this;
  }

  /** Throws the error of the upload. */
  async next(): Promise<IteratorResult<Uint8Array>> {
    if (this.#taken) this.#spare.push(this.#taken);
    this.#taken = undefined;
    while (this.#blocks.length === 0 && !this.#ended && !this.#error) await this.#change.wait();
    const block = this.#blocks.shift();
    if (!block) {
      if (this.#error) throw fromErrorData(this.#error);
      return { done: true, value: undefined };
    }
    this.#taken = block;
    this.#bytes -= block.length;
    this.#store.release(block.length);
    if (this.#blocks.length === 0 && !this.#ended) this.#onEmpty();
    return { done: false, value: block.buffer.subarray(0, block.length) };
  }

  return(): Promise<IteratorResult<Uint8Array>> {
    this.#overflow = undefined;
    this.drop();
    this.#onLeave();
    return Promise.resolve({ done: true, value: undefined });
  }

  #passOn(overflow: (chunk: Uint8Array) => void, bytes: Uint8Array): void {
    for (const block of this.#blocks) overflow(block.buffer.subarray(0, block.length));
    this.#spare.push(...this.#blocks);
    this.drop();
    overflow(bytes);
    this.#onEmpty();
  }

  #blockWithRoom(): Block {
    const last = this.#blocks.at(-1);
    if (last && last.length < last.buffer.length) return last;
    const block = this.#spare.pop() ?? { buffer: new Uint8Array(this.#nextCapacity), length: 0 };
    this.#nextCapacity = BLOCK;
    block.length = 0;
    this.#blocks.push(block);
    return block;
  }
}
