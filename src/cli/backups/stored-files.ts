/**
 * The files of a backup repository that backups share: `objects/<two digits>/<SHA-256>`. Each is
 * written once, as a draft in `incoming/`, and gets its name when it is complete and on disk.
 */
import { createHash } from 'node:crypto';
import { mkdir, open, readdir, rename, rm, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError } from '../../errors.ts';
import { syncDirectory } from '../../journal/disk/durable-directory.ts';
import { newToken } from '../../journal/disk/unique-names.ts';
import { isNoSpace } from '../../journal/errors.ts';
import type { FileDigest } from '../../pool/file-digest.ts';

const OBJECTS = 'objects';
const INCOMING = 'incoming';
/** A file that is in `incoming/` during a backup. */
const UNFINISHED = 'unfinished';
/** The names of folders and files, as of those with the content of a data directory. */
export const FOLDER = /^[0-9a-f]{2}$/;
export const DIGEST = /^[0-9a-f]{64}$/;
/** Files are read in pieces of this size. */
export const WINDOW_BYTES = 1 << 20;

type Chunks = AsyncIterable<Uint8Array> | Iterable<Uint8Array>;

export class StoredFiles {
  /** Bytes and number of the files that were added. */
  readonly added = { bytes: 0, files: 0 };
  readonly #root: string;
  /** Folders with names that may not be durable yet. */
  readonly #unsynced = new Set<string>();

  /** `root`: the directory of the repository. */
  constructor(root: string) {
    this.#root = root;
  }

