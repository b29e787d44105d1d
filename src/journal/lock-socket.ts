/**
 * A Unix socket in a directory proves that the process that made it still runs: the kernel closes
 * it with the process, however that ends, and every process that sees the directory can ask by
 * connecting, from any container. It proves nothing about a process on another machine that sees
 * the directory through a network.
 */
import { randomInt } from 'node:crypto';
import { access, open, readdir, rename } from 'node:fs/promises';
import { connect, createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { removeIfThere } from './lock-file.ts';

/**
 * Socket addresses have room for 107 bytes on Linux, 103 on macOS. Node.js cuts a longer path
 * without a word.
 */
const addressBytes = 100;
const socketPattern = /^lock\.\d{1,15}\.socket$/;
const longestName = `lock.${'0'.repeat(15)}.socket`;

export interface LockSocket {
  /** Of the file in the directory; no other socket ever has it. */
  readonly name: string;
  close(): Promise<void>;
}

/** A name for what is not complete yet. Files with such names are removed when a lock is taken. */
export function draftName(): string {
  return `lock.new.${randomId()}`;
}

/** Makes a socket. Rejects where the file system can't have one, or the path is too long. */
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

/** `abandoned`: its process has ended; `unknown`: that can't be told. */
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

/** Whether a process listens at any socket but one. */
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
 * A socket has its name only once it listens, so that one which does not answer belongs to a
 * process that has ended. Undefined when another starter has cleared it away before.
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
    // A later error is one of accepting a connection. The other side knows enough by then, since it
    // is connected.
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

/** What it means that a socket can't be connected to. */
const stateByCode: ReadonlyMap<string, SocketState> = new Map([
  ['EAGAIN', 'listening'],
  ['ECONNREFUSED', 'abandoned'],
  ['ENOENT', 'missing'],
]);

interface Reach {
  /** Leads to the directory, and leaves room for the names of sockets. */
  readonly path: string;
  readonly close: () => Promise<void>;
}

/** A directory with a long path is reached through a descriptor, which only Linux can do. */
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
