import { readdir, rename } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { AppError } from '../errors.ts';
import { makeDurableDirectory, syncDirectory } from '../journal/disk/durable-directory.ts';
import { isDraftOf } from '../journal/disk/unique-names.ts';
import { isJournalFile } from '../journal/file-list.ts';
import { sealFile } from '../journal/seal.ts';
import { isManifest } from '../store/checkpoint/checkpoint.ts';
import { aboutDraft, FileDraft } from './file-draft.ts';

/** Where a backup goes, and where it is while it is being made. */
export class BackupPlace {
  readonly draft: FileDraft;
  readonly #target: string;

  /**
   * Chooses the draft of a directory that is new or empty. The draft of a new one is beside it, and
   * is renamed. An empty one may be where a disk is mounted, so its draft is within it. `notice`
   * learns of drafts of other backups. Error `bad-arguments` if the directory is not empty.
   */
  static async choose(target: string, notice: (message: string) => void = () => {}): Promise<BackupPlace> {
    const names = await namesIn(target);
    if (names === undefined) {
      await makeDurableDirectory(dirname(target));
      return new BackupPlace(target, new FileDraft(dirname(target), basename(target), notice));
    }
    const [first] = names;
    if (first === undefined) return new BackupPlace(target, new FileDraft(target, basename(target), notice));
    const isDraft = isDraftOf(`.${basename(target)}`, first);
    const advice = isDraft ? ` ${aboutDraft(join(target, first))}` : '';
    throw new AppError('bad-arguments', `${target} is not empty: it contains ${first}.${advice}`);
  }

  private constructor(target: string, draft: FileDraft) {
    this.#target = target;
    this.draft = draft;
  }

  /** Gives the complete draft its name. */
  async complete(): Promise<void> {
    const { path } = this.draft;
    if (dirname(path) !== this.#target) {
      await rename(path, this.#target);
      return syncDirectory(dirname(this.#target));
    }
    for (const name of installOrder(await readdir(path))) {
      await rename(join(path, name), join(this.#target, name));
    }
    await syncDirectory(this.#target);
  }
}

/** Returns undefined if there is no such directory. Throws `bad-arguments` if it is none. */
export async function namesIn(directory: string): Promise<string[] | undefined> {
  try {
    return await readdir(directory);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined;
    if (code !== 'ENOTDIR') throw error;
    throw new AppError('bad-arguments', `${directory} is below a file, or a file itself.`, {}, error);
  }
}

/**
 * Returns the order in which the files of a backup get their names. A start refuses what is there
 * in between: the seal, which is first, names a journal file that is missing until all but the
 * manifest of the checkpoint is there, and that is last.
 */
export function installOrder(names: readonly string[]): string[] {
  return names.toSorted((a, b) => rank(a) - rank(b) || (a < b ? -1 : 1));
}

function rank(name: string): number {
  if (name === sealFile) return 0;
  if (isManifest(name)) return 3;
  return isJournalFile(name) ? 2 : 1;
}
