import type { Disk } from './disk.ts';
import { type JournalFileName, journalFileName, listJournalFiles, type SoundFile } from './journal-files.ts';
import { formatVersion } from './record.ts';
import { type RecoveryCase, recoveryTable } from './recovery-table.ts';
import { type FileScan, scanFile } from './scan.ts';

/** What was found, and where. Plain data. */
export interface Finding {
  readonly case: RecoveryCase;
  readonly file: string;
  /** Byte offset in the file. */
  readonly offset: number;
  /** The first sequence number that it concerns. */
  readonly sequence: number;
  readonly message: string;
}

export interface Assessment {
  /** Files that the checkpoint makes superfluous; they were not read. */
  readonly covered: readonly JournalFileName[];
  /** Files of which every record is good, contiguous from the checkpoint on. */
  readonly sound: readonly FileScan[];
  /** The first file that is not sound; what it holds up to `goodBytes` is good. */
  readonly bad: FileScan | undefined;
  /** Files after the bad one; they were not read. */
  readonly after: readonly JournalFileName[];
  readonly finding: Finding;
}

/** What the rest of a data directory says of its journal. */
export interface JournalContext {
  /** The records up to this one are in a checkpoint; 0 when there is none. */
  readonly checkpoint: number;
  /** Whether a process has opened the directory before, and so created a journal file. */
  readonly opened: boolean;
}

/** Reads the journal as far as it is sound and says by the table how it ends. Changes nothing. */
export async function assessJournal(disk: Disk, context: JournalContext): Promise<Assessment> {
  const files = await listJournalFiles(disk);
  const assessment = await assessFiles(disk, files, context.checkpoint);
  const isRefused = recoveryTable[assessment.finding.case].outcome === 'refuse';
  if (isRefused || !lacksNewest(assessment, context)) return assessment;
  return { ...assessment, finding: missingFinding(context.checkpoint + 1) };
}

async function assessFiles(
  disk: Disk,
  files: readonly JournalFileName[],
  checkpoint: number,
): Promise<Assessment> {
  const covered = files.slice(0, countCovered(files, checkpoint));
  const rest = files.slice(covered.length);
  const sound: FileScan[] = [];
  let expected = checkpoint + 1;
  for (const [place, file] of rest.entries()) {
    const isFirst = place === 0;
    const isLast = place === rest.length - 1;
    const follows = file.firstSequence === expected || (isFirst && file.firstSequence < expected);
    const scan = follows ? await scanFile(disk, file) : gapBefore(file);
    if (!follows || scan.end.kind !== 'clean') {
      const finding = describe(scan, isLast, expected);
      return { covered, sound, bad: scan, after: rest.slice(place + 1), finding };
    }
    sound.push(scan);
    expected = scan.lastSequence + 1;
  }
  return { covered, sound, bad: undefined, after: [], finding: soundFinding(sound) };
}

/** The files as they are when nothing but their good records counts. */
export function keptFiles({ sound, bad }: Assessment): SoundFile[] {
  const scans = bad === undefined || bad.goodBytes === 0 ? sound : [...sound, bad];
  return scans.map(({ name, firstSequence, lastSequence, goodBytes }) => ({
    name,
    firstSequence,
    lastSequence,
    bytes: goodBytes,
  }));
}

/** A file is covered when the file after it begins at or before the record that follows the checkpoint. */
export function countCovered(files: readonly JournalFileName[], checkpoint: number): number {
  let count = 0;
  while (count + 1 < files.length && files[count + 1]!.firstSequence <= checkpoint + 1) count++;
  return count;
}

/**
 * The file that follows on a checkpoint is created before the checkpoint, and the first one before the identity. Only a
 * copy that an older release made may lack it: its checkpoint can be newer than its journal.
 */
function lacksNewest({ sound, bad }: Assessment, { checkpoint, opened }: JournalContext): boolean {
  const newest = bad ?? sound.at(-1);
  if (newest === undefined) return opened || checkpoint > 0;
  return opened && newest.firstSequence <= checkpoint && newest.lastSequence <= checkpoint;
}

function missingFinding(firstSequence: number): Finding {
  const file = journalFileName(firstSequence);
  const message = `${file}: ${recoveryTable.missing.label}. ${recoveryTable.missing.reason}`;
  return { case: 'missing', file, offset: 0, sequence: firstSequence, message };
}

/** A file that does not follow on the one before it is not read: none of its records can be used. */
function gapBefore({ name, firstSequence }: JournalFileName): FileScan {
  const end = { kind: 'gap', found: firstSequence } as const;
  return { name, firstSequence, lastSequence: firstSequence - 1, bytes: 0, goodBytes: 0, end };
}

function soundFinding(sound: readonly FileScan[]): Finding {
  const last = sound.at(-1);
  const empty = sound.every((file) => file.lastSequence < file.firstSequence);
  const name = empty ? 'empty' : 'clean';
  const sequence = sound[0]?.firstSequence ?? 0;
  return {
    case: name,
    file: last?.name ?? '',
    offset: last?.bytes ?? 0,
    sequence,
    message: recoveryTable[name].label,
  };
}

/** The row of the table for a file that is not sound. */
function describe(scan: FileScan, isLast: boolean, expected: number): Finding {
  const row = caseOf(scan, isLast);
  const sequence = scan.end.kind === 'gap' && scan.goodBytes === 0 ? expected : scan.lastSequence + 1;
  const place = `${scan.name}, byte ${scan.goodBytes}, record ${sequence}`;
  const message = `${place}: ${recoveryTable[row].label}${particulars(scan)}. ${recoveryTable[row].reason}`;
  return { case: row, file: scan.name, offset: scan.goodBytes, sequence, message };
}

/** Only the newest file may end in a write that was never acknowledged. */
function caseOf({ end }: FileScan, isLast: boolean): RecoveryCase {
  switch (end.kind) {
    case 'clean':
      return 'clean';
    case 'cut':
      return isLast ? 'cut-tail' : 'damaged-middle';
    case 'torn':
      return isLast ? 'torn-tail' : 'damaged-middle';
    case 'damaged':
      return 'damaged-middle';
    case 'gap':
      return 'gap';
    case 'bad-header':
      return 'damaged-header';
    case 'foreign':
      return 'foreign';
  }
}

function particulars({ end }: FileScan): string {
  switch (end.kind) {
    case 'damaged':
      return ` (record ${end.next.sequence} at byte ${end.next.offset})`;
    case 'gap':
      return ` (found record ${end.found})`;
    case 'foreign':
      return ` (it is ${end.found}; this release reads journal format version ${formatVersion})`;
    default:
      return '';
  }
}
