import { createHash } from 'node:crypto';
import type { PieceDigests } from '../../pool/messages.ts';

/**
 * Large enough to be read at full speed, small enough for several threads to share the pieces of an
 * image evenly.
 */
export const PIECE_BYTES = 16 * 2 ** 20;

/** Computes the digests of a file, piece by piece, while it is written from start to end. */
export class PieceDigester {
  readonly #pieceBytes: number;
  readonly #pieces: string[] = [];
  #hash = createHash('sha256');
  #bytes = 0;

  constructor(pieceBytes: number) {
    this.#pieceBytes = pieceBytes;
  }

  update(chunk: Uint8Array): void {
    for (let from = 0; from < chunk.length; ) {
      const room = this.#pieceBytes - (this.#bytes % this.#pieceBytes);
      const part = chunk.subarray(from, from + room);
      this.#hash.update(part);
      this.#bytes += part.length;
      from += part.length;
      if (part.length === room) this.#endPiece();
    }
  }

  /** Returns the digests. Must be called once, at the end. */
  digests(): PieceDigests {
    if (this.#bytes % this.#pieceBytes > 0) this.#endPiece();
    return { bytes: this.#bytes, pieceBytes: this.#pieceBytes, pieces: this.#pieces };
  }

  #endPiece(): void {
    this.#pieces.push(this.#hash.digest('hex'));
    this.#hash = createHash('sha256');
  }
}
