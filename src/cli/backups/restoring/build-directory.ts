import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { AppError, toErrorData } from '../../../errors.ts';
import { NodeDisk } from '../../../journal/disk/node-disk.ts';
import { createJournalFile } from '../../../journal/file-list.ts';
import { type Journal, openJournal } from '../../../journal/journal.ts';
import type { JournalRecord } from '../../../journal/record.ts';
import { contentPath, referencedContent } from '../../../store/content/referenced-content.ts';
import { referenceIn } from '../../../store/patch/patch.ts';
import { requireKnownFormats } from '../../../store/recovery/known-formats.ts';
import { readData } from '../../../store/recovery/load-data.ts';
import type { StoredContent } from '../../../store/registry/resource-registry.ts';

/** Records are appended together up to this size: each time, the disk is waited for. */
const APPEND_BYTES = 8 * 2 ** 20;

/** A record, with the version of a journal file that may have it. */
export type VersionedRecord = Pick<JournalRecord, 'sequence'> & {
  readonly version: number;
  /** A view that is only valid until the next record is read. */
  readonly bytes: Uint8Array;
};

/** Where a restore takes the data of one commit from. */
export interface RestoreSource {
  readonly commit: number;
  /** Number of the commit of its checkpoint; 0 without one. */
  readonly base: number;
  /** Copies the files of the checkpoint, verified. */
  copyBase(to: NodeDisk): Promise<void>;
  /** The records after the checkpoint, up to the commit. */
  records(): AsyncIterable<VersionedRecord>;
  /** Copies a patch file that a record names. It is verified afterwards. */
  copyPatch(name: string, to: NodeDisk): Promise<void>;
  /** Copies content, verified. Throws `data-damaged` if it is missing. */
  copyContent(content: StoredContent, to: NodeDisk): Promise<void>;
}

/**
 * Makes a data directory with the data of one commit, and verifies it. Returns the content that the
 * source does not have. Throws `data-damaged` and `newer-format`.
 */
export async function buildDirectory(draft: string, source: RestoreSource): Promise<StoredContent[]> {
  const disk = new NodeDisk(draft);
  // A checkpoint is always followed by a journal file, so that a missing one is noticed.
  await createJournalFile(disk, source.base + 1);
  await source.copyBase(disk);
  await requireKnownFormats(disk);
  const journal = await openJournal(disk, { checkpoint: source.base });
  try {
    await appendRecords(source, journal, disk);
  } finally {
    // Seals it, so that later damage is recognised.
    await journal.close();
  }
  const { sequence, writer } = await readData(disk, (message) => {
    throw new AppError('data-damaged', message);
  });
  if (sequence !== source.commit) {
    throw new AppError('data-damaged', `The records end at commit ${sequence}, not ${source.commit}.`);
  }
  return copyContents(source, referencedContent(writer.reader()), disk);
}

async function appendRecords(source: RestoreSource, journal: Journal, disk: NodeDisk): Promise<void> {
  let records: JournalRecord[] = [];
  let size = 0;
  const flush = async () => {
    if (records.length > 0) await journal.append(records);
    records = [];
    size = 0;
  };
  for await (const { sequence, version, bytes } of source.records()) {
    const reference = referenceIn(bytes);
    if (reference) await source.copyPatch(reference.name, disk);
    records.push({ sequence, version, payload: [Uint8Array.from(bytes)] });
    size += bytes.length;
    if (size >= APPEND_BYTES) await flush();
  }
  await flush();
}

async function copyContents(
  source: RestoreSource,
  contents: readonly StoredContent[],
  disk: NodeDisk,
): Promise<StoredContent[]> {
  const missing: StoredContent[] = [];
  if (contents.length > 0) await mkdir(join(disk.root, 'content'), { recursive: true, mode: 0o700 });
  for (const content of contents) {
    await mkdir(join(disk.root, dirname(contentPath(content.digest))), { recursive: true });
    try {
      await source.copyContent(content, disk);
    } catch (error) {
      if (toErrorData(error).code !== 'data-damaged') throw error;
      missing.push(content);
    }
  }
  return missing;
}
