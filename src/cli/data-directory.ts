import { resolve } from 'node:path';
import { requireSingleDirectory } from '../cluster/objects/cluster-file.ts';
import { AppError } from '../errors.ts';
import { NodeDisk } from '../journal/disk/node-disk.ts';
import { isJournalFile } from '../journal/file-list.ts';
import { requireUnlocked } from '../journal/lock/lock.ts';
import { isManifest } from '../store/checkpoint/checkpoint.ts';
import { requireKnownFormats } from '../store/recovery/known-formats.ts';
import { identityFile } from '../store/registry/identity.ts';

/**
 * Opens an existing data directory for reading. Errors: `not-found` if it is not a data directory,
 * `newer-format`, `bad-arguments` if it is that of a process in a cluster.
 */
export async function openDataDirectory(directory: string): Promise<NodeDisk> {
  const disk = new NodeDisk(resolve(directory));
  const names = await disk.list('').catch((error: NodeJS.ErrnoException) => {
    throw new AppError('not-found', unreadable(directory, error), {}, error);
  });
  await requireKnownFormats(disk);
  await requireSingleDirectory(disk);
  if (names.some(isStored)) return disk;
  const found = names.length === 0 ? 'it is empty' : 'it contains neither a journal nor a checkpoint';
  const advice = 'Give the directory that the server uses as --data.';
  throw new AppError('not-found', `${directory} is not a data directory: ${found}. ${advice}`);
}

/**
 * Opens a data directory for a command that needs it idle. `notice` receives the reason for a
 * delay. Error `data-locked` while a server uses it.
 */
export async function openIdleDirectory(
  directory: string,
  notice: (message: string) => void,
): Promise<NodeDisk> {
  const disk = await openDataDirectory(directory);
  await requireUnlocked(resolve(directory), notice);
  return disk;
}

/**
 * Whether a name is that of a file of which every data directory has at least one. A copy made by
 * `backup` has no identity file.
 */
function isStored(name: string): boolean {
  return name === identityFile || isJournalFile(name) || isManifest(name);
}

function unreadable(directory: string, { code, message }: NodeJS.ErrnoException): string {
  if (code === 'ENOENT') return `There is no data directory ${directory}.`;
  if (code === 'ENOTDIR') return `${directory} is not a directory.`;
  return `${directory} can't be read: ${message}`;
}
