import { assessJournal, type Finding, type JournalContext } from './assessment.ts';
import { type Disk, withFile } from './disk/disk.ts';
import { type JournalFileName, listJournalFiles } from './file-list.ts';
import { RecordReader } from './record-reader.ts';
import { type FileScan, requireHeader, scanFile } from './scan.ts';
import type { Seal } from './seal.ts';

/** Plain data, so it can be sent between threads. */
export interface JournalReport {
  readonly files: readonly FileScan[];
  /** Files that earlier recoveries moved aside. */
  readonly movedAside: readonly string[];
  /**
   * The state of the newest file as recorded by the last clean close, or by the backup that made
   * this copy.
   */
  readonly seal: Seal | 'damaged' | undefined;
  /** The finding of a start. */
  readonly finding: Finding;
}

/** Inspects every journal file and changes nothing. */
export async function inspectJournal(
  disk: Disk,
  context: JournalContext = { checkpoint: 0, opened: false },
): Promise<JournalReport> {
  const files: FileScan[] = [];
  for (const file of await listJournalFiles(disk)) files.push(await scanFile(disk, file));
  const movedAside = (await disk.list('')).filter((name) => name.endsWith('.damaged'));
  const { finding, seal } = await assessJournal(disk, context);
  return { files, movedAside, seal, finding };
}

/** Returns the payload of one record if it is still in the journal and undamaged. */
export async function readRecord(disk: Disk, sequence: number): Promise<Uint8Array | undefined> {
  const file = (await listJournalFiles(disk)).findLast((each) => each.firstSequence <= sequence);
  return file && findRecord(disk, file, sequence);
}

async function findRecord(
  disk: Disk,
  { name }: JournalFileName,
  sequence: number,
): Promise<Uint8Array | undefined> {
  return withFile(disk, name, 'read', async (file) => {
    const { marker } = await requireHeader(file, name);
    const reader = new RecordReader(file, await file.size(), marker, true);
    while ((await reader.next()) === 'record') {
      if (reader.sequence === sequence) return reader.payload;
    }
    return undefined;
  });
}
