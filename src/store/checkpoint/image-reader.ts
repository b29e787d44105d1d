import { availableParallelism } from 'node:os';
import { AppError } from '../../errors.ts';
import { type Disk, readFully, withFile } from '../../journal/disk/disk.ts';
import type { PieceDigests } from '../../pool/messages.ts';
import { startWorker } from '../../pool/threads/worker-url.ts';
import { SnapshotError } from '../../snapshot/errors.ts';
import { imageMemory, storedSnapshot } from '../../snapshot/image/image.ts';
import { HEADER_BYTES } from '../../snapshot/image/layout.ts';
import type { StoredSnapshot } from '../../snapshot/write/snapshot-writer.ts';
import { type Checkpoint, checkpointFiles } from './checkpoint.ts';
import { type PieceWork, pieceWork, readPieces } from './piece-reader.ts';

/** Reading this many bytes is faster than starting a thread. */
const BYTES_A_THREAD = 64 * 2 ** 20;
/** More threads would only wait for memory and the disk. */
const MOST_THREADS = 8;

/**
 * Reads the image of a checkpoint, with several threads if it is large, and checks its digests.
 * Throws `data-damaged`, with a message that says which part is damaged.
 */
export async function readImage(
  disk: Disk,
  { sequence, token, image }: Checkpoint,
  threads = threadsFor(image.bytes),
): Promise<StoredSnapshot> {
  const { imageFile } = checkpointFiles({ sequence, token });
  try {
    const { header, size } = await readHeader(disk, imageFile);
    if (size !== image.bytes) throw damaged(`it has ${size} bytes, not ${image.bytes}`);
    const memory = imageMemory(header, size);
    const work = pieceWork(imageFile, memory, image);
    const helpers = disk.root === undefined ? [] : startHelpers(disk.root, work, threads - 1);
    const found = await Promise.all([readPieces(disk, work), ...helpers]);
    const piece = found.find((each) => each !== undefined);
    if (piece !== undefined) throw damaged(aboutPiece(image, piece));
    return storedSnapshot(memory, size);
  } catch (error) {
    throw toDamage(error);
  }
}

function threadsFor(bytes: number): number {
  return Math.min(availableParallelism(), MOST_THREADS, Math.ceil(bytes / BYTES_A_THREAD));
}

/** Starts threads that end when all pieces have been read. */
function startHelpers(directory: string, work: PieceWork, count: number): Promise<number | undefined>[] {
  return Array.from({ length: count }, () => {
    const worker = startWorker('pieces', { directory, work });
    return new Promise((resolve, reject) => {
      worker.once('message', resolve).once('error', reject);
      worker.once('exit', () => reject(new Error('A thread exited while it was reading the image.')));
    });
  });
}

function readHeader(disk: Disk, name: string): Promise<{ header: Uint8Array; size: number }> {
  return withFile(disk, name, 'read', async (file) => {
    const header = new Uint8Array(HEADER_BYTES);
    const count = await readFully(file, header, 0);
    return { header: header.subarray(0, count), size: await file.size() };
  });
}

function aboutPiece({ bytes, pieceBytes, pieces }: PieceDigests, piece: number): string {
  const from = piece * pieceBytes;
  const to = Math.min(from + pieceBytes, bytes) - 1;
  return `piece ${piece + 1} of ${pieces.length} (bytes ${from} to ${to}) does not match its digest`;
}

function damaged(what: string, cause?: unknown): AppError {
  return new AppError('data-damaged', what, {}, cause);
}

function toDamage(error: unknown): unknown {
  if (error instanceof SnapshotError) return damaged(error.message.replace(/\.$/, ''), error);
  if ((error as { code?: unknown }).code === 'ENOENT') return damaged('it is missing', error);
  return error;
}
