/**
 * A Unix socket in a directory proves that the process that created it is still running. The kernel
 * closes it when the process ends, for whatever reason, and every process that can access the
 * directory can check by connecting, from any container. It proves nothing about a process on
 * another machine that accesses the directory through a network.
 */
import { randomInt } from 'node:crypto';
import { access, open, readdir, rename } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { removeIfThere } from './owner-file.ts';

/**
 * Socket addresses are limited to 107 bytes on Linux and 103 on macOS. Node.js truncates a longer
 * path silently.
 */
const addressBytes = 100;
const socketPattern = /^lock\.\d{1,15}\.socket$/;
const longestName = `lock.${'0'.repeat(15)}.socket`;

export interface LockSocket {
  /** Name of the file in the directory; unique among all sockets. */
  readonly name: string;
  close(): Promise<void>;
}

/**
 * Returns a name for an incomplete file. Files with such names are removed when a lock is acquired.
 */
export function draftName(): string {
  return `lock.new.${randomId()}`;
}

/**
 * Creates a socket. Rejects if the file system does not support sockets, or the path is too long.
 */
export async function listenIn(directory: string): Promise<LockSocket> {
  const reach = await reachDirectory(directory);
  try {
    let made: NamedServer | undefined;
    while (made === undefined) made = await listenUnlessCleared(directory, reach.path);
    return socketOf(made, directory, reach);
  } catch (error) {
    await reach.close();
    throw error;
  }
}

/** `abandoned`: its process has ended; `unknown`: its state can't be determined. */
export type SocketState = 'listening' | 'abandoned' | 'missing' | 'unknown';

export async function stateOfSocket(directory: string, name: string): Promise<SocketState> {
  if (!socketPattern.test(name)) return 'unknown';
  try {
    const reach = await reachDirectory(directory);
    return await connectTo(join(reach.path, name)).finally(reach.close);
  } catch {
    return 'unknown';
  }
}

/** Whether a process listens on one of the sockets other than `except`. */
export async function isAnyListening(directory: string, except: string | undefined): Promise<boolean> {
  for (const name of await readdir(directory)) {
    if (!socketPattern.test(name) || name === except) continue;
    if ((await stateOfSocket(directory, name)) === 'listening') return true;
  }
  return false;
}

/** Removes the sockets of processes that have ended. */
export async function removeDeadSockets(directory: string): Promise<void> {
  for (const name of await readdir(directory)) {
    if (!socketPattern.test(name)) continue;
    if ((await stateOfSocket(directory, name)) === 'abandoned') await removeIfThere(join(directory, name));
  }
}

interface NamedServer {
  readonly name: string;
  readonly server: Server;
}

/**
 * A socket gets its name only after it listens, so one that does not respond belongs to a process
 * that has ended. Resolves with undefined if another starter has removed the draft.
 */
async function listenUnlessCleared(directory: string, reached: string): Promise<NamedServer | undefined> {
  const server = createServer((connection) => connection.destroy()).unref();
  const draft = draftName();
  await listen(server, join(reached, draft));
  const name = `lock.${randomId()}.socket`;
  try {
    await rename(join(directory, draft), join(directory, name));
    return { name, server };
  } catch (error) {
    await closeServer(server);
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

function listen(server: Server, path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    // Later errors are about accepting a connection. The other side is connected by then, which is
    // all that it needs to know.
    server.on('error', reject);
    server.listen(path, resolve);
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

function socketOf({ name, server }: NamedServer, directory: string, reach: Reach): LockSocket {
  const close = async () => {
    await removeIfThere(join(directory, name));
    await closeServer(server);
    await reach.close();
  };
  return { name, close };
}

function connectTo(path: string): Promise<SocketState> {
  return new Promise((resolve) => {
    const connection = connect(path);
    connection.on('connect', () => {
      connection.destroy();
      resolve('listening');
    });
    connection.on('error', ({ code = '' }: NodeJS.ErrnoException) =>
      resolve(stateByCode.get(code) ?? 'unknown'),
    );
  });
}

/** The state of a socket for each error of connecting to it. */
const stateByCode: ReadonlyMap<string, SocketState> = new Map([
  ['EAGAIN', 'listening'],
  ['ECONNREFUSED', 'abandoned'],
  ['ENOENT', 'missing'],
]);

interface Reach {
  /** A path to the directory that is short enough to append the names of sockets. */
  readonly path: string;
  readonly close: () => Promise<void>;
}

/** Opens a directory with a long path through a file descriptor, which only works on Linux. */
async function reachDirectory(directory: string): Promise<Reach> {
  if (Buffer.byteLength(join(directory, longestName)) <= addressBytes) {
    return { path: directory, close: () => Promise.resolve() };
  }
  const handle = await open(directory, 'r');
  const path = `/proc/self/fd/${handle.fd}`;
  try {
    await access(path);
    return { path, close: () => handle.close() };
  } catch (error) {
    await handle.close();
    throw error;
  }
}

function randomId(): number {
  return randomInt(2 ** 47);
}
