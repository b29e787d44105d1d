import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { draftOf } from '../journal/disk/unique-names.ts';

/**
 * The place of a file or directory that is not complete yet. It is removed if the process ends
 * before, unless the process is killed.
 */
export class FileDraft {
  readonly path: string;
  readonly #remove = () => rmSync(this.path, { recursive: true, force: true });

  /** Chooses a hidden name that is not in use. */
  constructor(directory: string, name: string) {
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
