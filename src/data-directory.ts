import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import { AppError } from './errors.ts';
import { requireUnlocked } from './journal/lock.ts';
import { NodeDisk } from './journal/node-disk.ts';

/** A data directory that must exist and is only read. Error `not-found`. */
export async function openDataDirectory(directory: string): Promise<NodeDisk> {
  const root = resolve(directory);
  await access(root).catch((error: unknown) => {
    throw new AppError('not-found', `There is no data directory ${directory}.`, {}, error);
  });
  return new NodeDisk(root);
}

/** The same for commands that need it at rest. Error `data-locked` while a server runs on it. */
export async function openIdleDirectory(directory: string): Promise<NodeDisk> {
  const disk = await openDataDirectory(directory);
  await requireUnlocked(resolve(directory));
  return disk;
}
