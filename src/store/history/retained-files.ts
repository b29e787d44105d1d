/**
 * The files of the retained history, beside the journal in the data directory: journal files that a
 * checkpoint covers, and the patch files that their records name. Both keep their bytes and get
 * other names, so that a start does not read them:
 *
 *     changes-<first>-<last>-<time>.log   the records of these commits; moved here at that time, in
 *                                         milliseconds since 1970
 *     changes-<commit>-patch-….rows       the patch file that the record of that commit names
 */

import type { Disk } from '../../journal/disk/disk.ts';
import { type JournalFileName, listJournalFiles } from '../../journal/file-list.ts';

const logPattern = /^changes-(\d{12,16})-(\d{12,16})-(\d{1,16})\.log$/;
const patchPattern = /^changes-(\d{12,16})-(patch-\d{12,16}-[0-9a-f]{16}\.(?:rdfp|rows))$/;

/** A file with the records of successive commits. */
export interface HistoryFile extends JournalFileName {
  /** Infinite for the newest file of the journal. */
  readonly lastSequence: number;
}

/** A journal file that was moved to the history. */
export interface RetainedLog extends HistoryFile {
  /** When it was moved, in milliseconds since 1970. */
  readonly moved: number;
}

/** A patch file that was moved to the history. */
export interface RetainedPatch {
  readonly name: string;
  /** The number of the record that names it. */
  readonly sequence: number;
}

export interface RetainedFiles {
  /** Oldest first. */
  readonly logs: readonly RetainedLog[];
  readonly patches: readonly RetainedPatch[];
}

export function isRetainedLog(name: string): boolean {
  return logPattern.test(name);
}

export function retainedLogName(firstSequence: number, lastSequence: number, moved: number): string {
  return `changes-${padded(firstSequence)}-${padded(lastSequence)}-${moved}.log`;
}

/**
 * Returns the name in the history of a patch file.
 *
 * @param name its name while the journal has the record that names it
 * @param sequence number of that record
 */
export function retainedPatchName(name: string, sequence: number): string {
  return `changes-${padded(sequence)}-${name}`;
}

export async function listRetained(disk: Disk): Promise<RetainedFiles> {
  const logs: RetainedLog[] = [];
  const patches: RetainedPatch[] = [];
  for (const name of await disk.list('')) {
    const [, first, last, moved] = logPattern.exec(name) ?? [];
    const [, sequence] = patchPattern.exec(name) ?? [];
    if (first !== undefined) {
      logs.push({ name, firstSequence: Number(first), lastSequence: Number(last), moved: Number(moved) });
    } else if (sequence !== undefined) {
      patches.push({ name, sequence: Number(sequence) });
    }
  }
  return { logs: logs.sort((a, b) => a.firstSequence - b.firstSequence), patches };
}

/** Returns the files with all commits that can still be read, without gaps, oldest first. */
export async function listHistory(disk: Disk): Promise<HistoryFile[]> {
  // In this order: a file that is moved to the history meanwhile must not be missing in both lists.
  const journal = await listJournalFiles(disk);
  const { logs } = await listRetained(disk);
  const current = journal.map((file, place) => ({
    ...file,
    lastSequence: (journal[place + 1]?.firstSequence ?? Number.POSITIVE_INFINITY) - 1,
  }));
  const [first] = current;
  if (!first) return [];
  const older = logs.filter(({ lastSequence }) => lastSequence < first.firstSequence);
  return [...contiguous(older, first.firstSequence), ...current];
}

/** Returns the logs from which on no commit before `next` is missing. */
export function contiguous<Log extends HistoryFile>(logs: readonly Log[], next: number): Log[] {
  const found: Log[] = [];
  let expected = next;
  for (const log of logs.toReversed()) {
    if (log.lastSequence + 1 !== expected) break;
    found.unshift(log);
    expected = log.firstSequence;
  }
  return found;
}

function padded(sequence: number): string {
  return String(sequence).padStart(12, '0');
}
