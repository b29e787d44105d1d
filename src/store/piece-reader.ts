import { createHash } from 'node:crypto';
import { type Disk, type DiskFile, readFully, withFile } from '../journal/disk.ts';
import type { PieceDigests } from '../pool/messages.ts';
import { type ImageMemory, memoryOf } from '../snapshot/image.ts';

/** Read at a time: what was read is digested while it is still in the processor's cache. */
const CHUNK_BYTES = 1 << 20;

/** An image that several threads read together; it travels between them. */
export interface PieceWork {
  readonly name: string;
  readonly memory: ImageMemory;
  readonly digests: PieceDigests;
  /** One number: the next piece that nobody reads yet. */
  readonly next: Int32Array<SharedArrayBuffer>;
}

/** Work of which nothing is done. */
export function pieceWork(name: string, memory: ImageMemory, digests: PieceDigests): PieceWork {
  return { name, memory, digests, next: new Int32Array(new SharedArrayBuffer(4)) };
}

/**
 * Reads pieces into memory and compares their digests, until none is left. Gives the number of a
 * piece that is not what was written, and leaves the rest then.
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

/** Gives the digest of what was read. The next chunk is on its way while one is digested. */
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

/** The memory of a piece in chunks, each with its place in the file. */
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
