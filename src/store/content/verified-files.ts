import { createHash } from 'node:crypto';
import { type BigIntStats, fstatSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { AppError } from '../../errors.ts';
import { contentPath } from './referenced-content.ts';

/** Bytes that are read and hashed before other work gets a turn: a few tenths of a millisecond. */
const PIECE_BYTES = 256 * 1024;
/** Above this number the oldest entries are dropped; an entry uses about 200 bytes. */
const MAX_KNOWN = 100_000;
const MAX_DAMAGED = 1_000;
const MAX_NAMED = 10;

/** Content files that were found damaged and are not known to have been repaired. */
export interface ContentDamage {
  readonly count: number;
  /** The digests of the newest ones. */
  readonly digests: readonly string[];
}

/**
 * The content files that this process has verified against their digest. A file must be verified
 * again if its inode, length or modification time has changed. Damage that changes none of these is
 * detected when the whole file is read.
 */
export class VerifiedFiles {
  /** Inode, length and time of verified files, by digest; the oldest entry first. */
  readonly #stamps = new Map<string, string>();
  /** The same for files that did not match, so that each is read only once. */
  readonly #damaged = new Map<string, string>();
  /** Verifications in progress, by digest and file. */
  readonly #running = new Map<string, Promise<boolean>>();

  get damage(): ContentDamage {
    return { count: this.#damaged.size, digests: [...this.#damaged.keys()].slice(-MAX_NAMED) };
  }

  /** Adds a file that has just been written or verified. */
  note(digest: string, file: BigIntStats): void {
    this.#damaged.delete(digest);
    remember(this.#stamps, digest, stampOf(file), MAX_KNOWN);
  }

  /** Records that a file that was verified before is damaged. */
  noteDamage(digest: string, stamp = ''): void {
    this.#stamps.delete(digest);
    remember(this.#damaged, digest, stamp, MAX_DAMAGED);
  }

  /** Forgets a file that has been removed. */
  forget(digest: string): void {
    this.#stamps.delete(digest);
    this.#damaged.delete(digest);
  }

  /**
   * Verifies a file, unless that has been done before. Throws `data-damaged` if it does not match.
   */
  async require(file: FileHandle, digest: string, bytes: number): Promise<void> {
    // The inode of an open file is in memory, so this does not block.
    const stats = fstatSync(file.fd, { bigint: true });
    if (this.#stamps.get(digest) === stampOf(stats)) return;
    if (await this.#matches(file, stats, digest, bytes)) return this.note(digest, stats);
    this.noteDamage(digest, changeStampOf(stats));
    throw damaged(digest);
  }

  async #matches(file: FileHandle, stats: BigIntStats, digest: string, bytes: number): Promise<boolean> {
    const isKnown = this.#damaged.get(digest) === changeStampOf(stats);
    if (isKnown || stats.size !== BigInt(bytes)) return false;
    const key = `${digest} ${stampOf(stats)}`;
    const running = this.#running.get(key) ?? verify(file, digest);
    this.#running.set(key, running);
    try {
      return await running;
    } finally {
      this.#running.delete(key);
    }
  }
}

/** Whether a file has the digest. */
async function verify(file: FileHandle, digest: string): Promise<boolean> {
  const hash = createHash('sha256');
  const piece = new Uint8Array(PIECE_BYTES);
  for (let at = 0; ; ) {
    const { bytesRead } = await file.read(piece, 0, piece.length, at);
    if (bytesRead === 0) break;
    hash.update(piece.subarray(0, bytesRead));
    at += bytesRead;
  }
  return hash.digest('hex') === digest;
}

function remember(entries: Map<string, string>, key: string, value: string, max: number): void {
  entries.delete(key);
  entries.set(key, value);
  if (entries.size <= max) return;
  const [oldest] = entries.keys();
  entries.delete(oldest!);
}

/** Changes when a file is modified or replaced. */
function stampOf({ ino, size, mtimeNs }: BigIntStats): string {
  return `${ino} ${size} ${mtimeNs}`;
}

/** Also changes when a repair has restored the modification time. */
function changeStampOf(stats: BigIntStats): string {
  return `${stampOf(stats)} ${stats.ctimeNs}`;
}

/** The error for a content file that does not match its digest. */
export function damaged(digest: string): AppError {
  const advice = 'Store the content again, or restore it from a backup.';
  return new AppError('data-damaged', `${contentPath(digest)} does not match its digest. ${advice}`);
}
