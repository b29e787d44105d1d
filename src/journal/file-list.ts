import { type Disk, withFile } from './disk/disk.ts';
import { draftOf, isDraftOf } from './disk/unique-names.ts';
import { encodeHeader, fileHeaderBytes } from './record.ts';

/**
 * Journal files are in the data directory itself: `journal-` and the sequence number of the first
 * record.
 */
const namePattern = /^journal-(\d{12,16})\.log$/;
/** The part of a name that a file shares with its drafts. */
const stemPattern = /^journal-\d{12,16}\.log/;

export interface JournalFileName {
  readonly name: string;
  readonly firstSequence: number;
}

/** A file in which every record is good. */
export interface SoundFile extends JournalFileName {
  /** One less than `firstSequence` if there are no records. */
  lastSequence: number;
  bytes: number;
}

/** Returns the name of the file whose first record has this number. */
export function journalFileName(firstSequence: number): string {
  return `journal-${String(firstSequence).padStart(12, '0')}.log`;
}

/** Whether a name is that of a journal file. */
export function isJournalFile(name: string): boolean {
  return namePattern.test(name);
}

/** Returns the journal's files, oldest first. */
export async function listJournalFiles(disk: Disk): Promise<JournalFileName[]> {
  const files: JournalFileName[] = [];
  for (const name of await disk.list('')) {
    const match = namePattern.exec(name);
    if (match) files.push({ name, firstSequence: Number(match[1]) });
  }
  return files.sort((a, b) => a.firstSequence - b.firstSequence);
}

/**
 * Removes files that never got their final name because a process ended in between; their contents
 * were never acknowledged.
 */
export async function removeUnfinishedFiles(disk: Disk): Promise<void> {
  for (const name of await disk.list('')) {
    const [stem] = stemPattern.exec(name) ?? [];
    if (stem !== undefined && isDraftOf(stem, name)) await disk.remove(name);
  }
}

/** Creates a file without records. It gets its name only after its header is durable. */
export async function createJournalFile(
  disk: Disk,
  firstSequence: number,
  header: Uint8Array = encodeHeader(firstSequence),
): Promise<SoundFile> {
  const name = journalFileName(firstSequence);
  const unfinished = draftOf(name);
  await withFile(disk, unfinished, 'create', async (file) => {
    await file.append([header]);
    await file.sync();
  });
  await disk.rename(unfinished, name);
  await disk.syncDirectory('');
  return { name, firstSequence, lastSequence: firstSequence - 1, bytes: fileHeaderBytes };
}
