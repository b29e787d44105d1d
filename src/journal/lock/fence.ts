/**
 * A process that lost its data directory while it was suspended still has the journal open, and may
 * append to it before it notices. So a process that takes over from a lease replaces the journal
 * with a copy. The file `lock.fence` records that this is still to be done. It is written before
 * the lease is removed, and stays until the copy is in place, so a crash in between does no harm.
 */
import { access, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { syncDirectory } from '../disk/durable-directory.ts';
import { removeIfThere } from './owner-file.ts';

const FILE = 'lock.fence';

/** Requests the replacement of the journal; durable when the promise resolves. */
export async function demandFence(directory: string): Promise<void> {
  await writeFile(join(directory, FILE), '');
  await syncDirectory(directory);
}

export function isFenceDemanded(directory: string): Promise<boolean> {
  return access(join(directory, FILE)).then(
    () => true,
    (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return false;
      throw error;
    },
  );
}

/** Records that the journal has been replaced. */
export async function endFence(directory: string): Promise<void> {
  await removeIfThere(join(directory, FILE));
}
