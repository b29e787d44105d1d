/**
 * One process per data directory. The lock is a file that names its holder. The file's name ends in
 * a number. The lock of a dead process is taken over by creating the file with the next number,
 * which only one of several starters can do. Removing the old file would not be safe, because it
 * might already be another process's.
 *
 * The kernel reports whether a holder is still running, by a socket in the directory. Process
 * numbers and host names are not reliable, since they differ between containers. Where several
 * machines may access the directory, a lease is used instead.
 */
import { randomUUID } from 'node:crypto';
import { link, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeDurableDirectory } from '../disk/durable-directory.ts';
import { isLocal } from '../disk/file-system.ts';
import { demandFence, endFence, isFenceDemanded } from './fence.ts';
import { defaultLeaseMs, type Lease, LeaseKeeper, leaseMembers } from './lease.ts';
import { type LockFile, type LockRecord, listLocks, nextLockName, removeIfThere } from './owner-file.ts';
import { thisProcess } from './process-identity.ts';
import { draftName, type LockSocket, listenIn, removeDeadSockets } from './socket.ts';
import { type Look, requireStale } from './state.ts';

const draftPattern = /^lock\.new\.\d+$/;

export interface LockOptions {
  /** Use a lease of this many milliseconds, even where a kernel lock would be possible. */
  readonly leaseMs?: number | undefined;
  /** Receives the reason why a start has to wait, now or after a crash. */
  readonly notice?: (message: string) => void;
}

export interface Lock {
  /**
   * Must be checked before a result is relied on; undefined where a kernel lock excludes others.
   */
  readonly lease: Lease | undefined;
  /**
   * Resolves when another process has taken the directory over, which is only possible with a
   * lease.
   */
  readonly lost: Promise<void>;
  /**
   * Whether another process may still have the journal open, see `fence.ts`. Once the journal
   * has been replaced by a copy, `noteFenced` must be called.
   */
  readonly needsFence: boolean;
  noteFenced(): Promise<void>;
  release(): Promise<void>;
}

/**
 * Acquires the lock of a data directory, which is created if missing. Throws `data-locked`, naming
 * the holder.
 */
export async function lockDirectory(directory: string, options: LockOptions = {}): Promise<Lock> {
  await makeDurableDirectory(directory);
  const socket = options.leaseMs === undefined ? await socketIn(directory, options) : undefined;
  try {
    const id = randomUUID();
    const leaseMs = options.leaseMs ?? defaultLeaseMs;
    const text = await recordText(id, socket ? { socket: socket.name } : leaseMembers(leaseMs));
    const file = join(
      directory,
      await createLock(text, { directory, own: socket?.name, notice: options.notice }),
    );
    const fence = {
      needsFence: await isFenceDemanded(directory),
      noteFenced: () => endFence(directory),
    };
    const lock = socket ? kernelLock(file, socket) : await leaseLock({ file, id }, text, leaseMs);
    return { ...lock, ...fence };
  } catch (error) {
    await socket?.close();
    throw error;
  }
}

/**
 * Throws `data-locked` if a running process holds the directory. Changes nothing. `notice` receives
 * the reason if that takes long.
 */
export async function requireUnlocked(directory: string, notice?: Look['notice']): Promise<void> {
  await requireStale(await listLocks(directory), { directory, notice });
}

/** Returns undefined where a kernel lock is not possible. */
async function socketIn(directory: string, { notice }: LockOptions): Promise<LockSocket | undefined> {
  if (!(await isLocal(directory))) return undefined;
  return listenIn(directory).catch((error: Error) => {
    notice?.(`${directory} is locked with a lease, because no socket can be created in it: ${error.message}`);
    return undefined;
  });
}

type Held = Pick<Lock, 'lease' | 'lost' | 'release'>;

function kernelLock(file: string, socket: LockSocket): Held {
  const release = async () => {
    await removeIfThere(file);
    await socket.close();
  };
  return { lease: undefined, lost: new Promise(() => {}), release };
}

async function leaseLock(lease: Lease, text: string, leaseMs: number): Promise<Held> {
  const keeper = await LeaseKeeper.start(lease, text, leaseMs);
  return { lease, lost: keeper.lost, release: () => keeper.release() };
}

async function recordText(id: string, members: Partial<LockRecord>): Promise<string> {
  const record = { ...(await thisProcess()), since: new Date().toISOString(), id, ...members };
  return `${JSON.stringify(record)}\n`;
}

/** Creates the lock file and returns its name, once no other process can hold the directory. */
async function createLock(text: string, look: Look): Promise<string> {
  const { directory } = look;
  for (;;) {
    const stale = await listLocks(directory);
    await requireStale(stale, look);
    const name = nextLockName(stale);
    if (!(await linkWhole(directory, name, text))) continue;
    if (await isAlone(directory, name, stale)) {
      await clear(directory, stale);
      return name;
    }
    // Two starters may both see each other here; neither fails for that reason alone.
    await removeIfThere(join(directory, name));
  }
}

/**
 * Creates a lock file completely or not at all: its bytes are first written under another name.
 * Returns false if the name is taken.
 */
async function linkWhole(directory: string, name: string, text: string): Promise<boolean> {
  const draft = join(directory, draftName());
  await writeFile(draft, text);
  try {
    await link(draft, join(directory, name));
    return true;
  } catch (error) {
    // ENOENT: a faster starter has removed the draft.
    if (['EEXIST', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  } finally {
    await removeIfThere(draft);
  }
}

/**
 * Whether all other locks are those found to be stale. A slow starter that had seen an older state
 * of the directory may have created a file with a higher number than that of a newer lock.
 */
async function isAlone(directory: string, own: string, stale: readonly LockFile[]): Promise<boolean> {
  const others = (await listLocks(directory)).filter(({ name }) => name !== own);
  return others.every((other) => stale.some(({ name, text }) => name === other.name && text === other.text));
}

/** Removes the files of dead processes. */
async function clear(directory: string, stale: readonly LockFile[]): Promise<void> {
  const mayHaveLease = ({ record }: LockFile) => !record || record.leaseMs !== undefined;
  if (stale.some(mayHaveLease)) await demandFence(directory);
  const drafts = (await readdir(directory)).filter((name) => draftPattern.test(name));
  for (const name of [...stale.map((lock) => lock.name), ...drafts])
    await removeIfThere(join(directory, name));
  await removeDeadSockets(directory);
}
