import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AppError } from '../../../errors.ts';
import type { NodeDisk } from '../../../journal/disk/node-disk.ts';
import { findCheckpoint, isFileOf, listCheckpointFiles } from '../../../store/checkpoint/checkpoint.ts';
import { contentDamage, contentPath } from '../../../store/content/referenced-content.ts';
import { patchTime } from '../../../store/patch/patch.ts';
import type { StoredContent } from '../../../store/registry/resource-registry.ts';
import { JournalSource } from '../journal-source.ts';
import type { CommitRange } from '../points.ts';
import type { RestoreSource, VersionedRecord } from './build-directory.ts';

/** The data in a directory that no server uses, such as a copy that `backup` has made. */
export class CopiedDirectory {
  readonly #disk: NodeDisk;
  readonly #journal: JournalSource;
  readonly #base: number;

  /** Throws `data-damaged`. */
  static async open(disk: NodeDisk): Promise<CopiedDirectory> {
    const checkpoint = await findCheckpoint(disk);
    const journal = await JournalSource.open(disk, checkpoint);
    return new CopiedDirectory(disk, journal, checkpoint?.sequence ?? 0);
  }

  private constructor(disk: NodeDisk, journal: JournalSource, base: number) {
    this.#disk = disk;
    this.#journal = journal;
    this.#base = base;
  }

  /** The commits that can be restored. */
  get range(): CommitRange {
    return { first: this.#base, last: this.#journal.commit };
  }

  /**
   * Returns the newest commit at a time, in milliseconds since 1970; undefined if only commits
   * before the checkpoint, or after the end of the copy, can tell.
   */
  async commitAt(time: number): Promise<number | undefined> {
    let found: number | undefined;
    let newest = 0;
    for await (const { sequence, payload } of this.#journal.recordsFrom(this.#base + 1)) {
      newest = patchTime(payload) ?? 0;
      if (newest <= time) found = sequence;
      else if (sequence === this.#base + 1) return undefined;
    }
    return newest < time ? undefined : found;
  }

  sourceAt(commit: number): RestoreSource {
    return new CopySource(commit, this.#base, { disk: this.#disk, journal: this.#journal });
  }
}

class CopySource implements RestoreSource {
  readonly commit: number;
  readonly base: number;
  readonly #disk: NodeDisk;
  readonly #journal: JournalSource;

  constructor(commit: number, base: number, { disk, journal }: { disk: NodeDisk; journal: JournalSource }) {
    this.commit = commit;
    this.base = base;
    this.#disk = disk;
    this.#journal = journal;
  }

  async copyBase(to: NodeDisk): Promise<void> {
    const checkpoint = await findCheckpoint(this.#disk);
    for (const file of await listCheckpointFiles(this.#disk)) {
      if (isFileOf(checkpoint, file)) await this.#copy(file.name, to);
    }
  }

  async *records(): AsyncGenerator<VersionedRecord> {
    const version = await this.#journal.versionFrom(this.base + 1);
    for await (const { sequence, payload } of this.#journal.recordsFrom(this.base + 1)) {
      if (sequence > this.commit) return;
      yield { sequence, version, bytes: payload };
    }
  }

  copyPatch(name: string, to: NodeDisk): Promise<void> {
    return this.#copy(name, to);
  }

  async copyContent(content: StoredContent, to: NodeDisk): Promise<void> {
    const damage = await contentDamage(this.#disk, content);
    if (damage !== undefined) throw new AppError('data-damaged', damage);
    await this.#copy(contentPath(content.digest), to);
  }

  #copy(path: string, to: NodeDisk): Promise<void> {
    return copyFile(join(this.#disk.root, path), join(to.root, path));
  }
}
