import { createHash } from 'node:crypto';
import { type BigIntStats, fstatSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { AppError } from '../errors.ts';
import { contentPath } from './referenced-content.ts';

/** Bytes that are read and hashed before others get a turn: a few tenths of a millisecond. */
const PIECE_BYTES = 256 * 1024;
/** Beyond this the oldest entries are dropped; an entry takes about 200 bytes. */
const MAX_KNOWN = 100_000;

/**
 * The content files that this process has verified against their digest. A file must be verified
 * again when its inode, length or modification time has changed. Damage that changes none of these
 * is found when the whole file is read.
 */
export class VerifiedFiles {
  /** Inode, length and time of verified files, by digest; the oldest entry first. */
  readonly #stamps = new Map<string, string>();
  /** Verifications under way, by digest and file. */
  readonly #running = new Map<string, Promise<void>>();

  /** Adds a file that has just been written or verified. */
  note(digest: string, file: BigIntStats): void {
    this.#stamps.delete(digest);
    this.#stamps.set(digest, stampOf(file));
    if (this.#stamps.size <= MAX_KNOWN) return;
    const [oldest] = this.#stamps.keys();
    this.#stamps.delete(oldest!);
  }

  forget(digest: string): void {
    this.#stamps.delete(digest);
  }

  /** Verifies a file, unless that has been done. Error `data-damaged` when it does not match. */
  async require(file: FileHandle, digest: string, bytes: number): Promise<void> {
    // The inode of an open file is in memory, so this does not block.
    const stats = fstatSync(file.fd, { bigint: true });
    const stamp = stampOf(stats);
    if (this.#stamps.get(digest) === stamp) return;
    if (stats.size !== BigInt(bytes)) throw damaged(digest);
    const key = `${digest} ${stamp}`;
    const running = this.#running.get(key) ?? verify(file, digest);
    this.#running.set(key, running);
    try {
      await running;
      this.note(digest, stats);
    } finally {
      this.#running.delete(key);
    }
  }
}

async function verify(file: FileHandle, digest: string): Promise<void> {
  const hash = createHash('sha256');
  const piece = new Uint8Array(PIECE_BYTES);
  for (let at = 0; ; ) {
    const { bytesRead } = await file.read(piece, 0, piece.length, at);
    if (bytesRead === 0) break;
    hash.update(piece.subarray(0, bytesRead));
    at += bytesRead;
  }
  if (hash.digest('hex') !== digest) throw damaged(digest);
}

/** Changes when a file is modified or replaced. */
function stampOf({ ino, size, mtimeNs }: BigIntStats): string {
  return `${ino} ${size} ${mtimeNs}`;
}

/** The error for a content file that does not match its digest. */
export function damaged(digest: string): AppError {
  const advice = 'Store the content again, or restore it from a backup.';
  return new AppError('data-damaged', `${contentPath(digest)} does not match its digest. ${advice}`);
}
