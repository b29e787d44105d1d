import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { BackupTask, Surroundings } from '../../src/cli/backups/round.ts';
import { noDisplay } from '../../src/cli/work-display.ts';
import { BackedUpStore } from './backed-up-store.ts';
import { KEEP_ALL } from './histories.ts';
import type { Scope } from './scope.ts';
import { merge } from './stores.ts';

export const CHECKPOINT_ALWAYS = { journalMax: 64, changesRetention: KEEP_ALL };

/** The names of the stored files of a repository, below `objects`. */
export async function objectsOf(repository: string): Promise<string[]> {
  const names = await readdir(join(repository, 'objects'), { recursive: true });
  return names.filter((name) => name.length > 2);
}

/** What a backup is called with, apart from the parts of a test. */
export function around(history: BackedUpStore, others: Partial<Surroundings> = {}): Surroundings {
  const { signal } = new AbortController();
  const notice = (message: string) => void history.notices.push(message);
  return { notice, display: noDisplay, signal, now: () => history.clock, ...others };
}

export function taskOf({ directory, repository }: BackedUpStore): BackupTask {
  return { directory, repository, keep: undefined };
}

/** A store with a checkpoint, a big write, content, and commits since. */
export async function filled(scope: Scope): Promise<BackedUpStore> {
  const history = await BackedUpStore.open(scope, CHECKPOINT_ALWAYS);
  await history.add('1');
  await history.maintain();
  await history.put('urn:x:r', 'text');
  await history.big(merge('urn:x:big', '<urn:s> <urn:p> "2" .\n<urn:s> <urn:p> "3" .'));
  await history.add('2');
  return history;
}
