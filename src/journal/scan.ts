import { type Disk, type DiskFile, readFully, withFile } from './disk/disk.ts';
import { JournalError } from './errors.ts';
import type { JournalFileName } from './file-list.ts';
import {
  decodeHeader,
  type FileHeader,
  fileHeaderBytes,
  type HeaderReading,
  readSequence,
  recordHeaderBytes,
} from './record.ts';
import { RecordReader } from './record-reader.ts';

/** How a file ends, considered on its own. */
export type ScanEnd =
  | { readonly kind: 'clean' }
  /** No header of a later group follows. */
  | { readonly kind: 'cut' | 'torn' }
  /** The header of a later group follows, so the bad record was committed. */
  | { readonly kind: 'damaged'; readonly next: { readonly offset: number; readonly sequence: number } }
  /** A valid record with an unexpected number. */
  | { readonly kind: 'gap'; readonly found: number }
  | { readonly kind: 'bad-header' }
  | { readonly kind: 'foreign'; readonly found: string };

export interface FileScan {
  readonly name: string;
  /** Hexadecimal; empty if the header can't be used. */
  readonly marker: string;
  readonly firstSequence: number;
  /** Number of the last good record; one less than `firstSequence` if there is none. */
  readonly lastSequence: number;
  /** Size of the file. */
  readonly bytes: number;
  /** Offset of the end of the good records. */
  readonly goodBytes: number;
  readonly end: ScanEnd;
}

/**
 * Verifies every record of a file and changes nothing. Uses the memory of one window, whatever
 * lengths the records claim.
 */
export async function scanFile(disk: Disk, { name, firstSequence }: JournalFileName): Promise<FileScan> {
  return withFile(disk, name, 'read', async (file) => {
    const bytes = await file.size();
    const header = await readHeader(file);
    if (header.kind === 'header' && header.header.firstSequence === firstSequence) {
      const { marker } = header.header;
      const scan = await new RecordScan(file, bytes, marker).from(firstSequence);
      return { name, marker: marker.toString('hex'), firstSequence, bytes, ...scan };
    }
    const end: ScanEnd = header.kind === 'foreign' ? header : { kind: 'bad-header' };
    return { name, marker: '', firstSequence, lastSequence: firstSequence - 1, bytes, goodBytes: 0, end };
  });
}

/** Returns the header of a file that recovery has found good. */
export async function requireHeader(file: DiskFile, name: string): Promise<FileHeader> {
  const reading = await readHeader(file);
  if (reading.kind === 'header') return reading.header;
  const message = `The header of ${name} changed after it had been verified`;
  throw new JournalError('data-damaged', message, { file: name, offset: 0 });
}

async function readHeader(file: DiskFile): Promise<HeaderReading> {
  const bytes = Buffer.alloc(fileHeaderBytes);
  return decodeHeader(bytes.subarray(0, await readFully(file, bytes, 0)));
}

/** The records of a file of `bytes` bytes whose header is good. */
class RecordScan {
  readonly #file: DiskFile;
  readonly #bytes: number;
  readonly #marker: Buffer;

  constructor(file: DiskFile, bytes: number, marker: Buffer) {
    this.#file = file;
    this.#bytes = bytes;
    this.#marker = marker;
  }

  async from(firstSequence: number): Promise<Pick<FileScan, 'lastSequence' | 'goodBytes' | 'end'>> {
    const reader = new RecordReader(this.#file, this.#bytes, this.#marker, false);
    let expected = firstSequence;
    for (;;) {
      const goodBytes = reader.offset;
      const outcome = await reader.next();
      const lastSequence = expected - 1;
      if (outcome === 'end') return { lastSequence, goodBytes, end: { kind: 'clean' } };
      if (outcome !== 'record') {
        // The header of the bad record itself proves nothing.
        const next = await this.#laterGroup(goodBytes + 1, expected);
        return { lastSequence, goodBytes, end: next ? { kind: 'damaged', next } : { kind: outcome } };
      }
      if (reader.sequence !== expected) {
        return { lastSequence, goodBytes, end: { kind: 'gap', found: reader.sequence } };
      }
      expected++;
    }
  }

  /**
   * Searches after a bad record for the header of a record whose group begins after it (see
   * record.ts). It searches for the marker instead of relying on the length, so it takes as long as
   * reading the rest of the file once.
   */
  async #laterGroup(
    from: number,
    badSequence: number,
  ): Promise<{ offset: number; sequence: number } | undefined> {
    const bytes = this.#bytes;
    const window = Buffer.alloc(Math.min(1 << 20, bytes - from));
    // Windows overlap by one byte less than a header, so each header is complete in one of them.
    for (
      let start = from;
      bytes - start >= recordHeaderBytes;
      start += window.length - recordHeaderBytes + 1
    ) {
      const part = window.subarray(0, Math.min(window.length, bytes - start));
      const seen = part.subarray(0, await readFully(this.#file, part, start));
      const at = this.#headerAfter(seen, badSequence);
      if (at >= 0) return { offset: start + at, sequence: readSequence(seen, at + 24) };
    }
    return undefined;
  }

  /** Returns the offset of the first header of a later group, or -1 if no header follows. */
  #headerAfter(seen: Buffer, badSequence: number): number {
    for (
      let at = seen.indexOf(this.#marker);
      at >= 0 && at + recordHeaderBytes <= seen.length;
      at = seen.indexOf(this.#marker, at + 1)
    ) {
      if (readSequence(seen, at + 24) - seen.readUInt32LE(at + 20) > badSequence) return at;
    }
    return -1;
  }
}
