/** Moves files between a data directory and objects, and verifies them on the way. */
import { createHash } from 'node:crypto';
import { AppError } from '../../errors.ts';
import { type Disk, readFully, withFile } from '../../journal/disk/disk.ts';
import { draftOf } from '../../journal/disk/unique-names.ts';
import type { ObjectBucket } from './bucket.ts';
import type { SharedFile } from './checkpoint-entry.ts';

const READ_BYTES = 1 << 20;
/** Synced this often, so that other syncs need not wait for all of a large file. */
const SYNC_BYTES = 8 << 20;
/** How often an object is read whose bytes are wrong: another log server may have it right. */
const ATTEMPTS = 2;

/** The digests of a file that was written piece by piece. */
export interface PieceDigests {
  readonly bytes: number;
  /** The last piece may be shorter. */
  readonly pieceBytes: number;
  /** SHA-256, hexadecimal. */
  readonly pieces: readonly string[];
}

/** Told how many bytes more have been moved; less than 0 if they are moved again. */
export type OnBytes = (bytes: number) => void;

/** Yields the bytes of a file. All chunks share one buffer: each is valid until the next one. */
export async function* fileBytes(disk: Disk, name: string): AsyncGenerator<Uint8Array> {
  const file = await disk.open(name, 'read');
  try {
    const buffer = new Uint8Array(Math.min(READ_BYTES, Math.max(1, await file.size())));
    for (let at = 0; ; ) {
      const read = await readFully(file, buffer, at);
      if (read > 0) yield buffer.subarray(0, read);
      if (read < buffer.length) return;
      at += read;
    }
  } finally {
    await file.close();
  }
}

/**
 * Passes the bytes on, and compares each piece with its digest. Throws `data-damaged` before the
 * end if one differs.
 */
export async function* verifiedPieces(
  bytes: AsyncIterable<Uint8Array>,
  digests: PieceDigests,
  name: string,
): AsyncGenerator<Uint8Array> {
  let hash = createHash('sha256');
  let at = 0;
  for await (const chunk of bytes) {
    for (let from = 0; from < chunk.length; ) {
      const room = digests.pieceBytes - (at % digests.pieceBytes);
      const part = chunk.subarray(from, from + room);
      hash.update(part);
      at += part.length;
      from += part.length;
      if (at % digests.pieceBytes !== 0 && at !== digests.bytes) continue;
      const piece = Math.ceil(at / digests.pieceBytes) - 1;
      if (hash.digest('hex') !== digests.pieces[piece]) throw damaged(name);
      hash = createHash('sha256');
    }
    yield chunk;
  }
  if (at !== digests.bytes) throw damaged(name);
}

interface Fetch {
  readonly objects: ObjectBucket;
  readonly onBytes: OnBytes;
}

/**
 * Fetches files into a directory. The last one, without which the others are nothing, gets its name
 * when all are complete, verified and durable. Errors: see `fetchTo`.
 */
export async function fetchFiles(
  disk: Disk,
  { files, ...fetch }: Fetch & { readonly files: readonly SharedFile[] },
): Promise<void> {
  for (const file of files.slice(0, -1)) await fetchTo(disk, file.name, { ...fetch, file });
  const last = files.at(-1)!;
  const draft = draftOf(last.name);
  await fetchTo(disk, draft, { ...fetch, file: last });
  await disk.syncDirectory('');
  await disk.rename(draft, last.name);
  await disk.syncDirectory('');
}

/**
 * Fetches an object to a new file, and syncs that, but not its name. Leaves no file if it fails.
 * Errors: `not-found` if the object is gone; `data-damaged`, `unavailable`.
 */
export async function fetchTo(
  disk: Disk,
  path: string,
  { objects, file, onBytes }: Fetch & { readonly file: Omit<SharedFile, 'name'> },
): Promise<void> {
  const object = await objects.find(file.object);
  if (!object) throw new AppError('not-found', `The log servers have no object ${file.object}.`);
  if (object.digest !== file.digest || object.bytes !== file.bytes) throw damaged(file.object);
  for (let attempt = 1; ; attempt++) {
    let read = 0;
    const count = (bytes: number) => {
      read += bytes;
      onBytes(bytes);
    };
    try {
      return await writeFile(disk, path, counted(objects.read(object), count));
    } catch (error) {
      await disk.remove(path).catch(() => {});
      const isDamaged = (error as { readonly code?: unknown }).code === 'data-damaged';
      if (!isDamaged || attempt === ATTEMPTS) throw error;
      onBytes(-read);
    }
  }
}

/** Writes and syncs a new file. The chunks must stay valid until the next one is asked for. */
function writeFile(disk: Disk, name: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
  return withFile(disk, name, 'create', async (file) => {
    let unsynced = 0;
    for await (const chunk of bytes) {
      await file.append([chunk]);
      unsynced += chunk.length;
      if (unsynced < SYNC_BYTES) continue;
      await file.sync();
      unsynced = 0;
    }
    await file.sync();
  });
}

/** Passes the bytes on, and counts them. */
export async function* counted(
  bytes: AsyncIterable<Uint8Array>,
  onBytes: OnBytes,
): AsyncGenerator<Uint8Array> {
  for await (const chunk of bytes) {
    yield chunk;
    onBytes(chunk.length);
  }
}

function damaged(name: string): AppError {
  return new AppError('data-damaged', `${name} is not as it was written.`);
}
