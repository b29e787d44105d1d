/**
 * `pathpool backup`: a copy of a data directory, while a server runs on it or not. The order makes it whole: first the
 * journal, then the checkpoint. What a checkpoint that came meanwhile replaced is then there twice, which recovery knows;
 * in the other order it could be missing. Files that vanish meanwhile mean that there is a newer checkpoint: once more.
 *
 * `identity.json` stays behind. The original goes on writing, and its entity tags must not come true for other content
 * when the copy is put in its place, so the copy gets an identity of its own at its first start.
 */
import { copyFile, mkdir, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { openDataDirectory } from './data-directory.ts';
import { AppError, toErrorData } from './errors.ts';
import type { Disk } from './journal/disk.ts';
import { listJournalFiles, withFile } from './journal/journal-files.ts';
import { NodeDisk } from './journal/node-disk.ts';
import { findCheckpoint, listCheckpointFiles } from './store/checkpoint.ts';
import { readData } from './store/load-data.ts';

const ATTEMPTS = 10;

/**
 * Copies to a directory that is new or empty; resolves with the number of the newest commit when the copy is verified and
 * on disk. Everything is in it that was acknowledged before the call. Errors: `not-found`, `data-damaged`.
 */
export async function backup(directory: string, target: string): Promise<number> {
  const source = await openDataDirectory(directory);
  await mkdir(target, { recursive: true });
  if ((await readdir(target)).length > 0) throw new AppError('bad-arguments', `${target} is not empty.`);
  const copy = new NodeDisk(resolve(target));
  for (let attempt = 1; ; attempt++) {
    try {
      await copyFiles(source, resolve(directory), resolve(target));
      return await verify(copy);
    } catch (error) {
      if (attempt === ATTEMPTS || !mayComeRight(error)) throw error;
      for (const name of await copy.list('')) await copy.remove(name);
    }
  }
}

async function copyFiles(source: Disk, from: string, to: string): Promise<void> {
  for (const { name } of await listJournalFiles(source)) await copyFile(join(from, name), join(to, name));
  const checkpoint = await findCheckpoint(source);
  for (const { name, sequence, kind } of await listCheckpointFiles(source)) {
    if (sequence === checkpoint?.sequence && kind !== 'json.new')
      await copyFile(join(from, name), join(to, name));
  }
}

async function verify(copy: Disk): Promise<number> {
  const { sequence } = await readData(copy, undefined, (message) => {
    throw new AppError('data-damaged', message);
  });
  for (const name of await copy.list('')) await withFile(copy, name, 'append', (file) => file.sync());
  await copy.syncDirectory('');
  return sequence;
}

/** A file that went, and a gap where it was, come from a checkpoint that came meanwhile. */
function mayComeRight(error: unknown): boolean {
  return toErrorData(error).code === 'data-damaged' || (error as { code?: unknown }).code === 'ENOENT';
}
