import type { Disk } from '../../journal/disk/disk.ts';
import { JournalError } from '../../journal/errors.ts';
import { RecordReader } from '../../journal/record-reader.ts';
import { requireHeader } from '../../journal/scan.ts';
import type { HistoryFile } from './retained-files.ts';

/** A record of the history. */
export interface HistoryRecord {
  readonly sequence: number;
  /** A view that is only valid until the next record is read. */
  readonly payload: Uint8Array;
  /** Offset of the next record in the file. */
  readonly next: number;
}

/** Where reading begins. */
export interface HistoryPlace {
  /** Number of the first record that is wanted. */
  readonly from: number;
  /** Offset of a record at or before that one. Default: that of the first one. */
  readonly offset?: number | undefined;
}

/**
 * Reads the records of a file in order, as many as there are when it begins. Records may be
 * appended to the file meanwhile. Throws `data-damaged`.
 */
export async function* readRecords(
  disk: Disk,
  { name, lastSequence }: HistoryFile,
  { from, offset }: HistoryPlace,
): AsyncGenerator<HistoryRecord> {
  const file = await disk.open(name, 'read');
  try {
    const { marker } = await requireHeader(file, name);
    const reader = new RecordReader(file, await file.size(), marker, true);
    if (offset !== undefined) reader.offset = offset;
    while (reader.sequence < lastSequence) {
      const outcome = await reader.next();
      if (outcome === 'end') return;
      if (outcome !== 'record') {
        const message = `${name}, which has earlier changes, is damaged at byte ${reader.offset}.`;
        throw new JournalError('data-damaged', message, { file: name, offset: reader.offset });
      }
      const { sequence, payload, offset: next } = reader;
      if (sequence >= from) yield { sequence, payload, next };
    }
  } finally {
    await file.close();
  }
}
