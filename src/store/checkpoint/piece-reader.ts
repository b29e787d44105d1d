import { createHash } from 'node:crypto';
import { type Disk, type DiskFile, readFully, withFile } from '../../journal/disk/disk.ts';
import type { PieceDigests } from '../../pool/messages.ts';
import { type ImageMemory, memoryOf } from '../../snapshot/image/image.ts';

/**
 * Bytes read at a time: small enough to be digested while they are still in the processor's cache.
 */
const CHUNK_BYTES = 1 << 20;

/** An image that several threads read together; this description is sent to each of them. */
export interface PieceWork {
  readonly name: string;
  readonly memory: ImageMemory;
  readonly digests: PieceDigests;
  /** A single number: the next piece that has not been claimed by a thread. */
  readonly next: Int32Array<SharedArrayBuffer>;
}

/** Returns the work for a whole image. */
export function pieceWork(name: string, memory: ImageMemory, digests: PieceDigests): PieceWork {
  return { name, memory, digests, next: new Int32Array(new SharedArrayBuffer(4)) };
}

/**
 * Reads pieces into memory and compares their digests until all have been read. Returns the number
 * of a piece that is not as it was written; the rest is then left unread.
 */
export function readPieces(disk: Disk, work: PieceWork): Promise<number | undefined> {
  const { pieces } = work.digests;
  return withFile(disk, work.name, 'read', async (file) => {
    for (;;) {
      const piece = Atomics.add(work.next, 0, 1);
      if (piece >= pieces.length) return undefined;
      if ((await readPiece(file, work, piece)) === pieces[piece]) continue;
      Atomics.store(work.next, 0, pieces.length);
      return piece;
    }
  });
}

/**
 * Returns the digest of the bytes that were read. The next chunk is read while the previous one is
 * digested.
 */
async function readPiece(file: DiskFile, work: PieceWork, piece: number): Promise<string> {
  const hash = createHash('sha256');
  let digesting: Uint8Array | undefined;
  for (const [chunk, offset] of chunksOf(work, piece)) {
    const reading = readFully(file, chunk, offset);
    if (digesting) hash.update(digesting);
    digesting = chunk.subarray(0, await reading);
  }
  if (digesting) hash.update(digesting);
  return hash.digest('hex');
}

/** Yields the memory of a piece in chunks, each with its offset in the file. */
function* chunksOf({ memory, digests }: PieceWork, piece: number): Generator<readonly [Uint8Array, number]> {
  let offset = piece * digests.pieceBytes;
  const end = Math.min(offset + digests.pieceBytes, digests.bytes);
  for (const part of memoryOf(memory, offset, end)) {
    for (let from = 0; from < part.length; from += CHUNK_BYTES) {
      const chunk = part.subarray(from, from + CHUNK_BYTES);
      yield [chunk, offset];
      offset += chunk.length;
    }
  }
}