  /**
   * Begins a backup, and removes what an interrupted one has left in `incoming/`. Returns whether
   * the one before did not end.
   */
  async begin(): Promise<boolean> {
    const incoming = join(this.#root, INCOMING);
    await mkdir(incoming, { recursive: true });
    const left = await readdir(incoming);
    for (const name of left) await rm(join(incoming, name));
    // On a full disk the files of this backup may stay, if it does not end.
    await writeFile(join(incoming, UNFINISHED), '').catch(() => {});
    return left.length > 0;
  }

  async end(): Promise<void> {
    await rm(join(this.#root, INCOMING, UNFINISHED), { force: true });
  }

  /**
   * Stores bytes, unless they are there already. `digest`: what they must be. Throws `data-damaged`
   * if they are something else, and `store-full`.
   */
  async add(chunks: Chunks, digest?: string): Promise<FileDigest> {
    const draft = join(this.#root, INCOMING, newToken());
    try {
      const written = await writeDraft(draft, chunks);
      if (digest !== undefined && written.digest !== digest) {
        throw new AppError('data-damaged', `The bytes do not match the digest ${digest}.`);
      }
      if (await this.has(written)) {
        await rm(draft);
        return written;
      }
      await this.#install(draft, written);
      return written;
    } catch (error) {
      await rm(draft, { force: true }).catch(() => {});
      throw isNoSpace(error) ? fullDisk(this.#root, error) : error;
    }
  }

  /** Whether a file is there, with the right size. */
  async has({ digest, bytes }: FileDigest): Promise<boolean> {
    return (await this.sizeOf(digest)) === bytes;
  }

  /** Returns the size of a file, or undefined if it is missing. */
  async sizeOf(digest: string): Promise<number | undefined> {
    const path = join(this.#root, this.nameOf(digest));
    try {
      const { size } = await stat(path);
      // An interrupted backup may have renamed it and not synced its name.
      this.#unsynced.add(dirname(path));
      return size;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** Returns the digests of all files. */
  async digests(): Promise<Set<string>> {
    const objects = join(this.#root, OBJECTS);
    const folders = (await readdir(objects)).filter((name) => FOLDER.test(name));
    const names = await Promise.all(folders.map((folder) => readdir(join(objects, folder))));
    return new Set(names.flat().filter((name) => DIGEST.test(name)));
  }

  /** Makes the names of all added files durable. */
  async sync(): Promise<void> {
    for (const folder of this.#unsynced) await syncDirectory(folder);
    if (this.#unsynced.size > 0) await syncDirectory(join(this.#root, OBJECTS));
    this.#unsynced.clear();
  }

  /**
   * Yields the bytes of a file, each chunk valid until the next one. Throws `data-damaged`, at the
   * latest after the last chunk.
   */
  async *read({ digest, bytes }: FileDigest): AsyncGenerator<Uint8Array> {
    const path = join(this.#root, this.nameOf(digest));
    const file = await open(path, 'r').catch((error) => unreadable(path, error));
    try {
      const hash = createHash('sha256');
      const window = new Uint8Array(Math.min(WINDOW_BYTES, Math.max(bytes, 1)));
      let done = 0;
      for (;;) {
        const { bytesRead } = await file
          .read(window, 0, window.length, done)
          .catch((error) => unreadable(path, error));
        if (bytesRead === 0) break;
        done += bytesRead;
        hash.update(window.subarray(0, bytesRead));
        yield window.subarray(0, bytesRead);
      }
      if (done !== bytes || hash.digest('hex') !== digest) throw damaged(path, 'is damaged');
    } finally {
      await file.close();
    }
  }

  /** Throws `data-damaged`. */
  async verify(file: FileDigest): Promise<void> {
    const chunks = this.read(file);
    while (!(await chunks.next()).done);
  }

  /** Returns the digests of a stored list. Throws `data-damaged`. */
  async readList(list: FileDigest): Promise<string[]> {
    const chunks: Buffer[] = [];
    for await (const chunk of this.read(list)) chunks.push(Buffer.from(chunk));
    return Buffer.concat(chunks).toString().split('\n').filter(Boolean);
  }

  addList(digests: Iterable<string>): Promise<FileDigest> {
    const lines = [...digests].sort().map((digest) => `${digest}\n`);
    return this.add([Buffer.from(lines.join(''))]);
  }

  /** Removes all files but those that are needed. `requireHeld`: called before each; may throw. */
  async removeAllBut(needed: ReadonlySet<string>, requireHeld: () => Promise<void>): Promise<void> {
    const objects = join(this.#root, OBJECTS);
    for (const folder of (await readdir(objects)).filter((name) => FOLDER.test(name))) {
      for (const name of await readdir(join(objects, folder))) {
        if (!DIGEST.test(name) || needed.has(name)) continue;
        await requireHeld();
        await rm(join(objects, folder, name));
      }
    }
  }

  async #install(draft: string, { digest, bytes }: FileDigest): Promise<void> {
    const folder = join(this.#root, OBJECTS, digest.slice(0, 2));
    await mkdir(folder, { recursive: true });
    await rename(draft, join(folder, digest));
    this.#unsynced.add(folder);
    this.added.files++;
    this.added.bytes += bytes;
  }

  /** Returns the path of a file in the repository. Throws `data-damaged`. */
  nameOf(digest: string): string {
    if (DIGEST.test(digest)) return `${OBJECTS}/${digest.slice(0, 2)}/${digest}`;
    throw new AppError('data-damaged', 'The digest of a stored file is malformed.');
  }
}

/** The error of a repository without room. `root`: its directory. */
export function fullDisk(root: string, cause: unknown): AppError {
  return new AppError('store-full', `The disk of ${root} is full. This backup was not made.`, {}, cause);
}

async function writeDraft(path: string, chunks: Chunks): Promise<FileDigest> {
  const hash = createHash('sha256');
  const file = await open(path, 'wx');
  let bytes = 0;
  try {
    for await (const chunk of chunks) {
      hash.update(chunk);
      bytes += chunk.length;
      await file.writeFile(chunk);
    }
    await file.sync();
  } finally {
    await file.close();
  }
  return { bytes, digest: hash.digest('hex') };
}

/** A bad place on a disk is damage like any other. */
function unreadable(path: string, error: NodeJS.ErrnoException): never {
  if (error.code === 'ENOENT') throw damaged(path, 'is missing');
  throw error.code === 'EIO' ? damaged(path, "can't be read") : error;
}

function damaged(path: string, what: string): AppError {
  const advice =
    'Backups that need it can\'t be restored: "pathpool check" of the repository says which. Choose another commit.';
  return new AppError('data-damaged', `${path} ${what}. ${advice}`);
}
