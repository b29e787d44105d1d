/**
 * One process at a time writes to a backup repository. The lock is a file `lock.N` that names its
 * holder, who keeps changing it. It needs neither sockets nor hard links, which mounted object
 * stores do not have. Where the same kernel tells that the holder has ended, its lock is stale at
 * once; elsewhere, when it has not changed for the time of the lease.
 */
import { randomUUID } from 'node:crypto';
import { open, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../errors.ts';
import { isNoSpace, isTakenOver, type JournalError } from '../../journal/errors.ts';
import {
  defaultLeaseMs,
  isRenewed,
  LeaseKeeper,
  leaseMembers,
  requireLease,
} from '../../journal/lock/lease.ts';
import {
  type LockFile,
  type LockRecord,
  listLocks,
  nextLockName,
  removeIfThere,
} from '../../journal/lock/owner-file.ts';
import { isRunningHere, type ProcessIdentity, thisProcess } from '../../journal/lock/process-identity.ts';
import { fullDisk } from './stored-files.ts';

export interface RepositoryLock {
  /** Throws `data-locked` if another process has taken the lock over. */
  readonly requireHeld: () => Promise<void>;
  release(): Promise<void>;
}

/** The locks of this process. It may have failed to remove the file of an earlier one. */
const held = new Set<string>();

/** What the lock file says beyond the identity of the process. */
interface Owner extends ProcessIdentity {
  /** Process numbers are those of this namespace; empty if the system does not tell. */
  readonly namespace: string;
}

/**
 * Takes the lock of a repository. `notice` receives the reason why that takes long. Throws
 * `data-locked` and `store-full`.
 */
export async function lockRepository(
  root: string,
  notice: (message: string) => void,
): Promise<RepositoryLock> {
  const id = randomUUID();
  const since = new Date().toISOString();
  const record = { ...(await ownerHere()), since, id, ...leaseMembers(defaultLeaseMs) };
  const text = `${JSON.stringify(record)}\n`;
  const file = join(root, await createLock(root, text, notice));
  const lease = { file, id };
  const keeper = await LeaseKeeper.start(lease, text, defaultLeaseMs);
  held.add(id);
  const requireHeld = () =>
    requireLease(lease).catch((error: JournalError) => {
      const message = isTakenOver(error)
        ? `Another process has taken over the backup repository ${root}.`
        : `The lock of the backup repository ${root} can't be read: ${(error.cause as Error).message}.`;
      throw new AppError('data-locked', message, {}, error);
    });
  const release = () => keeper.release().finally(() => held.delete(id));
  return { requireHeld, release };
}

/** Creates the lock file, which only one of several processes can do, and returns its name. */
async function createLock(root: string, text: string, notice: (message: string) => void): Promise<string> {
  for (;;) {
    const stale = await listLocks(root);
    for (const lock of stale) await requireStale(root, lock, notice);
    const name = nextLockName(stale);
    if (!(await writeNew(root, name, text))) continue;
    const others = (await listLocks(root)).filter((lock) => lock.name !== name);
    if (others.every((other) => stale.some((lock) => lock.name === other.name && lock.text === other.text))) {
      for (const lock of stale) await removeIfThere(join(root, lock.name));
      return name;
    }
    // A slow process had seen an older state of the directory.
    await removeIfThere(join(root, name));
  }
}

/** Returns false if there is a file of that name. Throws `store-full`. */
async function writeNew(root: string, name: string, text: string): Promise<boolean> {
  const path = join(root, name);
  try {
    const file = await open(path, 'wx');
    try {
      await file.writeFile(text);
    } catch (error) {
      // Nobody could tell that an empty one is stale, except by waiting.
      await removeIfThere(path);
      throw error;
    } finally {
      await file.close();
    }
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw isNoSpace(error) ? fullDisk(root, error) : error;
  }
}

async function requireStale(root: string, lock: LockFile, notice: (message: string) => void): Promise<void> {
  const owner = lock.record as (LockRecord & Partial<Owner>) | undefined;
  const here = await ownerHere();
  const isVisible =
    owner !== undefined &&
    here.namespace !== '' &&
    owner.host === here.host &&
    owner.boot === here.boot &&
    owner.namespace === here.namespace;
  if (isVisible) {
    const isOwn = owner.pid === here.pid && owner.started === here.started;
    const isHeld = isOwn ? held.has(owner.id ?? '') : await isRunningHere(owner);
    if (isHeld) throw locked(root, lock);
    return;
  }
  const leaseMs = owner?.leaseMs ?? defaultLeaseMs;
  notice(`Waiting ${leaseMs / 1000} s to see whether ${holderOf(lock)} still writes to ${root}.`);
  if (await isRenewed(join(root, lock.name), lock.text, leaseMs)) throw locked(root, lock);
}

async function ownerHere(): Promise<Owner> {
  const namespace = await readlink('/proc/self/ns/pid').catch(() => '');
  return { ...(await thisProcess()), namespace };
}

function locked(root: string, lock: LockFile): AppError {
  const message = `${holderOf(lock)} is writing to the backup repository ${root}. Wait until it has ended.`;
  return new AppError('data-locked', message);
}

function holderOf({ record }: LockFile): string {
  if (!record) return 'Another process';
  return `Process ${record.pid} on ${record.host}, since ${record.since},`;
}
