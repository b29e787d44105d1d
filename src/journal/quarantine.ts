import { type Disk, readFully, withFile } from './disk.ts';
import { JournalError } from './errors.ts';
import { draftOf } from './unique-names.ts';

const copyWindowBytes = 1 << 20;

/** Renames a file to one that is no longer part of the journal. Returns the new name. */
export async function moveAside(disk: Disk, name: string): Promise<string> {
  const aside = await freeName(disk, name);
  await disk.rename(name, aside);
  await disk.syncDirectory('');
  return aside;
}

/** Cuts a file after `keep` bytes, having copied the rest to a file aside. Returns the name of that. */
export async function moveTailAside(disk: Disk, name: string, keep: number): Promise<string> {
  const aside = await freeName(disk, name);
  await copyBytes(disk, { name, from: keep, to: Number.POSITIVE_INFINITY }, aside);
  await disk.syncDirectory('');
  await truncateFile(disk, name, keep);
  return aside;
}

/** Cuts a file after `keep` bytes; to be synced before anything is appended. */
export async function truncateFile(disk: Disk, name: string, keep: number): Promise<void> {
  await withFile(disk, name, 'append', (file) => file.truncate(keep));
}

/**
 * Puts a copy of a file's first bytes in its place. Processes that have the old file open keep it,
 * without a name.
 */
export async function replaceByCopy(disk: Disk, name: string, bytes: number): Promise<void> {
  const copy = draftOf(name);
  const copied = await copyBytes(disk, { name, from: 0, to: bytes }, copy);
  if (copied !== bytes) {
    const message = `${name} has ${copied} bytes, not ${bytes}: another process has changed it. Start again.`;
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
 * Copies to a new file, and syncs it. The number of bytes, which is smaller where the file ends
 * before.
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

/** A name that is not taken: what an earlier damage left is never overwritten. */
async function freeName(disk: Disk, name: string): Promise<string> {
  const taken = new Set(await disk.list(''));
  for (let count = 1; ; count++) {
    const candidate = count === 1 ? `${name}.damaged` : `${name}.${count}.damaged`;
    if (!taken.has(candidate)) return candidate;
  }
}
