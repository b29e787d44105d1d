/**
 * A file with the rows of one large transaction, beside the journal, whose record names it with its
 * length and its digest:
 *
 *     patch-<sequence>-<random>.rows      blocks, see `row-block.ts`
 *     patch-<sequence>-<random>.rdfp      lines as in `patch.ts`, from `TX .` to `TC .`; read, but
 *                                         no longer written
 *
 * The number is that of the commit on which the rows were worked out. The file is written and
 * synced, and its name is durable, before the record is appended, so every record has its file. A
 * file that is not named by a record was left by a failed transaction or is covered by a
 * checkpoint: the next start removes it.
 */
import { createHash, randomBytes } from 'node:crypto';
import { AppError } from '../../errors.ts';
import { type Disk, type DiskFile, readFully, withFile } from '../../journal/disk/disk.ts';
import { removeIfThere } from '../../journal/disk/durable-file.ts';
import { isNoSpace } from '../../journal/errors.ts';
import type { FileDigest } from '../../pool/file-digest.ts';
import { decodeRows, type PatchReference, patchRows, type RowVisitor, rowsBegin, rowsEnd } from './patch.ts';
import { type RowBlock, readBlocks } from './row-block.ts';

/** The minimum number of bytes of a file to read at once. */
const WINDOW_BYTES = 1 << 20;
/**
 * The file is synced after this many bytes, so that a sync of the journal never has to wait for
 * much of it.
 */
const SYNC_BYTES = 8 << 20;
const LINE_FEED = 0x0a;

const namePattern = /^patch-\d{12,16}-[0-9a-f]{16}\.(?:rdfp|rows)$/;

/** Returns a name that has never been used. */
export function newPatchName(sequence: number): string {
  return `patch-${String(sequence).padStart(12, '0')}-${randomBytes(8).toString('hex')}.rows`;
}

/** Returns a number that is less than that of the record that names the file. */
export function patchNumber(name: string): number {
  return Number(name.split('-')[1]);
}

/** Returns the names of the patch files in the data directory. */
export async function listPatchFiles(disk: Disk): Promise<string[]> {
  return (await disk.list('')).filter((name) => namePattern.test(name));
}

/** Removes the patch files for which `isKept` returns false. */
export async function removePatchFiles(disk: Disk, isKept: (name: string) => boolean): Promise<void> {
  for (const name of await listPatchFiles(disk)) if (!isKept(name)) await disk.remove(name);
}

/**
 * Writes a file, which is durable when the promise resolves; on failure the file is removed. Throws
 * `store-full` if the disk is full.
 */
export async function writePatchFile(
  disk: Disk,
  name: string,
  pieces: Iterable<Uint8Array>,
): Promise<FileDigest> {
  try {
    const written = await withFile(disk, name, 'create', (file) => writePieces(file, pieces));
    await disk.syncDirectory('');
    return written;
  } catch (error) {
    await removeIfThere(disk, name).catch(() => {});
    throw isNoSpace(error) ? diskFull(error) : error;
  }
}

function diskFull(cause: unknown): AppError {
  return new AppError('store-full', 'The disk is full. Nothing of the change was stored.', {}, cause);
}

/** Each piece is generated while the previous one is being written. */
async function writePieces(file: DiskFile, pieces: Iterable<Uint8Array>): Promise<FileDigest> {
  const hash = createHash('sha256');
  let bytes = 0;
  let synced = 0;
  let writing = Promise.resolve();
  try {
    for (const piece of pieces) {
      hash.update(piece);
      bytes += piece.length;
      await writing;
      const isLong = bytes - synced >= SYNC_BYTES;
      if (isLong) synced = bytes;
      writing = writePiece(file, piece, isLong);
    }
  } finally {
    await writing;
  }
  await file.sync();
  return { bytes, digest: hash.digest('hex') };
}

async function writePiece(file: DiskFile, piece: Uint8Array, syncs: boolean): Promise<void> {
  await file.append([piece]);
  if (syncs) await file.sync();
}

