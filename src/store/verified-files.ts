import { createHash } from 'node:crypto';
import { type BigIntStats, fstatSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { AppError } from '../errors.ts';
import { contentPath } from './referenced-content.ts';

/** Read and hashed at a time, with a turn for others behind it: some tenths of a millisecond. */
const PIECE_BYTES = 256 * 1024;
/** Beyond this the oldest are forgotten: to know one takes about 200 bytes. */
const MAX_KNOWN = 100_000;

/**
 * Which files of content have been seen to match their digest by this process, as long as they seem
 * unchanged: the same file, of the same length and time. Damage that leaves all of these alone is found
 * by those who read the whole file.
 */
export class VerifiedFiles {
  /** What a file was when it matched, by digest; the oldest first. */
  readonly #stamps = new Map<string, string>();
  /** Verifications under way, by digest and file. */
  readonly #running = new Map<string, Promise<void>>();

  /** Takes note of a file that has just been written, or verified. */
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

  /** Reads the file, unless it is known already. Error `data-damaged` when it does not match. */
  async require(file: FileHandle, digest: string, bytes: number): Promise<void> {
    // An open file's inode is in memory: a thread to ask for it would take longer.
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

/** What changes when somebody changes a file or puts another in its place. */
function stampOf({ ino, size, mtimeNs }: BigIntStats): string {
  return `${ino} ${size} ${mtimeNs}`;
}

/** The error for a file of content that is not what it should be. */
export function damaged(digest: string): AppError {
  const advice = 'Store the content again, or restore it from a backup.';
  return new AppError('data-damaged', `${contentPath(digest)} does not match its digest. ${advice}`);
}
