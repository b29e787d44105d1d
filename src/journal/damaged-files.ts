import { type Disk, readFully, withFile } from './disk/disk.ts';
import { draftOf } from './disk/unique-names.ts';
import { JournalError } from './errors.ts';

const copyWindowBytes = 1 << 20;

/** Renames a file so that it is no longer part of the journal. Returns the new name. */
export async function moveAside(disk: Disk, name: string): Promise<string> {
  const aside = await freeName(disk, name);
  await disk.rename(name, aside);
  await disk.syncDirectory('');
  return aside;
}

/**
 * Truncates a file to `keep` bytes after copying the rest to another file. Returns the name of the
 * copy.
 */
export async function moveTailAside(disk: Disk, name: string, keep: number): Promise<string> {
  const aside = await freeName(disk, name);
  await copyBytes(disk, { name, from: keep, to: Number.POSITIVE_INFINITY }, aside);
  await disk.syncDirectory('');
  await truncateFile(disk, name, keep);
  return aside;
}

/** Truncates a file to `keep` bytes; the file must be synced before anything is appended. */
export async function truncateFile(disk: Disk, name: string, keep: number): Promise<void> {
  await withFile(disk, name, 'append', (file) => file.truncate(keep));
}

/**
 * Replaces a file by a copy of its first bytes. Processes that have the old file open keep it,
 * without a name.
 */
export async function replaceByCopy(disk: Disk, name: string, bytes: number): Promise<void> {
  const copy = draftOf(name);
  const copied = await copyBytes(disk, { name, from: 0, to: bytes }, copy);
  if (copied !== bytes) {
    const message = `${name} has ${copied} bytes, not ${bytes}: another process has changed it. Restart.`;
    throw new JournalError('data-damaged', message, { file: name, offset: copied });
  }
  await disk.rename(copy, name);
  await disk.syncDirectory('');
}

interface Bytes {
  readonly name: string;
  readonly from: number;
  readonly to: number;
}

/**
 * Copies to a new file and syncs it. Returns the number of bytes, which is smaller than requested
 * if the file ends early.
 */
async function copyBytes(disk: Disk, { name, from, to }: Bytes, copy: string): Promise<number> {
  return withFile(disk, name, 'read', (source) =>
    withFile(disk, copy, 'create', async (target) => {
      const window = new Uint8Array(copyWindowBytes);
      let at = from;
      while (at < to) {
        const wanted = window.subarray(0, Math.min(copyWindowBytes, to - at));
        const read = await readFully(source, wanted, at);
        if (read > 0) await target.append([window.subarray(0, read)]);
        at += read;
        if (read < wanted.length) break;
      }
      await target.sync();
      return at - from;
    }),
  );
}

/** Returns an unused name: files of earlier damage are never overwritten. */
async function freeName(disk: Disk, name: string): Promise<string> {
  const taken = new Set(await disk.list(''));
  for (let count = 1; ; count++) {
    const candidate = count === 1 ? `${name}.damaged` : `${name}.${count}.damaged`;
    if (!taken.has(candidate)) return candidate;
  }
}
