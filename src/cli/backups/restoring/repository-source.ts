import { AppError } from '../../../errors.ts';
import { withFile } from '../../../journal/disk/disk.ts';
import type { NodeDisk } from '../../../journal/disk/node-disk.ts';
import { RecordReader } from '../../../journal/record-reader.ts';
import { requireHeader } from '../../../journal/scan.ts';
import type { FileDigest } from '../../../pool/file-digest.ts';
import { contentPath } from '../../../store/content/referenced-content.ts';
import { requireKnownJournal } from '../../../store/recovery/known-formats.ts';
import type { StoredContent } from '../../../store/registry/resource-registry.ts';
import type { Segment } from '../manifest.ts';
import type { RestorePath } from '../points.ts';
import type { StoredFiles } from '../stored-files.ts';
import type { RestoreSource, VersionedRecord } from './build-directory.ts';

/** The data of one commit in a backup repository. */
export class RepositorySource implements RestoreSource {
  readonly commit: number;
  readonly base: number;
  readonly #path: RestorePath;
  readonly #files: StoredFiles;
  readonly #disk: NodeDisk;

  /** `disk`: that of the repository. */
  constructor(commit: number, path: RestorePath, { files, disk }: { files: StoredFiles; disk: NodeDisk }) {
    this.commit = commit;
    this.base = path.base.commit;
    this.#path = path;
    this.#files = files;
    this.#disk = disk;
  }

  async copyBase(to: NodeDisk): Promise<void> {
    for (const file of this.#path.base.files) await this.#copy(file, file.name, to);
  }

  async *records(): AsyncGenerator<VersionedRecord> {
    let last = this.base;
    for (const segment of this.#path.segments) {
      for await (const record of recordsOf(this.#disk, this.#files, segment)) {
        if (record.sequence <= last) continue;
        if (record.sequence > this.commit) return;
        last = record.sequence;
        yield record;
      }
    }
  }

  async copyPatch(name: string, to: NodeDisk): Promise<void> {
    const file = this.#path.segments.flatMap(({ patches }) => patches).find((each) => each.name === name);
    if (!file) throw new AppError('data-damaged', `No backup has the file ${name}.`);
    await this.#copy(file, name, to);
  }

  async copyContent({ digest, bytes }: StoredContent, to: NodeDisk): Promise<void> {
    const path = contentPath(digest);
    try {
      await this.#copy({ digest, bytes }, path, to);
    } catch (error) {
      await to.remove(path).catch(() => {});
      throw error;
    }
  }

  async #copy(file: FileDigest, name: string, to: NodeDisk): Promise<void> {
    await withFile(to, name, 'create', async (copy) => {
      for await (const chunk of this.#files.read(file)) await copy.append([chunk]);
    });
  }
}

/**
 * Yields the records of a segment, once its digest has been verified. Throws `data-damaged` and
 * `newer-format`.
 */
export async function* recordsOf(
  disk: NodeDisk,
  files: StoredFiles,
  { file }: Segment,
): AsyncGenerator<VersionedRecord> {
  await files.verify(file);
  const name = files.nameOf(file.digest);
  await requireKnownJournal(disk, name);
  const handle = await disk.open(name, 'read');
  try {
    const { marker, version } = await requireHeader(handle, name);
    const reader = new RecordReader(handle, file.bytes, marker, true);
    while ((await reader.next()) === 'record') {
      yield { sequence: reader.sequence, version, bytes: reader.payload };
    }
  } finally {
    await handle.close();
  }
}
