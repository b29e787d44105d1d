import { createHash } from 'node:crypto';
import { JetStreamApiError, type JetStreamClient, type PubAck } from '@nats-io/jetstream';
import { newToken } from '../../journal/disk/unique-names.ts';
import type { BucketSubjects, ObjectEntry } from './entry-format.ts';
import { digestField } from './entry-format.ts';

/** Below the 1 MiB that a log server accepts by default; larger pieces need fewer round trips. */
const PIECE_BYTES = 512 * 1024;
/** Pieces that are on their way at a time. They arrive in order, over one connection. */
const IN_FLIGHT = 4;

export interface UploadParts {
  readonly js: JetStreamClient;
  readonly bucket: string;
  readonly subjects: BucketSubjects;
}

/** Stores the pieces of one object, which has no entry yet. */
export class NatsUpload {
  readonly nuid = newToken();
  readonly #parts: UploadParts;
  readonly #subject: string;
  readonly #hash = createHash('sha256');
  readonly #sent: Promise<PubAck>[] = [];
  #piece: Buffer = Buffer.allocUnsafe(PIECE_BYTES);
  #filled = 0;
  #bytes = 0;
  #pieces = 0;
  #isInDoubt = false;

  constructor(parts: UploadParts) {
    this.#parts = parts;
    this.#subject = parts.subjects.pieces(this.nuid);
  }

  /** Copies the chunk. Waits while many pieces are on their way. */
  async add(chunk: Uint8Array): Promise<void> {
    this.#hash.update(chunk);
    this.#bytes += chunk.length;
    for (let from = 0; from < chunk.length; ) {
      if (this.#filled === PIECE_BYTES) await this.#send();
      const part = chunk.subarray(from, from + PIECE_BYTES - this.#filled);
      this.#piece.set(part, this.#filled);
      this.#filled += part.length;
      from += part.length;
    }
  }

  /** Resolves with the entry of the object when all pieces are durable. */
  async finish(name: string): Promise<ObjectEntry> {
    if (this.#filled > 0) await this.#send();
    await Promise.all(this.#sent);
    return {
      name,
      bucket: this.#parts.bucket,
      nuid: this.nuid,
      size: this.#bytes,
      chunks: this.#pieces,
      digest: digestField(this.#hash.digest()),
      mtime: new Date().toISOString(),
      options: { max_chunk_size: PIECE_BYTES },
    };
  }

  /**
   * Resolves when all pieces were answered, or given up. Returns false if one may still be stored,
   * because no answer came.
   */
  async settled(): Promise<boolean> {
    await Promise.allSettled(this.#sent);
    return !this.#isInDoubt;
  }

  async #send(): Promise<void> {
    if (this.#sent.length >= IN_FLIGHT) await this.#sent.shift();
    const acknowledged = this.#parts.js.publish(this.#subject, this.#piece.subarray(0, this.#filled));
    // The error is thrown where it is awaited.
    acknowledged.catch((error: unknown) => {
      this.#isInDoubt ||= !(error instanceof JetStreamApiError);
    });
    this.#sent.push(acknowledged);
    this.#pieces++;
    this.#piece = Buffer.allocUnsafe(PIECE_BYTES);
    this.#filled = 0;
  }
}
