import type { VisitRecord } from './commit-log.ts';
import { type Disk, withFile } from './disk/disk.ts';
import { JournalError } from './errors.ts';
import type { SoundFile } from './file-list.ts';
import { RecordReader } from './record-reader.ts';
import { requireHeader } from './scan.ts';

/**
 * Visits the records of sound files, from a sequence number on, in order. Uses the memory of one
 * window, and of one record's payload if that is larger.
 */
export async function replayFiles(
  disk: Disk,
  files: readonly SoundFile[],
  fromSequence: number,
  visit: VisitRecord,
): Promise<void> {
  for (const file of files) {
    if (file.lastSequence >= fromSequence) await replayFile(disk, file, fromSequence, visit);
  }
}

async function replayFile(
  disk: Disk,
  { name, bytes }: SoundFile,
  fromSequence: number,
  visit: VisitRecord,
): Promise<void> {
  await withFile(disk, name, 'read', async (file) => {
    const { marker } = await requireHeader(file, name);
    const reader = new RecordReader(file, bytes, marker, true);
    for (;;) {
      const outcome = await reader.next();
      if (outcome === 'end') return;
      if (outcome !== 'record') {
        const message = `${name} changed at byte ${reader.offset} after it had been verified`;
        throw new JournalError('data-damaged', message, { file: name, offset: reader.offset });
      }
      if (reader.sequence < fromSequence) continue;
      const pending = visit(reader.sequence, reader.payload);
      if (pending instanceof Promise) await pending;
    }
  });
}
