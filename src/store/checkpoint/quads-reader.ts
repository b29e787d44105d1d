/** Reads the quads of a checkpoint of format 1, which its image duplicates. */
import { createHash, type Hash } from 'node:crypto';
import { AppError } from '../../errors.ts';
import { type Disk, type DiskFile, readFully, withFile } from '../../journal/disk/disk.ts';
import { QuadSet } from '../../snapshot/runs/quad-set.ts';
import { SnapshotWriter } from '../../snapshot/write/snapshot-writer.ts';
import { newBounds, scanQuad } from '../patch/quad-scanner.ts';
import { type Checkpoint, checkpointFiles } from './checkpoint.ts';

const PIECE_BYTES = 1 << 20;
const LINE_FEED = 0x0a;

/**
 * Builds the snapshot from the quads. Throws `data-damaged` if the file is not as it was written,
 * or can't be read.
 */
export async function readQuads(disk: Disk, checkpoint: Checkpoint): Promise<SnapshotWriter> {
  const writer = new SnapshotWriter();
  const additions = new QuadSet();
  await readLines(disk, checkpoint, (lines) => internQuads(writer, lines, additions));
  writer.apply({ additions: additions.rows(), removals: new Uint32Array(0) });
  writer.publish(checkpoint.sequence);
  return writer;
}

/**
 * Passes whole lines of canonical N-Quads to `take`. Throws `data-damaged` if the file is not as it
 * was written, or `take` can't read it; results from earlier lines must then be discarded.
 */
export async function readLines(
  disk: Disk,
  { sequence, token, quads }: Checkpoint,
  take: (lines: Uint8Array) => void,
): Promise<void> {
  const { quadsFile } = checkpointFiles({ sequence, token });
  await withFile(disk, quadsFile, 'read', async (file) => {
    const hash = createHash('sha256');
    for await (const lines of linePieces(file, hash)) {
      try {
        take(lines);
      } catch (error) {
        throw new AppError('data-damaged', `${quadsFile} can't be loaded: ${String(error)}`, {}, error);
      }
    }
    if (hash.digest('hex') === quads?.digest) return;
    const advice = 'Nothing was changed; restore a backup.';
    throw new AppError('data-damaged', `${quadsFile} does not match its digest. ${advice}`);
  });
}

function internQuads(writer: SnapshotWriter, piece: Uint8Array, into: QuadSet): void {
  const bounds = newBounds();
  const id = (column: number) =>
    writer.dictionary.intern(piece, bounds[2 * column]!, bounds[2 * column + 1]!);
  for (let at = 0; at < piece.length; ) {
    at = scanQuad(piece, at, bounds);
    into.add(id(0), id(1), id(2), id(3));
  }
}

/**
 * Yields the file in chunks of whole lines, each of which is valid until the next is requested.
 * They share the same memory, because V8 would keep dozens of such buffers before it considers a
 * collection worthwhile.
 */
async function* linePieces(file: DiskFile, hash: Hash): AsyncGenerator<Uint8Array> {
  const read = sequentialReader(file, hash);
  let buffer = new Uint8Array(Math.min(await file.size(), PIECE_BYTES));
  let rest = 0;
  for (;;) {
    if (rest === buffer.length) buffer = doubled(buffer);
    const count = await read(buffer.subarray(rest));
    const filled = rest + count;
    if (count === 0) break;
    const end = buffer.lastIndexOf(LINE_FEED, filled - 1) + 1;
    if (end > 0) yield buffer.subarray(0, end);
    buffer.copyWithin(0, end, filled);
    rest = filled - end;
  }
  if (rest > 0) yield buffer.subarray(0, rest);
}

/** Returns a larger copy of the buffer, for a longer line. */
function doubled(buffer: Uint8Array): Uint8Array<ArrayBuffer> {
  const bigger = new Uint8Array(2 * buffer.length);
  bigger.set(buffer);
  return bigger;
}

/**
 * Reads a file from its start, each call continuing where the last one ended, and digests the
 * bytes.
 */
function sequentialReader(file: DiskFile, hash: Hash): (target: Uint8Array) => Promise<number> {
  let offset = 0;
  return async (target) => {
    const count = await readFully(file, target, offset);
    offset += count;
    hash.update(target.subarray(0, count));
    return count;
  };
}
