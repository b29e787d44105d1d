import type { Disk } from '../journal/disk.ts';
import { moveAside } from '../journal/quarantine.ts';
import type { PatchReference } from './patch.ts';
import { listPatchFiles, removePatchFiles } from './patch-file.ts';

/** What a row takes as text, more or less. */
const ROW_WEIGHT = 128;

interface NamedFile {
  /** Of the record that names it. */
  readonly sequence: number;
  readonly bytes: number;
  readonly weight: number;
}

/** The patch files that records of the journal name which no checkpoint has replaced yet. */
export class PatchFiles {
  readonly #files = new Map<string, NamedFile>();

  /** Of all files together. */
  get bytes(): number {
    return this.#sum('bytes');
  }

  /**
   * Bytes of the journal as which all files together count: a start has to take in their rows,
   * however little room these take.
   */
  get weight(): number {
    return this.#sum('weight');
  }

  /** `sequence`: of the record that names it. */
  add({ name, bytes, rows = 0 }: PatchReference, sequence: number): void {
    this.#files.set(name, { sequence, bytes, weight: Math.max(bytes, ROW_WEIGHT * rows) });
  }

  /** Removes the files of records that a durable checkpoint covers. */
  async removeThrough(disk: Disk, sequence: number): Promise<void> {
    for (const [name, file] of [...this.#files]) {
      if (file.sequence > sequence) continue;
      await disk.remove(name);
      this.#files.delete(name);
    }
  }

  /** Removes the files that no record names. Not to be called while big changes are worked out. */
  async removeOthers(disk: Disk): Promise<void> {
    await removePatchFiles(disk, (name) => this.#files.has(name));
  }

  #sum(key: 'bytes' | 'weight'): number {
    let sum = 0;
    for (const file of this.#files.values()) sum += file[key];
    return sum;
  }

  /** Keeps them under other names, since a record that was moved aside may name them. */
  async moveOthersAside(disk: Disk): Promise<void> {
    for (const name of await listPatchFiles(disk)) {
      if (!this.#files.has(name)) await moveAside(disk, name);
    }
  }
}
