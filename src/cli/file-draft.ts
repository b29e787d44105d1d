import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { draftOf, isDraftOf } from '../journal/disk/unique-names.ts';

/**
 * The place of a file or directory that is not complete yet. It is removed if the process ends
 * before, unless the process is killed. Then it stays: another process that writes the same file
 * can't know whether the first one still does, perhaps on another machine.
 */
export class FileDraft {
  readonly path: string;
  readonly #remove = () => rmSync(this.path, { recursive: true, force: true });

  /** Chooses a hidden name that is not in use. `notice` learns of other drafts of the file. */
  constructor(directory: string, name: string, notice: (message: string) => void) {
    for (const other of othersOf(directory, name)) notice(aboutDraft(join(directory, other)));
    this.path = join(directory, `.${draftOf(name)}`);
    process.on('exit', this.#remove);
  }

  /** Call it when the draft has become the file. */
  release(): void {
    process.off('exit', this.#remove);
  }

  remove(): void {
    this.release();
    this.#remove();
  }
}

/** Explains to a user what a draft of another command is. */
export function aboutDraft(path: string): string {
  return `${path} is incomplete output of another command. If that no longer runs, remove it.`;
}

function othersOf(directory: string, name: string): string[] {
  try {
    return readdirSync(directory).filter((other) => isDraftOf(`.${name}`, other));
  } catch {
    // Writing the draft says what is wrong with the directory.
    return [];
  }
}
