/**
 * The seal records the length of the newest journal file when the journal was closed, or when a
 * backup was made. Without it, a damaged end can't be distinguished from a write that a crash
 * interrupted.
 *
 *     journal.seal    one line of JSON, then one line with the SHA-256 of the first
 *
 * All bytes up to that length belong to acknowledged records, and stay the same as long as the file
 * exists, because later records are appended after them. So a seal remains true while the journal
 * continues, even if an older release, which does not know the seal, appends to the file or
 * crashes. It loses its meaning once a newer journal file exists. The file's marker and its length
 * are enough, since each record has its own checksum.
 */
import { createHash } from 'node:crypto';
import type { Disk } from './disk/disk.ts';
import { readText, removeIfThere, writeDurably } from './disk/durable-file.ts';

export const sealFile = 'journal.seal';
export const sealFormat = 1;

export interface Seal {
  /** Identifies the file. */
  readonly firstSequence: number;
  /** The file's marker, hexadecimal. */
  readonly marker: string;
  readonly lastSequence: number;
  /** The size of the file. */
  readonly bytes: number;
}

/** Returns `damaged` if the seal exists but can't be read. */
export async function readSeal(disk: Disk): Promise<Seal | 'damaged' | undefined> {
  if (!(await disk.list('')).includes(sealFile)) return undefined;
  const [text = '', digest] = (await readText(disk, sealFile)).split('\n');
  if (digest !== digestOf(text)) return 'damaged';
  const { format, ...seal } = JSON.parse(text) as Seal & { readonly format: number };
  return format === sealFormat ? seal : 'damaged';
}

/** Writes the seal, which is durable when the promise resolves. */
export async function writeSeal(disk: Disk, seal: Seal): Promise<void> {
  const text = JSON.stringify({ format: sealFormat, ...seal });
  await writeDurably(disk, sealFile, `${text}\n${digestOf(text)}\n`);
}

/** Removes the seal; the caller must sync the directory to make that durable. */
export async function removeSeal(disk: Disk): Promise<void> {
  await removeIfThere(disk, sealFile);
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
