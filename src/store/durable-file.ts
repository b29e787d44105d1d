import { type Disk, readFully } from '../journal/disk.ts';

/** Puts a small file in place whole or not at all: written and synced under another name, then renamed. */
export async function writeDurably(disk: Disk, name: string, text: string): Promise<void> {
  const draft = `${name}.new`;
  await removeIfThere(disk, draft);
  const file = await disk.open(draft, 'create');
  try {
    await file.append([Buffer.from(text)]);
    await file.sync();
  } finally {
    await file.close();
  }
  await disk.rename(draft, name);
  await disk.syncDirectory('');
}

export async function readText(disk: Disk, name: string): Promise<string> {
  const file = await disk.open(name, 'read');
  try {
    const bytes = Buffer.alloc(await file.size());
    await readFully(file, bytes, 0);
    return bytes.toString();
  } finally {
    await file.close();
  }
}

export async function removeIfThere(disk: Disk, name: string): Promise<void> {
  if ((await disk.list('')).includes(name)) await disk.remove(name);
}
