/** Determines whether the process named in a lock file still holds its data directory. */
import { join } from 'node:path';
import { isLocal } from '../disk/file-system.ts';
import { JournalError } from '../errors.ts';
import { isRenewed } from './lease.ts';
import { type LockFile, type LockRecord, readIfThere } from './owner-file.ts';
import { isRunning, isRunningHere, thisProcess } from './process-identity.ts';
import { isAnyListening, stateOfSocket } from './socket.ts';

/** The context in which a lock is examined. */
export interface Look {
  readonly directory: string;
  /** Name of the socket of the examining process. */
  readonly own?: string | undefined;
  /** Receives the reason why a start has to wait. */
  readonly notice?: ((message: string) => void) | undefined;
}

/** Throws if one of the locks belongs to a process that is or may be running. */
export async function requireStale(locks: readonly LockFile[], look: Look): Promise<void> {
  for (const lock of locks) {
    const state = await stateOf(lock, look);
    if (state !== 'stale') throw locked(look.directory, lock, state);
  }
}

type LockState = 'held' | 'stale' | 'unknown';

async function stateOf(lock: LockFile, look: Look): Promise<LockState> {
  const { record } = lock;
  if (!record) return (await isAnyListening(look.directory, look.own)) ? 'unknown' : 'stale';
  if (record.socket !== undefined) return socketState(lock, record.socket, look);
  if (record.leaseMs === undefined) return processState(record);
  return leaseState(lock, record.leaseMs, look);
}

async function leaseState(lock: LockFile, leaseMs: number, { directory, notice }: Look): Promise<LockState> {
  const seconds = leaseMs / 1000;
  notice?.(`Waiting ${seconds} s to see whether ${holderText(lock)} still renews its lease of ${directory}.`);
  return (await isRenewed(join(directory, lock.name), lock.text, leaseMs)) ? 'held' : 'stale';
}

/**
 * The socket of a process on another machine can't be distinguished from the socket of a process
 * that has ended.
 */
async function socketState(lock: LockFile, socket: string, look: Look): Promise<LockState> {
  const { directory } = look;
  const state = await stateOfSocket(directory, socket);
  if (state === 'listening') return 'held';
  if (state === 'unknown' || !(await isLocal(directory))) return 'unknown';
  return state === 'missing' ? stateWithoutSocket(lock, look) : 'stale';
}

/**
 * Another program may have removed the socket. A holder that ends cleanly removes its lock first.
 */
async function stateWithoutSocket({ name, record }: LockFile, { directory, own }: Look): Promise<LockState> {
  if ((await readIfThere(join(directory, name))) === undefined) return 'stale';
  const mayRun = (await isAnyListening(directory, own)) || (record && (await isRunningHere(record)));
  return mayRun ? 'unknown' : 'stale';
}

/** Examines a lock of an older release. */
async function processState(record: LockRecord): Promise<LockState> {
  if (!(await isRunning(record))) return 'stale';
  const { host } = await thisProcess();
  return record.host === host ? 'held' : 'unknown';
}

function locked(directory: string, lock: LockFile, state: LockState): JournalError {
  const file = join(directory, lock.name);
  const help =
    state === 'unknown'
      ? ` It can't be determined from here whether that process is still running: if it is not, remove ${file}`
      : '';
  const message = `The data directory ${directory} is in use by ${holderText(lock)}.${help}`;
  return new JournalError('data-locked', message, { file, ...(lock.record && holderOf(lock.record)) });
}

function holderText({ record }: LockFile): string {
  if (!record) return 'a process that its lock file does not name';
  return `process ${record.pid} on ${record.host} since ${record.since}`;
}

function holderOf({ pid, host, since }: LockRecord) {
  return { pid, host, since };
}
