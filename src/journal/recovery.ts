import {
  type Assessment,
  assessJournal,
  type Finding,
  type JournalContext,
  keptFiles,
} from './assessment.ts';
import { type Disk, withFile } from './disk.ts';
import { isNoSpace, JournalError } from './errors.ts';
import { type JournalFileName, removeUnfinishedFiles, type SoundFile } from './journal-files.ts';
import { moveAside, moveTailAside, replaceByCopy, truncateFile } from './quarantine.ts';
import { type RecoveryCase, recoveryTable } from './recovery-table.ts';
import { removeSeal, sealFile } from './seal.ts';

export interface RecoveryOptions extends JournalContext {
  /** Keep what is before a damage, move the rest aside, and go on. */
  readonly recover: boolean;
  readonly log: (finding: Finding) => void;
}

/**
 * Start-up: brings the journal into a state of which every record is good, contiguous and durable, and returns its
 * files, oldest first. What is logged was decided by the table; what the table refuses is thrown as `data-damaged`.
 */
export async function recoverJournal(disk: Disk, options: RecoveryOptions): Promise<SoundFile[]> {
  const assessment = await assessJournal(disk, options);
  const { finding, covered, seal } = assessment;
  const overruled = mayRecover(finding, options);
  if (!overruled) requireSound(finding);
  await removeUnfinishedFiles(disk);
  if (seal === 'damaged') options.log(damagedSeal());
  for (const file of covered) options.log(overlap(file));
  await settle(disk, assessment, options);
  const kept = keptFiles(assessment);
  const last = kept.at(-1);
  if (last) await makeDurable(disk, last, wasSynced(last, seal));
  // Last: should this be interrupted, the next start is refused once more, and does not drop more
  // without a word.
  if (overruled) await removeSeal(disk);
  await disk.syncDirectory('');
  return kept;
}

/** Throws what the table refuses. */
export function requireSound(finding: Finding): void {
  if (recoveryTable[finding.case].outcome === 'refuse') throw refusal(finding);
}

/** Whether the operator overrules what the table refuses. */
function mayRecover(finding: Finding, options: RecoveryOptions): boolean {
  const { outcome, recoverable } = recoveryTable[finding.case];
  return options.recover && outcome === 'refuse' && recoverable;
}

/** Takes what is not sound out of the journal. */
async function settle(
  disk: Disk,
  { bad, after, finding }: Assessment,
  { log }: RecoveryOptions,
): Promise<void> {
  const { outcome } = recoveryTable[finding.case];
  if (bad === undefined) {
    if (outcome === 'refuse') log(finding);
    return;
  }
  if (outcome === 'truncate') {
    await truncateFile(disk, bad.name, bad.goodBytes);
    log(finding);
    return;
  }
  // The newest first: should this be interrupted, the damage is still there to be found again.
  const moved: string[] = [];
  for (const file of after.toReversed()) moved.push(await moveAside(disk, file.name));
  moved.push(
    await (bad.goodBytes === 0 ? moveAside(disk, bad.name) : moveTailAside(disk, bad.name, bad.goodBytes)),
  );
  log({ ...finding, message: `${finding.message} Moved aside: ${moved.join(', ')}` });
}

/**
 * Whether every record of the newest file was synced for sure, because it has none, or because the
 * journal was closed after the last one.
 */
function wasSynced({ firstSequence, lastSequence, bytes }: SoundFile, seal: Assessment['seal']): boolean {
  if (lastSequence < firstSequence) return true;
  if (!seal || seal === 'damaged') return false;
  return firstSequence === seal.firstSequence && bytes === seal.bytes;
}

/**
 * A record can be good and yet only in the system's cache, when the process ended before its sync, or
 * because the sync failed. It will be served from now on, so it must not vanish any more. A second sync
 * is not enough: after one that failed Linux counts the pages as written. So the file is copied. If its
 * records are durable, what was cut off after them must not come back: a sync does for that.
 */
async function makeDurable(disk: Disk, { name, bytes }: SoundFile, synced: boolean): Promise<void> {
  if (!synced && (await isReplacedByCopy(disk, name, bytes))) return;
  await withFile(disk, name, 'append', (file) => file.sync());
}

/** False: the disk has no room for the copy. */
async function isReplacedByCopy(disk: Disk, name: string, bytes: number): Promise<boolean> {
  try {
    await replaceByCopy(disk, name, bytes);
    return true;
  } catch (error) {
    if (!isNoSpace(error)) throw error;
    await removeUnfinishedFiles(disk);
    return false;
  }
}

function overlap({ name, firstSequence }: JournalFileName): Finding {
  const message = `${name}: ${recoveryTable.overlap.label}. ${recoveryTable.overlap.reason}`;
  return { case: 'overlap', file: name, offset: 0, sequence: firstSequence, message };
}

function damagedSeal(): Finding {
  const { label, reason } = recoveryTable['damaged-seal'];
  return { case: 'damaged-seal', file: sealFile, offset: 0, sequence: 0, message: `${label}. ${reason}` };
}

function refusal({ case: row, file, offset, sequence, message }: Finding): JournalError {
  const text = `${message} Nothing was changed. ${advice(row)}`;
  return new JournalError('data-damaged', text, { file, offset, sequence, case: row });
}

function advice(row: RecoveryCase): string {
  const look = 'Look at it with "pathpool inspect DIR"';
  if (row === 'missing') {
    return 'Put the file back or restore a backup; or start with --recover to go on without what it held.';
  }
  if (!recoveryTable[row].recoverable) return `${look}.`;
  return `${look}; start with --recover to keep the records before this place and move the rest aside.`;
}
