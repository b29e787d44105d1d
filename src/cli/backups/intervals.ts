import { setTimeout as pass } from 'node:timers/promises';
import { toErrorData } from '../../errors.ts';
import { type BackupTask, backupOnce, type RoundResult, type Surroundings } from './round.ts';

/** Returns a line about a backup for the operator. */
export function aboutRound({ directory, repository }: BackupTask, result: RoundResult): string {
  const { manifest, addedBytes, removedBackups } = result;
  const removed = removedBackups > 0 ? `, ${removedBackups} older backups removed` : '';
  return `backed up ${directory} to ${repository}, up to commit ${manifest.commit}: ${addedBytes} bytes added${removed}`;
}

/** Returns what the operator must know about commits that are in no backup. */
export function aboutGap({ manifest: { gap } }: RoundResult): string | undefined {
  if (!gap) return undefined;
  const { first, last } = gap;
  const commits = first === last ? `Commit ${first} is` : `The commits ${first} to ${last} are`;
  const advice = 'Back up more often and before "pathpool load", or raise --changes-retention of the server.';
  return `${commits} in no backup: the data directory no longer had the records. ${advice}`;
}

/**
 * Backs up until `signal` is aborted, every `everyMs` from the beginning of a backup to that of the
 * next. A backup that fails is reported, and the next one tries again. Resolves with the error of
 * the last backup, if it has failed.
 */
export async function backUpRegularly(
  task: BackupTask,
  everyMs: number,
  around: Surroundings,
): Promise<unknown> {
  const { notice, signal, now } = around;
  let failure: unknown;
  // Later, a missing repository may be one whose disk is not mounted.
  let hasMade = false;
  while (!signal.aborted) {
    const began = now();
    const stamp = new Date(began).toISOString();
    try {
      const result = await backupOnce({ ...task, isThere: hasMade }, around);
      failure = undefined;
      hasMade = true;
      notice(`${stamp} ${aboutRound(task, result)}`);
      const gap = aboutGap(result);
      if (gap !== undefined) notice(gap);
    } catch (error) {
      if (signal.aborted) break;
      failure = error;
      notice(`${stamp} no backup was made: ${toErrorData(error).message} It is tried again later.`);
    }
    // The clock may be set meanwhile.
    const rest = Math.min(everyMs, Math.max(0, began + everyMs - now()));
    await pass(rest, undefined, { signal }).catch(() => {});
  }
  return failure;
}
