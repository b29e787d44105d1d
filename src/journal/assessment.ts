import type { Disk } from './disk/disk.ts';
import { type JournalFileName, journalFileName, listJournalFiles, type SoundFile } from './file-list.ts';
import { formatVersions } from './record.ts';
import { type RecoveryCase, recoveryTable } from './recovery-table.ts';
import { type FileScan, scanFile } from './scan.ts';
import { readSeal, type Seal } from './seal.ts';

/** What was found, and where. Plain data, so it can be sent between threads. */
export interface Finding {
  readonly case: RecoveryCase;
  readonly file: string;
  /** Byte offset in the file. */
  readonly offset: number;
  /** The first sequence number that is affected. */
  readonly sequence: number;
  readonly message: string;
}

export interface Assessment {
  /** Files that the checkpoint makes superfluous; they were not read. */
  readonly covered: readonly JournalFileName[];
  /** Files in which every record is good, contiguous from the checkpoint on. */
  readonly sound: readonly FileScan[];
  /** The first file that is not sound; its contents up to `goodBytes` are good. */
  readonly bad: FileScan | undefined;
  /** Files after the bad one; they were not read. */
  readonly after: readonly JournalFileName[];
  /** The seal that was read. */
  readonly seal: Seal | 'damaged' | undefined;
  readonly finding: Finding;
}

/** Facts about the journal from the rest of the data directory. */
export interface JournalContext {
  /** Number of the last record in a checkpoint; 0 without a checkpoint. */
  readonly checkpoint: number;
  /** Whether it is known that a journal file was created. */
  readonly opened: boolean;
}

/**
 * Reads the journal as far as it is sound, and classifies its end by the recovery table. Changes
 * nothing.
 */
export async function assessJournal(disk: Disk, context: JournalContext): Promise<Assessment> {
  const seal = await readSeal(disk);
  const assessment = { ...(await assessFiles(disk, context.checkpoint)), seal };
  if (recoveryTable[assessment.finding.case].outcome === 'fail') return assessment;
  return { ...assessment, finding: lossOf(assessment, context) ?? assessment.finding };
}

async function assessFiles(disk: Disk, checkpoint: number): Promise<Omit<Assessment, 'seal'>> {
  const files = await listJournalFiles(disk);
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

/** Returns the files cut down to their good records. */
export function keptFiles({ sound, bad }: Assessment): SoundFile[] {
  const scans = bad === undefined || bad.goodBytes === 0 ? sound : [...sound, bad];
  return scans.map(({ name, firstSequence, lastSequence, goodBytes }) => ({
    name,
    firstSequence,
    lastSequence,
    bytes: goodBytes,
  }));
}

/**
 * Counts the covered files. A file is covered if the next one starts at or before the record that
 * follows the checkpoint.
 */
export function countCovered(files: readonly JournalFileName[], checkpoint: number): number {
  let count = 0;
  while (count + 1 < files.length && files[count + 1]!.firstSequence <= checkpoint + 1) count++;
  return count;
}

/**
 * Returns a loss at the end of the journal that only other files reveal; the journal alone would
 * look complete.
 */
function lossOf(assessment: Assessment, context: JournalContext): Finding | undefined {
  const { sound, bad, seal } = assessment;
  const newest = bad ?? sound.at(-1);
  if (lacksNewest(newest, context)) return missingFinding(context.checkpoint + 1);
  if (!seal || seal === 'damaged') return undefined;
  if (newest === undefined || newest.firstSequence < seal.firstSequence) {
    return missingFinding(seal.firstSequence);
  }
  return newest.firstSequence === seal.firstSequence ? damageOfSealed(newest, seal) : undefined;
}

/**
 * The file that follows a checkpoint is created before the checkpoint, and the first file before
 * the identity. However, a copy made by an older release can have a checkpoint that is newer than
 * its journal, and that release then continued in the old file.
 */
function lacksNewest(newest: FileScan | undefined, { checkpoint, opened }: JournalContext): boolean {
  if (newest === undefined) return opened || checkpoint > 0;
  return opened && newest.firstSequence <= checkpoint && newest.lastSequence <= checkpoint;
}

function missingFinding(firstSequence: number): Finding {
  const file = journalFileName(firstSequence);
  const message = `${file}: ${recoveryTable.missing.label}. ${recoveryTable.missing.reason}`;
  return { case: 'missing', file, offset: 0, sequence: firstSequence, message };
}

function damageOfSealed(newest: FileScan, seal: Seal): Finding | undefined {
  const { name: file, marker, goodBytes: offset, lastSequence } = newest;
  if (marker === seal.marker && offset >= seal.bytes) return undefined;
  const { label, reason } = recoveryTable['damaged-end'];
  const whole = `it had ${seal.bytes} bytes, up to record ${seal.lastSequence}`;
  const sequence = lastSequence + 1;
  const message = `${file}, byte ${offset}, record ${sequence}: ${label} (${whole}). ${reason}`;
  return { case: 'damaged-end', file, offset, sequence, message };
}

/** A file that does not continue the previous one is not read: none of its records can be used. */
function gapBefore({ name, firstSequence }: JournalFileName): FileScan {
  const end = { kind: 'gap', found: firstSequence } as const;
  return { name, marker: '', firstSequence, lastSequence: firstSequence - 1, bytes: 0, goodBytes: 0, end };
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

/** Returns the finding for a file that is not sound. */
function describe(scan: FileScan, isLast: boolean, expected: number): Finding {
  const row = caseOf(scan, isLast);
  const sequence = scan.end.kind === 'gap' && scan.goodBytes === 0 ? expected : scan.lastSequence + 1;
  const place = `${scan.name}, byte ${scan.goodBytes}, record ${sequence}`;
  const message = `${place}: ${recoveryTable[row].label}${particulars(scan)}. ${recoveryTable[row].reason}`;
  return { case: row, file: scan.name, offset: scan.goodBytes, sequence, message };
}

/** Only the newest file may end in a write that was interrupted. */
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
      return ` (it is ${end.found}; this release reads the versions ${formatVersions.join(', ')})`;
    default:
      return '';
  }
}
