/** Reads the quads of a checkpoint of format 1, for which its image is a copy. */
import { createHash, type Hash } from 'node:crypto';
import { AppError } from '../errors.ts';
import { type Disk, type DiskFile, readFully, withFile } from '../journal/disk.ts';
import { QuadSet } from '../snapshot/quad-set.ts';
import { SnapshotWriter } from '../snapshot/writer.ts';
import { type Checkpoint, checkpointFiles } from './checkpoint.ts';
import { newBounds, scanQuad } from './quad-scanner.ts';

const PIECE_BYTES = 1 << 20;
const LINE_FEED = 0x0a;

/**
 * The snapshot out of the quads. Error `data-damaged` when the file is not the one that was
 * written, or can't be read.
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
 * Whole lines of canonical N-Quads at a time. Error `data-damaged` when the file is not the one
 * that was written, or `take` can't read it: what it took before is of no use then.
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
 * The file in pieces of whole lines, each of which holds until the next is asked for: they come in
 * the same memory, since V8 leaves dozens of such buffers lying about until it thinks them worth a
 * collection.
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

/** For a line that is longer. */
function doubled(buffer: Uint8Array): Uint8Array<ArrayBuffer> {
  const bigger = new Uint8Array(2 * buffer.length);
  bigger.set(buffer);
  return bigger;
}

/**
 * Reads a file from its beginning on, each call where the last one ended, and digests what it
 * reads.
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
