import { readdir, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { ProcessIdentity } from './process-identity.ts';

/**
 * The contents of a lock file. `socket` or `leaseMs` determine how other processes find out whether
 * this one is still running. Older releases write and read only the identity of the process and
 * `since`.
 */
export interface LockRecord extends ProcessIdentity {
  /** When the lock was acquired, ISO 8601. */
  readonly since: string;
  /** Unique among all locks. */
  readonly id?: string;
  /** The name of a socket in the directory. */
  readonly socket?: string;
  /** The file changes more often than this while the lock is held, in milliseconds. */
  readonly leaseMs?: number;
  /** A count of these changes; always of the same length. */
  readonly beat?: string;
}

export interface LockFile {
  readonly name: string;
  readonly text: string;
  /**
   * Undefined if it can't be parsed, for example because the machine stopped just after it was
   * written.
   */
  readonly record: LockRecord | undefined;
}

const lockPattern = /^lock\.\d{1,9}$/;

/** Returns the lock files of a directory, sorted by number. */
export async function listLocks(directory: string): Promise<LockFile[]> {
  const names = (await readdir(directory)).filter((name) => lockPattern.test(name));
  const locks: LockFile[] = [];
  for (const name of names.sort((a, b) => numberOf(a) - numberOf(b))) {
    const text = await readIfThere(join(directory, name));
    if (text !== undefined) locks.push({ name, text, record: parseRecord(text) });
  }
  return locks;
}

/** Returns the name with the number after the last one. */
export function nextLockName(locks: readonly LockFile[]): string {
  return `lock.${1 + numberOf(locks.at(-1)?.name ?? 'lock.0')}`;
}

export function parseRecord(text: string): LockRecord | undefined {
  try {
    const record = { ...(JSON.parse(text) as LockRecord) };
    return typeof record.pid === 'number' && typeof record.host === 'string' ? record : undefined;
  } catch {
    return undefined;
  }
}

export async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    return ignoreMissing(error);
  }
}

export async function removeIfThere(path: string): Promise<void> {
  await unlink(path).catch(ignoreMissing);
}

function ignoreMissing(error: unknown): undefined {
  if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
}

function numberOf(name: string): number {
  return Number(name.slice('lock.'.length));
}
