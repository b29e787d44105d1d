import { createHash } from 'node:crypto';
import { close, fsync, openSync, read, write, writeSync } from 'node:fs';
import { promisify } from 'node:util';

/** The content of a file that is named by its digest. */
export interface ContentFile {
  /** SHA-256, hexadecimal. */
  readonly digest: string;
  readonly bytes: number;
}

/** A stream of bytes. */
export interface ByteSource extends AsyncIterable<Uint8Array> {
  /**
   * Iterates over the stream, except for chunks that arrive too fast to be buffered: those go to
   * `overflow` at once, until the iteration ends.
   */
  readWithOverflow?(overflow: (chunk: Uint8Array) => void): AsyncIterable<Uint8Array>;
}

const READ_BYTES = 256 * 1024;

const file = {
  write: promisify(write),
  read: promisify(read),
  sync: promisify(fsync),
  close: promisify(close),
};

/**
 * Writes all bytes of a source to a new file, and syncs it. The file is opened synchronously:
 * chunks may start to arrive too fast in this very turn of the event loop, and would be kept in
 * memory until there is a file.
 */
export async function writeDraft(path: string, source: ByteSource): Promise<ContentFile> {
  const descriptor = openSync(path, 'wx+');
  const draft = new ContentDraft(descriptor);
  try {
    const chunks = source.readWithOverflow?.((chunk) => draft.writeNow(chunk)) ?? source;
    for await (const chunk of chunks) await draft.write(chunk);
    return await draft.finish();
  } finally {
    draft.end();
    await file.close(descriptor);
  }
}

/** A growing file and the digest of its bytes. */
class ContentDraft {
  readonly #descriptor: number;
  readonly #hash = createHash('sha256');
  #written = 0;
  #hashed = 0;
  #failure: unknown;
  #ended = false;

  constructor(descriptor: number) {
    this.#descriptor = descriptor;
  }

  async write(piece: Uint8Array): Promise<void> {
    if (this.#hashed === this.#written) this.#addToHash(piece);
    let at = this.#grow(piece);
    for (let left = piece; left.length > 0; ) {
      const { bytesWritten } = await file.write(this.#descriptor, left, 0, left.length, at);
      at += bytesWritten;
      left = left.subarray(bytesWritten);
    }
  }

  /** Ignores later pieces: soon the descriptor may belong to another file. */
  end(): void {
    this.#ended = true;
  }

  /** Only writes; the digest catches up at the end. `finish` throws the error of a failed write. */
  writeNow(piece: Uint8Array): void {
    if (this.#ended) return;
    let at = this.#grow(piece);
    try {
      for (let left = piece; left.length > 0; ) {
        const bytesWritten = writeSync(this.#descriptor, left, 0, left.length, at);
        at += bytesWritten;
        left = left.subarray(bytesWritten);
      }
    } catch (error) {
      this.#failure ??= error;
    }
  }

  async finish(): Promise<ContentFile> {
    if (this.#failure !== undefined) throw this.#failure;
    const buffer = new Uint8Array(this.#hashed < this.#written ? READ_BYTES : 0);
    while (this.#hashed < this.#written) {
      const { bytesRead } = await file.read(this.#descriptor, buffer, 0, buffer.length, this.#hashed);
      if (bytesRead === 0) throw new Error('A content file is shorter than the bytes written to it.');
      this.#addToHash(buffer.subarray(0, bytesRead));
    }
    await file.sync(this.#descriptor);
    return { digest: this.#hash.digest('hex'), bytes: this.#written };
  }

  #addToHash(piece: Uint8Array): void {
    this.#hash.update(piece);
    this.#hashed += piece.length;
  }

  /**
   * Returns the piece's offset. Reserves its range at once, because another piece may arrive before
   * it is written.
   */
  #grow(piece: Uint8Array): number {
    const at = this.#written;
    this.#written += piece.length;
    return at;
  }
}
