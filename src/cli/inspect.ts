import { AppError } from '../errors.ts';
import { type Disk, withFile } from '../journal/disk/disk.ts';
import { journalFileName } from '../journal/file-list.ts';
import { inspectJournal, readRecord } from '../journal/inspect-journal.ts';
import { recoveryTable } from '../journal/recovery-table.ts';
import type { FileScan } from '../journal/scan.ts';
import { type Seal, sealFile } from '../journal/seal.ts';
import { type Checkpoint, findCheckpoint, listCheckpointFiles } from '../store/checkpoint/checkpoint.ts';
import { linesOfBlocks, listPatchFiles, patchLines } from '../store/patch/file.ts';
import { blocksOf, headerText, patchTime, referenceIn } from '../store/patch/patch.ts';
import { journalContext } from '../store/recovery/journal-context.ts';
import { identityDamage } from '../store/registry/identity.ts';
import { openDataDirectory } from './data-directory.ts';

export interface Inspection {
  readonly text: string;
  /** Output that follows the text. Error `data-damaged`. */
  readonly rows?: AsyncIterable<Uint8Array>;
  /** Whether a start of the server would fail. */
  readonly damaged: boolean;
}

/**
 * `pathpool inspect`: describes the files of a data directory with their sequence numbers, times
 * and sizes, and what the server would find at start-up; or returns one record as text. Changes
 * nothing.
 */
export async function inspect(directory: string, record: number | undefined): Promise<Inspection> {
  const disk = await openDataDirectory(directory);
  if (record === undefined) return describe(disk);
  const payload = await readRecord(disk, record);
  if (!payload) throw new AppError('not-found', `The journal in ${directory} has no valid record ${record}.`);
  const blocks = blocksOf(payload);
  if (blocks) return { text: headerText(payload), rows: owned(linesOfBlocks(blocks)), damaged: false };
  const text = Buffer.from(payload).toString();
  const reference = referenceIn(payload);
  return reference
    ? { text, rows: owned(patchLines(disk, reference)), damaged: false }
    : { text, damaged: false };
}

async function describe(disk: Disk): Promise<Inspection> {
  const checkpoint = await findCheckpoint(disk);
  const { files, movedAside, seal, finding } = await inspectJournal(
    disk,
    await journalContext(disk, checkpoint),
  );
  const lines = [checkpoint ? aboutCheckpoint(checkpoint) : 'no checkpoint'];
  for (const { name } of await listCheckpointFiles(disk)) {
    lines.push(`${name}: ${await sizeOf(disk, name)} bytes`);
  }
  for (const file of files) lines.push(await aboutFile(disk, file));
  for (const name of await listPatchFiles(disk)) lines.push(await aboutPatch(disk, name));
  if (seal) lines.push(aboutSeal(seal));
  for (const name of movedAside) lines.push(`${name}: moved aside by an earlier recovery`);
  const identity = await identityDamage(disk);
  if (identity !== undefined) lines.push(identity);
  lines.push(`a start would find: ${finding.message}`);
  const damaged = identity !== undefined || recoveryTable[finding.case].outcome === 'fail';
  return { text: `${lines.join('\n')}\n`, damaged };
}

function aboutCheckpoint({ sequence, quadCount, graphs }: Checkpoint): string {
  const newest = graphs.reduce((latest, [, info]) => Math.max(latest, info?.modified ?? 0), 0);
  const changed = newest > 0 ? `, changed last at ${new Date(newest).toISOString()}` : '';
  return `checkpoint at commit ${sequence}: ${quadCount} quads in ${graphs.length} graphs${changed}`;
}

async function aboutFile(disk: Disk, { name, firstSequence, lastSequence, bytes, goodBytes }: FileScan) {
  const bad = bytes === goodBytes ? '' : `, invalid from byte ${goodBytes} on`;
  if (lastSequence < firstSequence) return `${name}: no records, ${bytes} bytes${bad}`;
  const times = `${await timeOf(disk, firstSequence)} to ${await timeOf(disk, lastSequence)}`;
  return `${name}: records ${firstSequence} to ${lastSequence}, ${times}, ${bytes} bytes${bad}`;
}

/** Copies the lines, so that they stay valid. */
async function* owned(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  for await (const piece of pieces) yield Buffer.from(piece);
}

async function aboutPatch(disk: Disk, name: string): Promise<string> {
  return `${name}: triples of a transaction, ${await sizeOf(disk, name)} bytes`;
}

function sizeOf(disk: Disk, name: string): Promise<number> {
  return withFile(disk, name, 'read', (file) => file.size());
}

function aboutSeal(seal: Seal | 'damaged'): string {
  if (seal === 'damaged') return `${sealFile}: damaged, and ignored by a start`;
  const { firstSequence, lastSequence, bytes } = seal;
  const name = journalFileName(firstSequence);
  return `${sealFile}: ${name} was closed or copied with ${bytes} bytes, up to record ${lastSequence}`;
}

async function timeOf(disk: Disk, sequence: number): Promise<string> {
  const payload = await readRecord(disk, sequence);
  const time = payload && patchTime(payload);
  return time === undefined ? 'unknown time' : new Date(time).toISOString();
}
