/**
 * The format of a journal file. Numbers are little-endian; offsets and lengths are in bytes.
 *
 *     header, once                           record, any number of times
 *      0  8  magic "PPJOURNL"                 0  8  marker, that of the header
 *      8  4  format version                   8  8  checksum of bytes 16 … 32 + length
 *     12  8  marker, random for each file    16  4  length of the payload
 *     20  8  sequence of the first record    20  4  index in its group
 *     28  8  checksum of bytes 0 … 28        24  8  sequence number
 *     36     records                         32     payload, opaque to the journal
 *
 * Versions 2 and 3 differ from version 1 only in that payloads may refer to other files, which a
 * release that only knows version 1 would not read; in version 3, those files may have another
 * format. In version 4, payloads may have terms that a release which only knows the other versions
 * would misread: terms of RDF 1.2, and language tags with capital letters. A file has the lowest of
 * the versions that allow all of its records.
 *
 * A checksum is the first 8 bytes of SHA-256. Sequence numbers increase by one from record to
 * record and from file to file; a file's name contains that of its first record. A file gets its
 * name only after its header is durable.
 *
 * A *group* is the unit written by one `append`: all its records, then one `fdatasync`. A record is
 * *committed* when the sync of its group has succeeded; no group is written before the previous
 * group is committed.
 *
 * Until its sync returns, the pages of a group can reach the disk in any order. After a power
 * failure the file may be shorter than what was written, and sectors within the group may contain
 * zeros or old bytes while later ones contain valid records. So a valid record after a bad one does
 * not by itself mean that committed data was lost. The index decides: a record with sequence `s`
 * and index `i` belongs to the group that begins at `s - i`, and was written when everything before
 * `s - i` was committed. A bad record is the torn end of an unacknowledged write unless the header
 * of a later group follows it. (This can't distinguish a torn last group from a last group that was
 * committed and damaged afterwards; the group is treated as torn, unless a seal covers it: see
 * seal.ts.)
 *
 * The marker makes it possible to find headers again after a bad length field. Because it is
 * random, a client that can't read the file can't plant it in a payload.
 */
import { createHash, type Hash, randomBytes } from 'node:crypto';
import { JournalError } from './errors.ts';

/**
 * The first bytes of every journal file. The format above describes it, and the sizes below, in
 * bytes.
 */
export const magic = 'PPJOURNL';
/** The supported versions. */
export const formatVersions: readonly number[] = [1, 2, 3, 4];
/** The version of files with records whose payloads refer to other files. */
export const REFERENCE_VERSION = 3;
/**
 * The version of files with records that have terms which older releases would misread, or that
 * refer to a file with such terms.
 */
export const NEW_FORMAT_VERSION = 4;
export const fileHeaderBytes = 36;
export const recordHeaderBytes = 32;
/** A buffer of every supported Node version and a single `read` can contain this much. */
export const maxPayloadBytes = 2 ** 31 - 4096;

/** Offset in a record from which the checksum covers it. */
export const coveredFrom = 16;
const markerBytes = 8;
const checksumBytes = 8;

export interface JournalRecord {
  readonly sequence: number;
  /** The pieces of the payload, in order. They must not change until `append` settles. */
  readonly payload: readonly Uint8Array[];
  /** The minimum version of a file that may contain it; 1 by default. */
  readonly version?: number;
}

export interface FileHeader {
  readonly version: number;
  readonly marker: Buffer;
  readonly firstSequence: number;
}

export type HeaderReading =
  | { readonly kind: 'header'; readonly header: FileHeader }
  | { readonly kind: 'foreign'; readonly found: string }
  | { readonly kind: 'damaged' };

/**
 * Returns the first 8 bytes of the SHA-256, one character per byte: strings are cheaper to create
 * than buffers.
 */
export function checksum(parts: readonly Uint8Array[]): string {
  const hash = startChecksum();
  for (const part of parts) hash.update(part);
  return endChecksum(hash);
}

