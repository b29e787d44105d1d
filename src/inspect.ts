import { access } from 'node:fs/promises';
import { resolve } from 'node:path';
import { AppError } from './errors.ts';
import type { Disk } from './journal/disk.ts';
import { inspectJournal, type JournalReport, readRecord } from './journal/inspect.ts';
import { NodeDisk } from './journal/node-disk.ts';
import { type Checkpoint, findCheckpoint } from './store/checkpoint.ts';

/**
 * `pathpool inspect`: the files of a data directory with their sequence numbers and sizes, and what a start would find; or
 * one record as text. Changes nothing.
 */
export async function inspect(directory: string, record: number | undefined): Promise<string> {
  const disk = await openReadOnly(directory);
  if (record === undefined) {
    const checkpoint = await findCheckpoint(disk);
    return describe(checkpoint, await inspectJournal(disk, checkpoint?.sequence));
  }
  const payload = await readRecord(disk, record);
  if (!payload)
    throw new AppError('data-damaged', `The journal in ${directory} has no good record ${record}.`);
  return Buffer.from(payload).toString();
}

async function openReadOnly(directory: string): Promise<Disk> {
  const root = resolve(directory);
  await access(root).catch((error: unknown) => {
    throw new AppError('data-damaged', `There is no data directory ${directory}.`, {}, error);
  });
  return new NodeDisk(root);
}

function describe(checkpoint: Checkpoint | undefined, { files, movedAside, finding }: JournalReport): string {
  const lines = [
    checkpoint
      ? `checkpoint at commit ${checkpoint.sequence}: ${checkpoint.quadCount} quads in ${checkpoint.graphs.length} graphs`
      : 'no checkpoint',
    ...files.map(({ name, firstSequence, lastSequence, bytes, goodBytes }) => {
      const records =
        lastSequence < firstSequence ? 'no records' : `records ${firstSequence} to ${lastSequence}`;
      const bad = bytes === goodBytes ? '' : `, not good from byte ${goodBytes} on`;
      return `${name}: ${records}, ${bytes} bytes${bad}`;
    }),
    ...movedAside.map((name) => `${name}: moved aside by an earlier recovery`),
    `a start would find: ${finding.message}`,
  ];
  return `${lines.join('\n')}\n`;
}
