/**
 * One process per data directory. The lock is a file that says who holds it. Its name ends in a number: the lock of
 * a dead process is taken over by creating the file of the next number, which only one of several starters
 * can do, and not by removing the old file, which might be somebody else's by then.
 */
import { link, mkdir, readdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { JournalError } from './errors.ts';
import { isRunning, type ProcessIdentity, thisProcess } from './process-identity.ts';

const lockPattern = /^lock\.\d{1,9}$/;
const draftPattern = /^lock\.new\.\d+$/;

interface Holder extends ProcessIdentity {
  /** When the lock was taken, ISO 8601. */
  readonly since: string;
}

export interface Lock {
  release(): Promise<void>;
}

let drafts = 0;

/** Takes the lock of a data directory, which is created when missing. Throws `data-locked`, naming the holder. */
export async function lockDirectory(directory: string): Promise<Lock> {
  await mkdir(directory, { recursive: true });
  const holder: Holder = { ...(await thisProcess()), since: new Date().toISOString() };
  for (;;) {
    const stale = await requireStale(directory, await listLocks(directory));
    const own = `lock.${1 + numberOf(stale.at(-1) ?? 'lock.0')}`;
    if (!(await createLock(directory, own, holder))) continue;
    await clearOthers(directory, own);
    return { release: () => removeIfThere(join(directory, own)) };
  }
}

/** Throws `data-locked` when a running process holds the directory. Changes nothing. */
export async function requireUnlocked(directory: string): Promise<void> {
  await requireStale(directory, await listLocks(directory));
}

/** Throws when one of the locks belongs to a running process; returns them otherwise. */
async function requireStale(directory: string, names: readonly string[]): Promise<readonly string[]> {
  for (const name of names) {
    const holder = await readHolder(directory, name);
    if (holder && (await isRunning(holder))) throw locked(directory, name, holder);
  }
  return names;
}

/** The lock appears whole or not at all: its bytes are written under another name. False when the name is taken. */
async function createLock(directory: string, name: string, holder: Holder): Promise<boolean> {
  const draft = join(directory, `lock.new.${process.pid}${drafts++}`);
  await writeFile(draft, `${JSON.stringify(holder)}\n`);
  try {
    await link(draft, join(directory, name));
    return true;
  } catch (error) {
    // ENOENT: a starter that was faster has cleared the draft away.
    if (['EEXIST', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  } finally {
    await removeIfThere(draft);
  }
}

/**
 * Removes what dead processes left. Looks at their locks once more: a slow starter that had seen an older state of
 * the directory may have created a higher number than that of a lock taken since.
 */
async function clearOthers(directory: string, own: string): Promise<void> {
  const others = (await listLocks(directory)).filter((name) => name !== own);
  try {
    await requireStale(directory, others);
  } catch (error) {
    await removeIfThere(join(directory, own));
    throw error;
  }
  const leftOver = (await readdir(directory)).filter((name) => draftPattern.test(name));
  for (const name of [...others, ...leftOver]) await removeIfThere(join(directory, name));
}

async function listLocks(directory: string): Promise<string[]> {
  const names = (await readdir(directory)).filter((name) => lockPattern.test(name));
  return names.sort((a, b) => numberOf(a) - numberOf(b));
}

function numberOf(name: string): number {
  return Number(name.slice('lock.'.length));
}

/** Undefined when the lock is gone, or not whole: then the machine went down just after it was written. */
async function readHolder(directory: string, name: string): Promise<Holder | undefined> {
  try {
    return JSON.parse(await readFile(join(directory, name), 'utf8')) as Holder;
  } catch (error) {
    if (error instanceof SyntaxError || (error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function removeIfThere(path: string): Promise<void> {
  try {
    await unlink(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

function locked(directory: string, name: string, { pid, host, since }: Holder): JournalError {
  const file = join(directory, name);
  const message =
    `The data directory ${directory} is in use by process ${pid} on ${host} since ${since}. ` +
    `If that process is gone, remove ${file}`;
  return new JournalError('data-locked', message, { file, pid, host, since });
}
