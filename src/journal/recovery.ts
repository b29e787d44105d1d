import {
  type Assessment,
  assessJournal,
  type Finding,
  type JournalContext,
  keptFiles,
} from './assessment.ts';
import { moveAside, moveTailAside, replaceByCopy, truncateFile } from './damaged-files.ts';
import { type Disk, withFile } from './disk/disk.ts';
import { isNoSpace, JournalError } from './errors.ts';
import { type JournalFileName, removeUnfinishedFiles, type SoundFile } from './file-list.ts';
import { type RecoveryCase, recoveryTable } from './recovery-table.ts';
import { removeSeal, sealFile } from './seal.ts';

export interface RecoveryOptions extends JournalContext {
  /** Keep the records before the damage, move the rest aside, and continue. */
  readonly recover: boolean;
  /** Whether the caller puts a synced copy in the place of the newest file anyway. */
  readonly fence: boolean;
  readonly log: (finding: Finding) => void;
}

/**
 * Start-up: brings the journal into a state in which every record is good, contiguous and durable,
 * and returns its files, oldest first. `log` receives what the recovery table decided; a finding
 * for which the table says `fail` is thrown as `data-damaged`.
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
  if (last) await makeDurable(disk, last, options.fence || wasSynced(last, seal));
  // Last: if recovery is interrupted, the next start fails once more, and does not drop more
  // records silently.
  if (overruled) await removeSeal(disk);
  await disk.syncDirectory('');
  return kept;
}

/** Throws if the table says `fail` for the finding. */
export function requireSound(finding: Finding): void {
  if (recoveryTable[finding.case].outcome === 'fail') throw damageError(finding);
}

/** Whether the operator overrides the table's `fail`. */
function mayRecover(finding: Finding, options: RecoveryOptions): boolean {
  const { outcome, recoverable } = recoveryTable[finding.case];
  return options.recover && outcome === 'fail' && recoverable;
}

/** Removes the parts that are not sound from the journal. */
async function settle(
  disk: Disk,
  { bad, after, finding }: Assessment,
  { log }: RecoveryOptions,
): Promise<void> {
  const { outcome } = recoveryTable[finding.case];
  if (bad === undefined) {
    if (outcome === 'fail') log(finding);
    return;
  }
  if (outcome === 'truncate') {
    await truncateFile(disk, bad.name, bad.goodBytes);
    log(finding);
    return;
  }
  // Newest first: if this is interrupted, the damage can still be found again.
  const moved: string[] = [];
  for (const file of after.toReversed()) moved.push(await moveAside(disk, file.name));
  moved.push(
    await (bad.goodBytes === 0 ? moveAside(disk, bad.name) : moveTailAside(disk, bad.name, bad.goodBytes)),
  );
  log({ ...finding, message: `${finding.message} Moved aside: ${moved.join(', ')}` });
}

/**
 * Whether every record of the newest file was certainly synced: either it has none, or the journal
 * was closed after the last one.
 */
function wasSynced({ firstSequence, lastSequence, bytes }: SoundFile, seal: Assessment['seal']): boolean {
  if (lastSequence < firstSequence) return true;
  if (!seal || seal === 'damaged') return false;
  return firstSequence === seal.firstSequence && bytes === seal.bytes;
}

/**
 * A record can be good and yet only in the system's cache, if the process ended before its sync, or
 * if the sync failed. It will be served from now on, so it must not disappear again. A second sync
 * is not enough: after a failed one, Linux considers the pages written. So the file is copied. If
 * the records are known to be durable, a sync is enough; it ensures that the bytes cut off after
 * them do not reappear.
 */
async function makeDurable(disk: Disk, { name, bytes }: SoundFile, synced: boolean): Promise<void> {
  if (!synced && (await isReplacedByCopy(disk, name, bytes))) return;
  await withFile(disk, name, 'append', (file) => file.sync());
}

/** Returns false if the disk has no room for the copy. */
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

function damageError({ case: row, file, offset, sequence, message }: Finding): JournalError {
  const text = `${message} Nothing was changed. ${advice(row)}`;
  return new JournalError('data-damaged', text, { file, offset, sequence, case: row });
}

function advice(row: RecoveryCase): string {
  const look = 'Look at it with "pathpool inspect DIR"';
  if (row === 'missing') {
    return 'Put the file back or restore a backup; or start with --recover to continue without its records.';
  }
  if (!recoveryTable[row].recoverable) return `${look}.`;
  return `${look}; start with --recover to keep the records before this place and move the rest aside.`;
}
