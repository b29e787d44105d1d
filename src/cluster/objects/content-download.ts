import { type FileHandle, open } from 'node:fs/promises';

const CHUNK_BYTES = 128 * 1024;
/**
 * These last bytes of what is read are held back until all of the content has been verified, so a
 * reader of damaged content gets less than it was promised. Short content is never sent unverified.
 */
const HELD_BACK_BYTES = 64 * 1024;

/** A file that is being written. */
interface Draft {
  readonly path: string;
  written: number;
  /** Why it is not completed. */
  error?: unknown;
}

/**
 * Content that is being fetched to a local file. Readers get the bytes as they arrive, from that
 * file, so a slow one delays nobody and needs no memory.
 */
export class ContentDownload {
  readonly #waiting = new Set<() => void>();
  #draft: Draft | undefined;
  #state: 'running' | 'complete' | 'failed' = 'running';
  #error: unknown;

  /** The file that is being written now. */
  begin(path: string): void {
    this.#draft = { path, written: 0 };
  }

  /** Passes pieces on, and counts each one when it has been written. */
  async *counted(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of pieces) {
      yield piece;
      if (this.#draft) this.#draft.written += piece.length;
      this.#notify();
    }
  }

  /** The file was removed for this reason. Another one may be begun. */
  discard(error: unknown): void {
    if (this.#draft) this.#draft.error = error;
    this.#draft = undefined;
    this.#notify();
  }

  /** All bytes were verified, and the file has its name. */
  complete(): void {
    this.#state = 'complete';
    this.#notify();
  }

  fail(error: unknown): void {
    this.#state = 'failed';
    this.#error = error;
    this.#notify();
  }

  /**
   * Resolves with the bytes from `start` up to, not including, `end`, when the first ones can be
   * read; the reader must read to their end or call `return`. Resolves with undefined if the file
   * has its name by then. Throws the error of the download, and so does reading.
   */
  async open(start: number, end: number): Promise<AsyncIterable<Uint8Array> | undefined> {
    while (this.#state === 'running') {
      const draft = this.#draft;
      const isReadable = draft !== undefined && this.#readable(draft, end) > start;
      const file = isReadable ? await open(draft.path, 'r').catch(ignoreMissing) : undefined;
      if (draft && file) return new DraftRange(file, start, end, (at) => this.#until(draft, at, end));
      if (this.#state === 'running') await this.#change();
    }
    if (this.#state === 'failed') throw this.#error;
    return undefined;
  }

  /** Resolves with the end of what can be read, when that is behind a place. */
  async #until(draft: Draft, at: number, end: number): Promise<number> {
    for (;;) {
      if (draft.error !== undefined) throw draft.error;
      const readable = this.#readable(draft, end);
      if (readable > at) return readable;
      await this.#change();
    }
  }

  #readable({ written }: Draft, end: number): number {
    return this.#state === 'complete' ? end : Math.min(written, end - HELD_BACK_BYTES);
  }

  #change(): Promise<void> {
    return new Promise((resolve) => this.#waiting.add(resolve));
  }

  #notify(): void {
    const waiting = [...this.#waiting];
    this.#waiting.clear();
    for (const resolve of waiting) resolve();
  }
}

/** A part of a file that grows. All chunks share one buffer: each is valid until the next one. */
class DraftRange implements AsyncIterable<Uint8Array>, AsyncIterator<Uint8Array> {
  readonly #file: FileHandle;
  readonly #end: number;
  /** Resolves with the end of what can be read, when that is behind a place. */
  readonly #until: (at: number) => Promise<number>;
  readonly #buffer: Uint8Array;
  #at: number;
  #isClosed = false;

  constructor(file: FileHandle, start: number, end: number, until: (at: number) => Promise<number>) {
    this.#file = file;
    this.#at = start;
    this.#end = end;
    this.#until = until;
    this.#buffer = new Uint8Array(Math.min(CHUNK_BYTES, end - start));
  }

  [Symbol.asyncIterator](): AsyncIterator<Uint8Array> {
    return this;
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    if (this.#isClosed || this.#at === this.#end) return this.return();
    try {
      const readable = await this.#until(this.#at);
      const wanted = Math.min(this.#buffer.length, readable - this.#at);
      const { bytesRead } = await this.#file.read(this.#buffer, 0, wanted, this.#at);
      if (bytesRead === 0) throw new Error('A content file is shorter than what was written to it.');
      this.#at += bytesRead;
      return { done: false, value: this.#buffer.subarray(0, bytesRead) };
    } catch (error) {
      await this.return();
      throw error;
    }
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    if (!this.#isClosed) {
      this.#isClosed = true;
      await this.#file.close();
    }
    return { done: true, value: undefined };
  }
}

/** The file was completed or discarded meanwhile. */
function ignoreMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}
