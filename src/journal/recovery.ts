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
  if (!wasClosed(kept.at(-1), seal)) await makeLastDurable(disk, kept);
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

/** Whether the seal vouches for every byte of the newest file, because it was closed after its last sync. */
function wasClosed(newest: SoundFile | undefined, seal: Assessment['seal']): boolean {
  if (!newest || !seal || seal === 'damaged') return false;
  return newest.firstSequence === seal.firstSequence && newest.bytes === seal.bytes;
}

/**
 * A record can be good and yet only in the system's cache, when the process ended before its sync, or
 * because the sync failed. It will be served from now on, so it must not vanish any more. A second sync
 * is not enough: after one that failed Linux counts the pages as written. So the file is copied.
 */
async function makeLastDurable(disk: Disk, files: readonly SoundFile[]): Promise<void> {
  const last = files.at(-1);
  if (!last || last.lastSequence < last.firstSequence) return;
  try {
    await replaceByCopy(disk, last.name, last.bytes);
  } catch (error) {
    if (!isNoSpace(error)) throw error;
    await removeUnfinishedFiles(disk);
    await withFile(disk, last.name, 'append', (file) => file.sync());
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
