/**
 * `pathpool backup`: a copy of a data directory, whether a server is using it or not. The order of
 * copying makes the copy complete: first the journal, then the checkpoint, then the patch files
 * that the journal names. If a checkpoint is written meanwhile, the data that it replaced are in
 * the copy twice, which recovery handles; in the other order they could be missing. The content
 * files that this state refers to come last; they are older than the state. Files that vanish
 * meanwhile mean that there is a newer state, so the copy is repeated.
 *
 * `identity.json` is not copied. The original continues to write, and its entity tags must not
 * become valid for other content if the copy replaces it. So the copy gets an identity of its own
 * at its first start.
 */
import { copyFile, mkdir, open, readdir, rm, stat } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { AppError, toErrorData } from '../errors.ts';
import type { Disk } from '../journal/disk/disk.ts';
import { makeDurableDirectory } from '../journal/disk/durable-directory.ts';
import { NodeDisk } from '../journal/disk/node-disk.ts';
import { journalFileName, listJournalFiles } from '../journal/file-list.ts';
import { sealFile } from '../journal/seal.ts';
import { sealCopy } from '../journal/seal-copy.ts';
import { findCheckpoint, isFileOf, listCheckpointFiles } from '../store/checkpoint/checkpoint.ts';
import { contentDamage, contentPath, referencedContent } from '../store/content/referenced-content.ts';
import { patchReferences } from '../store/patch/references.ts';
import { journalContext } from '../store/recovery/journal-context.ts';
import { readData } from '../store/recovery/load-data.ts';
import { BackupPlace } from './backup-place.ts';
import { openDataDirectory } from './data-directory.ts';
import { ObservedDisk } from './observed-disk.ts';
import { noDisplay, type WorkDisplay } from './work-display.ts';

const ATTEMPTS = 5;
/** How often the size of a copy is looked at while it grows. */
const LOOK_MS = 200;

/**
 * Copies to a directory that is new or empty. Resolves with the number of the newest commit once
 * the copy has been verified and is on disk. The copy contains everything that was acknowledged
 * before the call. Until then it is a draft, so an interrupted one is no data directory. `notice`
 * learns of drafts of other backups, and `display` of the progress. Errors: `not-found`,
 * `bad-arguments`, `data-damaged`.
 */
export async function backup(
  directory: string,
  target: string,
  notice: (message: string) => void = () => {},
  display: WorkDisplay = noDisplay,
): Promise<number> {
  const source = await openDataDirectory(directory);
  const place = await BackupPlace.choose(resolve(target), notice);
  try {
    const copying = { from: resolve(directory), to: place.draft.path, display };
    const sequence = await copyTo(copying, source);
    await place.complete();
    return sequence;
  } finally {
    place.draft.remove();
  }
}

interface Copying {
  readonly from: string;
  readonly to: string;
  readonly display: WorkDisplay;
}

async function copyTo(copying: Copying, source: Disk): Promise<number> {
  const { from, to: draft, display } = copying;
  for (let attempt = 1; ; attempt++) {
    try {
      // Others must not see more of the copy than of the original.
      await makeDurableDirectory(draft, (await stat(from)).mode & 0o777);
      const copy = new ObservedDisk(new NodeDisk(draft), display);
      await copyFiles(copying, source);
      await copyPatches(copying, copy);
      const sequence = await verify(copying, copy);
      // Without an identity file, only the seal shows that the copy had a journal.
      await sealCopy(copy, await journalContext(source, await findCheckpoint(copy)));
      display.show('waiting for the disk');
      await syncAll(draft);
      return sequence;
    } catch (error) {
      if (attempt === ATTEMPTS || !mayComeRight(error)) throw error;
      await rm(draft, { recursive: true });
    }
  }
}

async function copyFiles(copying: Copying, source: Disk): Promise<void> {
  // The seal is copied before the journal, so the journal is at least as long as the seal says.
  await copyOne(copying, sealFile).catch(ignoreMissing);
  const journal = (await listJournalFiles(source)).map(({ name }) => name);
  for (const name of journal) await copyOne(copying, name);
  const checkpoint = await findCheckpoint(source);
  for (const file of await listCheckpointFiles(source)) {
    if (isFileOf(checkpoint, file)) await copyOne(copying, file.name);
  }
  // The journal file that follows a checkpoint is created just before it, perhaps after the journal
  // was listed.
  const next = checkpoint && journalFileName(checkpoint.sequence + 1);
  if (next !== undefined && !journal.includes(next)) {
    await copyOne(copying, next).catch((error: unknown) => {
      throw new AppError('data-damaged', `${join(copying.from, next)} is missing.`, {}, error);
    });
  }
}

/** Copies the file of that path in both directories. */
async function copyOne({ from, to, display }: Copying, path: string): Promise<void> {
  const { size } = await stat(join(from, path));
  let isCopying = true;
  const look = async () => {
    const { size: done } = await stat(join(to, path));
    if (isCopying) display.show(`copying ${path}`, done, size);
  };
  display.show(`copying ${path}`);
  // The copy may not be there yet, or no longer.
  const timer = setInterval(() => look().catch(() => {}), LOOK_MS);
  try {
    await copyFile(join(from, path), join(to, path));
  } finally {
    isCopying = false;
    clearInterval(timer);
  }
}

/**
 * Copies the patch files that the copied journal names. A missing one was covered by a checkpoint
 * written meanwhile.
 */
async function copyPatches(copying: Copying, copy: Disk): Promise<void> {
  for (const { name } of await patchReferences(copy)) await copyOne(copying, name);
}

/**
 * Verifies the copy, and copies the content files that it needs. Returns the number of the newest
 * commit.
 */
async function verify(copying: Copying, copy: Disk): Promise<number> {
  const damaged = (message: string) => {
    throw new AppError('data-damaged', message);
  };
  const { sequence, writer } = await readData(copy, damaged);
  const contents = referencedContent(writer.reader());
  // As the server makes it.
  if (contents.length > 0) await mkdir(join(copying.to, 'content'), { mode: 0o700 });
  for (const content of contents) {
    const path = contentPath(content.digest);
    await mkdir(dirname(join(copying.to, path)), { recursive: true });
    await copyOne(copying, path);
    const damage = await contentDamage(copy, content);
    if (damage !== undefined) damaged(damage);
  }
  return sequence;
}

/** Makes a directory and everything below it durable. */
export async function syncAll(directory: string): Promise<void> {
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    await (entry.isDirectory() ? syncAll(path) : sync(path));
  }
  await sync(directory);
}

async function sync(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A directory that was never closed has no seal. */
function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

/**
 * Whether a further attempt may succeed. A checkpoint written meanwhile removes files and may leave
 * a gap.
 */
export function mayComeRight(error: unknown): boolean {
  return toErrorData(error).code === 'data-damaged' || (error as { code?: unknown }).code === 'ENOENT';
}
