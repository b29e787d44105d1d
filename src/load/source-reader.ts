import { createReadStream } from 'node:fs';
import { open } from 'node:fs/promises';
import { createGunzip } from 'node:zlib';
import { AppError } from '../errors.ts';
import type { SourceFile } from './source-file.ts';

/** The system reads less than 2 GiB at a time. */
const MOST_AT_ONCE = 1 << 30;

/** Reads a file sequentially from its beginning. */
export interface SourceReader {
  /** Bytes of the file that have been read so far. */
  readonly bytesRead: number;
  /**
   * Reads the next bytes into memory, perhaps fewer than fit. Returns their number, 0 at the end of
   * the file.
   */
  read(into: Buffer): Promise<number>;
  close(): Promise<void>;
}

/**
 * Opens a file; gzip is decoded. Errors of `read`: `parse-error` for a file that is not gzip, and
 * read errors.
 */
export async function openSource({ loaded, gzip }: SourceFile): Promise<SourceReader> {
  return gzip ? new GzipReader(loaded.file) : PlainReader.open(loaded.file);
}

class PlainReader implements SourceReader {
  bytesRead = 0;
  readonly #file: Awaited<ReturnType<typeof open>>;

  static async open(name: string): Promise<PlainReader> {
    return new PlainReader(await open(name));
  }

  constructor(file: Awaited<ReturnType<typeof open>>) {
    this.#file = file;
  }

  async read(into: Buffer): Promise<number> {
    const { bytesRead } = await this.#file.read(into, 0, Math.min(into.length, MOST_AT_ONCE));
    this.bytesRead += bytesRead;
    return bytesRead;
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}

class GzipReader implements SourceReader {
  readonly #file: ReturnType<typeof createReadStream>;
  readonly #chunks: AsyncGenerator<Buffer>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(name: string) {
    this.#file = createReadStream(name, { highWaterMark: 1 << 20 });
    this.#chunks = inflated(this.#file, name);
  }

  get bytesRead(): number {
    return this.#file.bytesRead;
  }

  async read(into: Buffer): Promise<number> {
    while (this.#rest.length === 0) {
      const { done, value } = await this.#chunks.next();
      if (done) return 0;
      this.#rest = value;
    }
    const count = this.#rest.copy(into);
    this.#rest = this.#rest.subarray(count);
    return count;
  }

  async close(): Promise<void> {
    await this.#chunks.return(undefined);
    this.#file.destroy();
  }
}

async function* inflated(file: NodeJS.ReadableStream, name: string): AsyncGenerator<Buffer> {
  const gunzip = createGunzip({ chunkSize: 1 << 18 });
  file.once('error', (error) => gunzip.destroy(error));
  try {
    for await (const chunk of file.pipe(gunzip)) yield chunk as Buffer;
  } catch (error) {
    const isData = String((error as { code?: unknown }).code).startsWith('Z_');
    throw isData ? new AppError('parse-error', `${name} is not valid gzip.`, {}, error) : error;
  }
}
