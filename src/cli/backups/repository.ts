/**
 * A backup repository: a directory with
 *
 *     pathpool-backups.json   the data set whose backups these are, with a digest
 *     backups/                a manifest for each backup (see manifest.ts)
 *     objects/                the files that backups share (see stored-files.ts)
 *     incoming/               files that are being written
 *     lock.N                  while a process writes
 */
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { AppError, newerFormat, toErrorData } from '../../errors.ts';
import { makeDurableDirectory, syncDirectory } from '../../journal/disk/durable-directory.ts';
import { readText, writeDurably } from '../../journal/disk/durable-file.ts';
import { NodeDisk } from '../../journal/disk/node-disk.ts';
import { isDraftOf } from '../../journal/disk/unique-names.ts';
import { isNoSpace } from '../../journal/errors.ts';
import { namesIn } from '../backup-place.ts';
import {
  isManifestName,
  type Manifest,
  manifestName,
  manifestText,
  parseManifest,
  sealed,
  unsealed,
} from './manifest.ts';
import { fullDisk, StoredFiles } from './stored-files.ts';

const MARK = 'pathpool-backups.json';
/** The newest format of the mark. */
export const REPOSITORY_FORMAT = 1;
/** As the content of a data directory, which is in there, too. */
const PRIVATE = 0o700;

/** A manifest that can't be read. */
export interface UnreadableBackup {
  readonly name: string;
  readonly reason: string;
}

/** The backups of a repository, oldest first. */
export interface FoundBackups {
  readonly manifests: readonly Manifest[];
  readonly unreadable: readonly UnreadableBackup[];
}

interface NewRepository {
  /** Whether none may be made. */
  readonly isThere: boolean;
  readonly mode: number;
  readonly notice: (message: string) => void;
}

export class Repository {
  readonly root: string;
  /** The data set whose backups these are. */
  readonly identity: string;
  readonly files: StoredFiles;

  /** Opens a repository. Errors: `not-found`, `data-damaged`. */
  static async open(directory: string): Promise<Repository> {
    const root = resolve(directory);
    if (!(await isRepository(root))) {
      throw new AppError('not-found', `${directory} is not a backup repository: it has no ${MARK}.`);
    }
    const line = unsealed(join(directory, MARK), await readText(new NodeDisk(root), MARK));
    const { format, identity } = JSON.parse(line) as { format: number; identity: string };
    if (format === REPOSITORY_FORMAT) return new Repository(root, identity);
    throw newerFormat(join(directory, MARK), format, REPOSITORY_FORMAT);
  }

  /**
   * Opens the repository of a data set, or makes one in a directory that is new or empty; `notice`
   * is told so, since the directory may be one where a disk is not mounted. `mode`: permissions of
   * a new one. Errors: `bad-arguments`, `data-damaged`, `not-found`.
   */
  static async openFor(directory: string, identity: string, options: NewRepository): Promise<Repository> {
    const root = resolve(directory);
    const names = (await namesIn(root)) ?? [];
    if (!names.includes(MARK)) {
      if (options.isThere) throw new AppError('not-found', notThereAnyMore(directory));
      await create(root, identity, options.mode, names);
      options.notice(`${directory} is a new backup repository.`);
    }
    const repository = await Repository.open(root);
    if (repository.identity === identity) return repository;
    const message = `${directory} has backups of the data set ${repository.identity}, not of ${identity}. Give this one a directory of its own.`;
    throw new AppError('bad-arguments', message);
  }

  private constructor(root: string, identity: string) {
    this.root = root;
    this.identity = identity;
    this.files = new StoredFiles(root);
  }

  async backups(): Promise<FoundBackups> {
    const disk = this.#manifests;
    const manifests: Manifest[] = [];
    const unreadable: UnreadableBackup[] = [];
    for (const name of (await disk.list('')).filter(isManifestName)) {
      try {
        manifests.push(parseManifest(name, await readText(disk, name)));
      } catch (error) {
        // Nothing may be written or removed beside what a newer release has made.
        if (toErrorData(error).code === 'newer-format') throw error;
        // Another process has removed it meanwhile.
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') continue;
        unreadable.push({ name, reason: toErrorData(error).message });
      }
    }
    return { manifests: manifests.sort((a, b) => a.time - b.time), unreadable };
  }

  /** Begins a backup. Returns whether files may be there that no backup needs. */
  async begin(): Promise<boolean> {
    const disk = this.#manifests;
    for (const name of await disk.list('')) if (name.endsWith('.new')) await disk.remove(name);
    return this.files.begin();
  }

  /** Adds a backup, whose files are all stored. Throws `store-full`. */
  async write(manifest: Manifest): Promise<void> {
    await this.files.sync();
    const written = writeDurably(this.#manifests, manifestName(manifest), manifestText(manifest));
    await written.catch((error: unknown) => {
      throw isNoSpace(error) ? fullDisk(this.root, error) : error;
    });
  }

  /** Removes backups, but none of their files. `requireHeld`: called before each; may throw. */
  async remove(manifests: readonly Manifest[], requireHeld = async () => {}): Promise<void> {
    const disk = this.#manifests;
    for (const manifest of manifests) {
      await requireHeld();
      await disk.remove(manifestName(manifest));
    }
    await disk.syncDirectory('');
  }

  get #manifests(): NodeDisk {
    return new NodeDisk(join(this.root, 'backups'));
  }
}

function notThereAnyMore(directory: string): string {
  return `${directory} has no ${MARK} any more. If a disk is mounted there, mount it again.`;
}

/** Whether a directory is a backup repository. */
export async function isRepository(directory: string): Promise<boolean> {
  return (await namesIn(resolve(directory)))?.includes(MARK) ?? false;
}

/** The mark comes last, so that a directory without it is still as good as empty. */
async function create(root: string, identity: string, mode: number, names: readonly string[]): Promise<void> {
  const parts = ['backups', 'objects', 'incoming'];
  const other = names.find((name) => !parts.includes(name) && !isDraftOf(MARK, name));
  if (other !== undefined) {
    const message = `${root} is not empty, and no backup repository: it contains ${other}.`;
    throw new AppError('bad-arguments', message);
  }
  await makeDurableDirectory(root, mode);
  for (const part of parts) await mkdir(join(root, part), { recursive: true, mode: PRIVATE });
  await syncDirectory(root);
  await writeDurably(
    new NodeDisk(root),
    MARK,
    sealed(JSON.stringify({ format: REPOSITORY_FORMAT, identity })),
  );
}