/** Starts an incremental checksum; `endChecksum` returns it. */
export function startChecksum(): Hash {
  return createHash('sha256');
}

export function endChecksum(hash: Hash): string {
  return hash.digest('binary').slice(0, checksumBytes);
}

/** Returns the header of a new file, with a new marker unless one is given. */
export function encodeHeader(
  firstSequence: number,
  version = 1,
  marker: Uint8Array = randomBytes(markerBytes),
): Buffer {
  const bytes = Buffer.alloc(fileHeaderBytes);
  bytes.write(magic, 0, 'latin1');
  bytes.writeUInt32LE(version, 8);
  bytes.set(marker, 12);
  writeSequence(bytes, firstSequence, 20);
  bytes.write(checksum([bytes.subarray(0, 28)]), 28, 'latin1');
  return bytes;
}

/**
 * Reads a header from the first bytes of a file; fewer than `fileHeaderBytes` are a damaged header.
 */
export function decodeHeader(bytes: Buffer): HeaderReading {
  const foundMagic = bytes.toString('latin1', 0, 8);
  if (bytes.length >= 8 && foundMagic !== magic) {
    return { kind: 'foreign', found: `a file that begins with ${JSON.stringify(foundMagic)}` };
  }
  // Checked before the checksum, which a newer version may have elsewhere.
  const version = bytes.length >= 12 ? bytes.readUInt32LE(8) : 0;
  if (bytes.length >= 12 && !formatVersions.includes(version)) {
    return { kind: 'foreign', found: `journal format version ${version}` };
  }
  if (bytes.length < fileHeaderBytes) return { kind: 'damaged' };
  if (bytes.toString('latin1', 28, 36) !== checksum([bytes.subarray(0, 28)])) return { kind: 'damaged' };
  const marker = Buffer.from(bytes.subarray(12, 12 + markerBytes));
  return { kind: 'header', header: { version, marker, firstSequence: readSequence(bytes, 20) } };
}

/** Returns the bytes of a group, ready for a single gather write; payloads are not copied. */
export function encodeGroup(marker: Buffer, records: readonly JournalRecord[]): Uint8Array[] {
  const headers = Buffer.allocUnsafe(recordHeaderBytes * records.length);
  const chunks: Uint8Array[] = [];
  records.forEach((record, index) => {
    const header = headers.subarray(index * recordHeaderBytes, (index + 1) * recordHeaderBytes);
    encodeRecordHeader(header, marker, index, record);
    chunks.push(header, ...record.payload);
  });
  return chunks;
}

function encodeRecordHeader(header: Buffer, marker: Buffer, index: number, record: JournalRecord): void {
  marker.copy(header, 0);
  header.writeUInt32LE(payloadLength(record), 16);
  header.writeUInt32LE(index, 20);
  writeSequence(header, record.sequence, 24);
  header.write(checksum([header.subarray(coveredFrom), ...record.payload]), 8, 'latin1');
}

/** The bytes of a record's payload. Error `too-large`. */
export function payloadLength(record: JournalRecord): number {
  let length = 0;
  for (const piece of record.payload) length += piece.length;
  if (length <= maxPayloadBytes) return length;
  throw new JournalError(
    'too-large',
    `A change of ${length} bytes is too large: the limit for one journal record is ${maxPayloadBytes} bytes`,
  );
}

/** Reads a sequence number: a safe integer, stored in 64 bits; a damaged one may be larger. */
export function readSequence(bytes: Buffer, offset: number): number {
  return bytes.readUInt32LE(offset + 4) * 2 ** 32 + bytes.readUInt32LE(offset);
}

function writeSequence(bytes: Buffer, sequence: number, offset: number): void {
  bytes.writeUInt32LE(sequence >>> 0, offset);
  bytes.writeUInt32LE(Math.floor(sequence / 2 ** 32), offset + 4);
}
