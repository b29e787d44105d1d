import { type DiskFile, readFully } from './disk/disk.ts';
import {
  checksum,
  coveredFrom,
  endChecksum,
  fileHeaderBytes,
  readSequence,
  recordHeaderBytes,
  startChecksum,
} from './record.ts';

/** Bytes that are read at once. Limits the memory for verifying a record of any length. */
const windowBytes = 1 << 20;

/**
 * `end`: no bytes are left; `cut`: fewer bytes are left than the record claims; `torn`: the bytes
 * are present, but the marker or the checksum is wrong.
 */
export type ReadOutcome = 'record' | 'end' | 'cut' | 'torn';

/**
 * Iterates over the records of a file and verifies each. The fields describe the current record;
 * they are valid after `next` has returned `record` and until it is called again.
 */
export class RecordReader {
  sequence = 0;
  index = 0;
  /**
   * A view that is overwritten later; empty if a payload larger than the window is only verified.
   */
  payload: Uint8Array = new Uint8Array();
  /** Offset of the next record. */
  offset = fileHeaderBytes;

  readonly #file: DiskFile;
  readonly #size: number;
  readonly #marker: Buffer;
  readonly #wantPayload: boolean;
  readonly #window: Buffer;
  /** The window contains the file's bytes from `#from` (inclusive) to `#to` (exclusive). */
  #from = 0;
  #to = 0;

  /**
   * Reads no further than `size`. Without `wantPayload`, no memory is allocated for large payloads.
   */
  constructor(file: DiskFile, size: number, marker: Buffer, wantPayload: boolean) {
    this.#file = file;
    this.#size = size;
    this.#marker = marker;
    this.#wantPayload = wantPayload;
    this.#window = Buffer.allocUnsafe(Math.min(windowBytes, Math.max(size, recordHeaderBytes)));
  }

  async next(): Promise<ReadOutcome> {
    const start = this.offset;
    const left = this.#size - start;
    if (left === 0) return 'end';
    if (left < recordHeaderBytes) return 'cut';
    if (start + recordHeaderBytes > this.#to) await this.#load(start);
    const at = start - this.#from;
    if (this.#marker.compare(this.#window, at, at + this.#marker.length) !== 0) return 'torn';
    // The length can't be trusted yet; the check against the file size limits the possible damage.
    const length = this.#window.readUInt32LE(at + 16);
    if (length > left - recordHeaderBytes) return 'cut';
    this.index = this.#window.readUInt32LE(at + 20);
    this.sequence = readSequence(this.#window, at + 24);
    const expected = this.#window.toString('latin1', at + 8, at + 16);
    const fits = recordHeaderBytes + length <= this.#window.length;
    const found = fits ? await this.#takeSmall(start, length) : await this.#takeLarge(start, length);
    if (found !== expected) return 'torn';
    this.offset = start + recordHeaderBytes + length;
    return 'record';
  }

  /** Reads a payload that fits the window; returns the record's checksum. */
  async #takeSmall(start: number, length: number): Promise<string> {
    const end = start + recordHeaderBytes + length;
    if (end > this.#to) await this.#load(start);
    this.payload = this.#window.subarray(start + recordHeaderBytes - this.#from, end - this.#from);
    return checksum([this.#window.subarray(start + coveredFrom - this.#from, end - this.#from)]);
  }

  async #takeLarge(start: number, length: number): Promise<string> {
    const at = start - this.#from;
    const header = Buffer.from(this.#window.subarray(at + coveredFrom, at + recordHeaderBytes));
    this.payload = new Uint8Array(this.#wantPayload ? length : 0);
    if (!this.#wantPayload) return this.#checksumThrough(header, start + recordHeaderBytes, length);
    await this.#readExactly(this.payload, start + recordHeaderBytes);
    return checksum([header, this.payload]);
  }

  async #checksumThrough(header: Buffer, from: number, length: number): Promise<string> {
    const hash = startChecksum().update(header);
    const end = from + length;
    for (let at = from; at < end; at = this.#to) {
      await this.#load(at);
      hash.update(this.#window.subarray(0, Math.min(this.#to, end) - at));
    }
    return endChecksum(hash);
  }

  async #load(offset: number): Promise<void> {
    const wanted = this.#window.subarray(0, Math.min(this.#window.length, this.#size - offset));
    await this.#readExactly(wanted, offset);
    this.#from = offset;
    this.#to = offset + wanted.length;
  }

  async #readExactly(target: Uint8Array, offset: number): Promise<void> {
    const read = await readFully(this.#file, target, offset);
    if (read < target.length)
      throw new Error(`The file ended at byte ${offset + read} while it was being read`);
  }
}
