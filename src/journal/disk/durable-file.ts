import { type Disk, readFully, withFile } from './disk.ts';
import { draftOf, isDraftOf } from './unique-names.ts';

/**
 * Writes a small file completely or not at all: it is written and synced under another name, then
 * renamed.
 */
export async function writeDurably(disk: Disk, name: string, text: string): Promise<void> {
  for (const other of await disk.list('')) if (isDraftOf(name, other)) await disk.remove(other);
  const draft = draftOf(name);
  await withFile(disk, draft, 'create', async (file) => {
    await file.append([Buffer.from(text)]);
    await file.sync();
  });
  await disk.rename(draft, name);
  await disk.syncDirectory('');
}

/** Reads a whole small file. */
export function readText(disk: Disk, name: string): Promise<string> {
  return withFile(disk, name, 'read', async (file) => {
    const bytes = Buffer.alloc(await file.size());
    await readFully(file, bytes, 0);
    return bytes.toString();
  });
}

/** Removes a file directly in the data directory, if it exists. */
export async function removeIfThere(disk: Disk, name: string): Promise<void> {
  if ((await disk.list('')).includes(name)) await disk.remove(name);
}
