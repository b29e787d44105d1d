/**
 * The seal says how far the newest journal file had been written when the journal was closed, or
 * when a backup was made. Without it a damaged end can't be told from a write that a crash
 * interrupted.
 *
 *     journal.seal    one line of JSON, then one line with the SHA-256 of the first
 *
 * All bytes up to there belong to acknowledged records, and stay as they are as long as the file
 * exists: later records are appended behind them. So a seal remains true while the journal goes on,
 * also when an older release, which does not know it, appends to the file or crashes. It has no
 * meaning any more once a newer journal file exists. The file's marker and its length are enough,
 * since each record has a checksum of its own.
 */
import { createHash } from 'node:crypto';
import type { Disk } from './disk.ts';
import { readText, removeIfThere, writeDurably } from './durable-file.ts';

export const sealFile = 'journal.seal';
const sealFormat = 1;

export interface Seal {
  /** Names the file. */
  readonly firstSequence: number;
  /** The file's marker, hexadecimal. */
  readonly marker: string;
  readonly lastSequence: number;
  /** The size of the file. */
  readonly bytes: number;
}

/** `damaged`: there is one, but nobody knows what it said. */
export async function readSeal(disk: Disk): Promise<Seal | 'damaged' | undefined> {
  if (!(await disk.list('')).includes(sealFile)) return undefined;
  const [text = '', digest] = (await readText(disk, sealFile)).split('\n');
  if (digest !== digestOf(text)) return 'damaged';
  const { format, ...seal } = JSON.parse(text) as Seal & { readonly format: number };
  return format === sealFormat ? seal : 'damaged';
}

/** Durable when it resolves. */
export async function writeSeal(disk: Disk, seal: Seal): Promise<void> {
  const text = JSON.stringify({ format: sealFormat, ...seal });
  await writeDurably(disk, sealFile, `${text}\n${digestOf(text)}\n`);
}

/** To be made durable by syncing the directory. */
export async function removeSeal(disk: Disk): Promise<void> {
  await removeIfThere(disk, sealFile);
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
