import { constants, type FileHandle, open, readdir, rename, unlink } from 'node:fs/promises';
import { resolve, sep } from 'node:path';
import type { Disk, DiskFile, OpenMode } from './disk.ts';
import { makeDurableDirectory, syncDirectory } from './durable-directory.ts';

const { O_RDONLY, O_RDWR, O_APPEND, O_CREAT, O_EXCL } = constants;
const flags: Record<OpenMode, number> = {
  read: O_RDONLY,
  append: O_RDWR | O_APPEND,
  create: O_RDWR | O_APPEND | O_CREAT | O_EXCL,
};

/**
 * Bytes written at a time. While a kernel that does not preempt itself (Linux's default for
 * servers) copies them, no other thread can use that core.
 */
const WRITE_BYTES = 256 * 1024;

/**
 * Returns the disk for a directory of the file system; creates the directory durably if it is
 * missing.
 */
export async function openNodeDisk(directory: string): Promise<NodeDisk> {
  const root = resolve(directory);
  await makeDurableDirectory(root);
  return new NodeDisk(root);
}

/** The disk for one directory of the file system. */
export class NodeDisk implements Disk {
  readonly root: string;

  /** `root`: absolute path of an existing directory. */
  constructor(root: string) {
    this.root = root;
  }

  async open(path: string, mode: OpenMode): Promise<DiskFile> {
    return new NodeFile(await open(this.#resolve(path), flags[mode]));
  }

  async list(directory: string): Promise<string[]> {
    return (await readdir(this.#resolve(directory))).sort();
  }

  async rename(from: string, to: string): Promise<void> {
    await rename(this.#resolve(from), this.#resolve(to));
  }

  async remove(path: string): Promise<void> {
    await unlink(this.#resolve(path));
  }

  async syncDirectory(path: string): Promise<void> {
    await syncDirectory(this.#resolve(path));
  }

  #resolve(path: string): string {
    const absolute = resolve(this.root, path);
    const inside = absolute === this.root || absolute.startsWith(this.root + sep);
    if (!inside || path.includes('\0'))
      throw new RangeError(`The path ${JSON.stringify(path)} leaves the data directory`);
    return absolute;
  }
}

class NodeFile implements DiskFile {
  readonly #handle: FileHandle;

  constructor(handle: FileHandle) {
    this.#handle = handle;
  }

  async size(): Promise<number> {
    return (await this.#handle.stat()).size;
  }

  async read(target: Uint8Array, offset: number): Promise<number> {
    return (await this.#handle.read(target, 0, target.length, offset)).bytesRead;
  }

  async append(chunks: readonly Uint8Array[]): Promise<void> {
    let rest = chunks;
    while (rest.length > 0) {
      // A short write is not an error yet: writing the rest reveals the reason.
      const { bytesWritten } = await this.#handle.writev(firstBytes(rest, WRITE_BYTES) as Uint8Array[]);
      rest = afterBytes(rest, bytesWritten);
    }
  }

  async sync(): Promise<void> {
    await this.#handle.datasync();
  }

  async truncate(size: number): Promise<void> {
    await this.#handle.truncate(size);
  }

  async close(): Promise<void> {
    await this.#handle.close();
  }
}

/** Returns the first `bytes` bytes of the chunks. */
function firstBytes(chunks: readonly Uint8Array[], bytes: number): readonly Uint8Array[] {
  const first: Uint8Array[] = [];
  let room = bytes;
  for (const chunk of chunks) {
    if (room <= 0) break;
    first.push(chunk.subarray(0, room));
    room -= chunk.length;
  }
  return first;
}

/** Returns the chunks without their first `bytes` bytes. */
export function afterBytes(chunks: readonly Uint8Array[], bytes: number): readonly Uint8Array[] {
  let index = 0;
  let skip = bytes;
  while (index < chunks.length && skip >= chunks[index]!.length) skip -= chunks[index++]!.length;
  if (index === chunks.length) return [];
  return [chunks[index]!.subarray(skip), ...chunks.slice(index + 1)];
}