/**
 * Reads the rows of a text file. Its digest is compared last, so if this rejects, the caller must
 * discard what `visitor` has built. Throws `data-damaged`.
 */
export async function readPatchFile(
  disk: Disk,
  reference: PatchReference,
  visitor: RowVisitor,
): Promise<void> {
  for await (const lines of patchLines(disk, reference)) {
    try {
      decodeRows(lines, visitor);
    } catch (error) {
      throw (error as { readonly code?: unknown }).code === 'data-damaged'
        ? mismatch(reference, error)
        : error;
    }
  }
}

/**
 * Reads the blocks of a binary file. Its digest is compared last, so if this rejects, the caller
 * must discard everything built from the blocks. Throws `data-damaged`.
 */
export async function* patchBlocks(disk: Disk, reference: PatchReference): AsyncGenerator<RowBlock> {
  const { bytes, digest } = reference;
  const file = await openPatch(disk, reference);
  try {
    if ((await file.size()) !== bytes) throw mismatch(reference);
    const hash = createHash('sha256');
    for await (const block of readBlocks(file, bytes, (piece) => hash.update(piece))) {
      if (!block) throw mismatch(reference);
      yield block;
    }
    if (hash.digest('hex') !== digest) throw mismatch(reference);
  } finally {
    await file.close();
  }
}

/**
 * Yields the rows of a file as text, some whole lines at a time, which are valid until the next
 * ones are requested. Throws `data-damaged`, at the latest after the last ones.
 */
export async function* patchLines(disk: Disk, reference: PatchReference): AsyncGenerator<Uint8Array> {
  if (reference.rows !== undefined) return yield* linesOfBlocks(patchBlocks(disk, reference));
  const file = await openPatch(disk, reference);
  try {
    yield* verifiedLines(file, reference);
  } finally {
    await file.close();
  }
}

/** Yields rows in blocks as text, like `patchLines`. */
export async function* linesOfBlocks(
  blocks: AsyncIterable<RowBlock> | Iterable<RowBlock>,
): AsyncGenerator<Uint8Array> {
  yield rowsBegin;
  for await (const { bytes, offsets, ...changes } of blocks) {
    const start = (term: number) => offsets[term]!;
    const end = (term: number) => offsets[term + 1]!;
    yield* patchRows(changes, { bytes, start, end });
  }
  yield rowsEnd;
}

async function openPatch(disk: Disk, { name }: PatchReference): Promise<DiskFile> {
  try {
    return await disk.open(name, 'read');
  } catch (error) {
    throw (error as { readonly code?: unknown }).code === 'ENOENT'
      ? damagedFile(name, 'is missing', error)
      : error;
  }
}

async function* verifiedLines(file: DiskFile, reference: PatchReference): AsyncGenerator<Uint8Array> {
  const { bytes, digest } = reference;
  if ((await file.size()) !== bytes) throw mismatch(reference);
  const hash = createHash('sha256');
  let window = new Uint8Array(WINDOW_BYTES);
  let buffered = 0;
  for (let at = 0; at < bytes; ) {
    const wanted = window.subarray(buffered, buffered + Math.min(window.length - buffered, bytes - at));
    if ((await readFully(file, wanted, at)) < wanted.length) throw mismatch(reference);
    hash.update(wanted);
    at += wanted.length;
    const filled = buffered + wanted.length;
    const end = window.lastIndexOf(LINE_FEED, filled - 1) + 1;
    if (end > 0) yield window.subarray(0, end);
    buffered = filled - end;
    const next = buffered > window.length / 2 ? new Uint8Array(2 * window.length) : window;
    next.set(window.subarray(end, filled));
    window = next;
  }
  if (buffered > 0 || hash.digest('hex') !== digest) throw mismatch(reference);
}

function mismatch({ name }: PatchReference, cause?: unknown): AppError {
  return damagedFile(name, 'does not match its digest', cause);
}

function damagedFile(name: string, what: string, cause: unknown): AppError {
  const message = `${name}, which holds the triples of an acknowledged write, ${what}. Nothing was changed; restore a backup.`;
  return new AppError('data-damaged', message, {}, cause);
}
