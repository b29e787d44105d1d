/**
 * A file with the rows of one long transaction, beside the journal, whose record names it with its length and its digest:
 *
 *     patch-<sequence>-<random>.rdfp      lines as in `patch.ts`, from `TX .` to `TC .`
 *
 * The number is that of the commit on which the rows were worked out. The file is written, synced and has its name for
 * good before the record is appended, so a record that is there has its file. A file that no record names was left by a
 * transaction that came to nothing, or is covered by a checkpoint: the next start removes it.
 */
import { createHash, randomBytes } from 'node:crypto';
import { AppError } from '../errors.ts';
import { type Disk, type DiskFile, readFully, withFile } from '../journal/disk.ts';
import { removeIfThere } from '../journal/durable-file.ts';
import { isNoSpace } from '../journal/errors.ts';
import type { FileDigest } from '../pool/messages.ts';
import { decodeRows, type PatchReference, type RowVisitor } from './patch.ts';

/** Bytes of a file that are read at once, at least. */
const WINDOW_BYTES = 1 << 20;
/** Synced after so many bytes, so that no sync of the journal has to wait for much of it. */
const SYNC_BYTES = 8 << 20;
const LINE_FEED = 0x0a;

const namePattern = /^patch-\d{12,16}-[0-9a-f]{16}\.rdfp$/;

/** A name that no other file ever had. */
export function newPatchName(sequence: number): string {
  return `patch-${String(sequence).padStart(12, '0')}-${randomBytes(8).toString('hex')}.rdfp`;
}

/** The patch files in the data directory. */
export async function listPatchFiles(disk: Disk): Promise<string[]> {
  return (await disk.list('')).filter((name) => namePattern.test(name));
}

/** Removes the patch files that are not to be kept. */
export async function removePatchFiles(disk: Disk, isKept: (name: string) => boolean): Promise<void> {
  for (const name of await listPatchFiles(disk)) if (!isKept(name)) await disk.remove(name);
}

/** Writes a file, which is durable when it resolves; otherwise it is removed again. Error `store-full` when the disk is. */
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

async function writePieces(file: DiskFile, pieces: Iterable<Uint8Array>): Promise<FileDigest> {
  const hash = createHash('sha256');
  let bytes = 0;
  let synced = 0;
  for (const piece of pieces) {
    hash.update(piece);
    bytes += piece.length;
    await file.append([piece]);
    if (bytes - synced < SYNC_BYTES) continue;
    await file.sync();
    synced = bytes;
  }
  await file.sync();
  return { bytes, digest: hash.digest('hex') };
}

/**
 * Reads the rows of a file. What they come to must not be used when it rejects: they are compared with the digest last.
 * Error `data-damaged`.
 */
export async function readPatchFile(
  disk: Disk,
  reference: PatchReference,
  visitor: RowVisitor,
): Promise<void> {
  try {
    await eachPiece(disk, reference, (bytes, to) => decodeRows(bytes, 0, to, visitor));
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    if (code !== 'data-damaged' && code !== 'ENOENT') throw error;
    throw damagedFile(reference.name, code === 'ENOENT' ? 'is missing' : 'does not match its digest', error);
  }
}

/** What is wrong with a file; undefined when nothing is. */
export async function patchFileDamage(disk: Disk, reference: PatchReference): Promise<string | undefined> {
  try {
    await eachPiece(disk, reference, () => {});
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

/** Calls `visit` with whole lines, which end before `to`; they are valid during the call only. */
async function eachPiece(
  disk: Disk,
  { name, bytes, digest }: PatchReference,
  visit: (lines: Uint8Array, to: number) => void,
): Promise<void> {
  await withFile(disk, name, 'read', async (file) => {
    const hash = createHash('sha256');
    let window = new Uint8Array(WINDOW_BYTES);
    let held = 0;
    if ((await file.size()) !== bytes) throw mismatch(name);
    for (let at = 0; at < bytes; ) {
      const room = Math.min(window.length - held, bytes - at);
      const read = await readFully(file, window.subarray(held, held + room), at);
      if (read < room) throw mismatch(name);
      hash.update(window.subarray(held, held + read));
      at += read;
      const filled = held + read;
      const to = window.lastIndexOf(LINE_FEED, filled - 1) + 1;
      visit(window, to);
      held = filled - to;
      const next = held > window.length / 2 ? new Uint8Array(2 * window.length) : window;
      next.set(window.subarray(to, filled));
      window = next;
    }
    if (held > 0 || hash.digest('hex') !== digest) throw mismatch(name);
  });
}

function mismatch(name: string): AppError {
  return damagedFile(name, 'does not match its digest', undefined);
}

function damagedFile(name: string, what: string, cause: unknown): AppError {
  const message = `${name}, which holds the triples of an acknowledged write, ${what}. Nothing was changed; restore a backup.`;
  return new AppError('data-damaged', message, {}, cause);
}
