import { type Disk, readFully, withFile } from './disk.ts';

const copyBytes = 1 << 20;

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
  await copyTail(disk, name, keep, aside);
  await disk.syncDirectory('');
  await truncateFile(disk, name, keep);
  return aside;
}

/** Cuts a file after `keep` bytes; to be synced before anything is appended. */
export async function truncateFile(disk: Disk, name: string, keep: number): Promise<void> {
  await withFile(disk, name, 'append', (file) => file.truncate(keep));
}

async function copyTail(disk: Disk, from: string, offset: number, to: string): Promise<void> {
  await withFile(disk, from, 'read', (source) =>
    withFile(disk, to, 'create', async (target) => {
      const window = new Uint8Array(copyBytes);
      for (let at = offset; ; at += copyBytes) {
        const read = await readFully(source, window, at);
        if (read > 0) await target.append([window.subarray(0, read)]);
        if (read < copyBytes) return target.sync();
      }
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
