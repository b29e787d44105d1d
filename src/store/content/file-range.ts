import type { FileHandle } from 'node:fs/promises';

const CHUNK_BYTES = 128 * 1024;

/**
 * A part of a file, read chunk by chunk on demand. All chunks share one buffer: each is valid until
 * the next is requested. The file is closed at the end, and when the reader stops early.
 */
export class FileRange implements AsyncIterable<Uint8Array>, AsyncIterator<Uint8Array> {
  readonly #file: FileHandle;
  readonly #end: number;
  #at: number;
  #buffer: Uint8Array | undefined;
  #closed = false;

  /** Reads from `start` up to, not including, `end`. */
  constructor(file: FileHandle, start: number, end: number) {
    this.#file = file;
    this.#at = start;
    this.#end = end;
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return this;
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    const wanted = Math.min(CHUNK_BYTES, this.#end - this.#at);
    if (this.#closed || wanted === 0) return this.return();
    this.#buffer ??= new Uint8Array(wanted);
    const { bytesRead } = await this.#read(this.#buffer, wanted);
    if (bytesRead === 0) return this.return();
    this.#at += bytesRead;
    return { done: false, value: this.#buffer.subarray(0, bytesRead) };
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    if (!this.#closed) {
      this.#closed = true;
      await this.#file.close();
    }
    return { done: true, value: undefined };
  }

  async #read(buffer: Uint8Array, length: number): Promise<{ bytesRead: number }> {
    try {
      return await this.#file.read(buffer, 0, length, this.#at);
    } catch (error) {
      await this.return();
      throw error;
    }
  }
}
