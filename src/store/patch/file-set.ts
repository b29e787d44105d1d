import { moveAside } from '../../journal/damaged-files.ts';
import type { Disk } from '../../journal/disk/disk.ts';
import { listPatchFiles, removePatchFiles } from './file.ts';
import type { PatchReference } from './patch.ts';

/** The approximate size of a row as text, in bytes. */
const ROW_WEIGHT = 128;

interface NamedFile {
  /** The number of the record that names it. */
  readonly sequence: number;
  readonly bytes: number;
  readonly weight: number;
}

/** The patch files named by those journal records that are not covered by a checkpoint yet. */
export class PatchFiles {
  readonly #files = new Map<string, NamedFile>();

  /** The total size of all files. */
  get bytes(): number {
    return this.#sum('bytes');
  }

  /**
   * The total size that all files count as when compared with the journal. A start has to replay
   * all of their rows, even if these are stored compactly.
   */
  get weight(): number {
    return this.#sum('weight');
  }

  /** `sequence`: the number of the record that names the file. */
  add({ name, bytes, rows = 0 }: PatchReference, sequence: number): void {
    this.#files.set(name, { sequence, bytes, weight: Math.max(bytes, ROW_WEIGHT * rows) });
  }

  /**
   * Retires the files of records that a durable checkpoint covers.
   *
   * @param retire takes away the file that the record of a commit names
   */
  async retireThrough(
    sequence: number,
    retire: (name: string, commit: number) => Promise<void>,
  ): Promise<void> {
    for (const [name, file] of [...this.#files]) {
      if (file.sequence > sequence) continue;
      await retire(name, file.sequence);
      this.#files.delete(name);
    }
  }

  /** Whether a record names the file. */
  has(name: string): boolean {
    return this.#files.has(name);
  }

  /**
   * Removes the files that are not named by a record. Must not be called while large changes are
   * being worked out.
   */
  async removeOthers(disk: Disk): Promise<void> {
    await removePatchFiles(disk, (name) => this.#files.has(name));
  }

  #sum(key: 'bytes' | 'weight'): number {
    let sum = 0;
    for (const file of this.#files.values()) sum += file[key];
    return sum;
  }

  /**
   * Renames the files that are not named by a record instead of removing them: a record that was
   * moved aside may name them.
   */
  async moveOthersAside(disk: Disk): Promise<void> {
    for (const name of await listPatchFiles(disk)) {
      if (!this.#files.has(name)) await moveAside(disk, name);
    }
  }
}
