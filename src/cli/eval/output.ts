import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import type { Writable } from 'node:stream';
import { finished } from 'node:stream/promises';

/** The destination of lines: a file, or standard output. */
export class Output {
  readonly #stream: Writable;
  readonly #isFile: boolean;
  #error: Error | undefined;

  constructor(file: string | undefined) {
    this.#isFile = file !== undefined;
    this.#stream = file === undefined ? process.stdout : createWriteStream(file);
    this.#stream.on('error', (error) => {
      this.#error = error;
    });
  }

  /** Waits while the reader does not keep up. Throws if nothing can be written any more. */
  async write(bytes: Uint8Array): Promise<void> {
    if (!this.#error && !this.#stream.write(bytes)) await once(this.#stream, 'drain').catch(() => {});
    if (this.#error) throw this.#error;
  }

  /** Resolves when everything has been written. */
  async close(): Promise<void> {
    if (this.#error) throw this.#error;
    if (!this.#isFile) return;
    this.#stream.end();
    await finished(this.#stream);
  }
}
