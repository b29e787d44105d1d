import { assessJournal, type Finding, type JournalContext } from './assessment.ts';
import { type Disk, withFile } from './disk.ts';
import { type JournalFileName, listJournalFiles } from './journal-files.ts';
import { RecordReader } from './record-reader.ts';
import { type FileScan, requireHeader, scanFile } from './scan.ts';
import type { Seal } from './seal.ts';

/** Plain data. */
export interface JournalReport {
  readonly files: readonly FileScan[];
  /** What recovery moved aside earlier. */
  readonly movedAside: readonly string[];
  /** What the last clean close, or the backup that made this copy, says of the newest file. */
  readonly seal: Seal | 'damaged' | undefined;
  /** What a start would find. */
  readonly finding: Finding;
}

/** Looks at every journal file and changes nothing. */
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

/** The payload of one record, where the journal still has it in a good state. */
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
