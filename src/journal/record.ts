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
 * Versions 2 and 3 differ in nothing but that payloads may refer to other files, which a release
 * that knows version 1 alone would not read; those of version 3 may have another format. A file has
 * version 3 when it may hold such a record.
 *
 * A checksum is the first 8 bytes of SHA-256. Sequence numbers rise by one from record to record and from file to
 * file; a file's name carries that of its first record. A file gets its name only when its header is durable.
 *
 * A *group* is what one `append` writes: all its records, then one `fdatasync`. A record is *committed* when the
 * sync of its group has succeeded; nothing of a group is written before the group ahead of it is committed.
 *
 * Until its sync returns, the pages of a group can reach the disk in any order: after a power cut
 * the file may be shorter than what was written, and sectors anywhere within the group may hold
 * zeros or old bytes while later ones hold valid records. So a valid record behind a bad one does
 * not by itself mean that committed data was lost. The index tells: a record with sequence `s` and
 * index `i` belongs to the group that begins at `s - i`, and was written when everything before `s
 * - i` was committed. A bad record is the torn end of an unacknowledged write unless the head of a
 * later group stands behind it. (What this cannot tell apart is a torn last group and a last group
 * that was committed and damaged afterwards; it is taken for torn, unless a seal covers it: see
 * seal.ts.)
 *
 * The marker is how heads are found again behind a bad length field. Being random, it cannot be planted in a
 * payload by who does not read the file.
 */
import { createHash, type Hash, randomBytes } from 'node:crypto';
import { JournalError } from './errors.ts';

/** How every journal file begins; see the format above for it and for the sizes, in bytes. */
export const magic = 'PPJOURNL';
/** The versions that are read. */
export const formatVersions: readonly number[] = [1, 2, 3];
/** The version of files with records whose payloads refer to other files. */
export const REFERENCE_VERSION = 3;
export const headerBytes = 36;
export const headBytes = 32;
/** One buffer of any supported Node and one `read` can hold this much. */
export const maxPayloadBytes = 2 ** 31 - 4096;

/** Where the checksum begins to cover a record. */
export const coveredFrom = 16;
const markerBytes = 8;
const checksumBytes = 8;

export interface JournalRecord {
  readonly sequence: number;
  /** The payload is these pieces, one after another. They must not change until `append` settles. */
  readonly payload: readonly Uint8Array[];
  /** The least version of a file that may hold it; 1 where it is left out. */
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

/** The first 8 bytes of the SHA-256, one character a byte: as strings they are cheaper to make than buffers. */
export function checksum(parts: readonly Uint8Array[]): string {
  const hash = startChecksum();
  for (const part of parts) hash.update(part);
  return endChecksum(hash);
}

/** For a checksum of what comes piece by piece; `endChecksum` gives it. */
export function startChecksum(): Hash {
  return createHash('sha256');
}

export function endChecksum(hash: Hash): string {
  return hash.digest('binary').slice(0, checksumBytes);
}

/** The header of a new file, with a marker of its own unless one is given. */
export function encodeHeader(
  firstSequence: number,
  version = 1,
  marker: Uint8Array = randomBytes(markerBytes),
): Buffer {
  const bytes = Buffer.alloc(headerBytes);
  bytes.write(magic, 0, 'latin1');
  bytes.writeUInt32LE(version, 8);
  bytes.set(marker, 12);
  writeSequence(bytes, firstSequence, 20);
  bytes.write(checksum([bytes.subarray(0, 28)]), 28, 'latin1');
  return bytes;
}

/** Reads a header from the first bytes of a file; fewer than `headerBytes` are a damaged one. */
export function decodeHeader(bytes: Buffer): HeaderReading {
  const foundMagic = bytes.toString('latin1', 0, 8);
  if (bytes.length >= 8 && foundMagic !== magic) {
    return { kind: 'foreign', found: `a file that begins with ${JSON.stringify(foundMagic)}` };
  }
  // Before the checksum: a newer version may have put it elsewhere.
  const version = bytes.length >= 12 ? bytes.readUInt32LE(8) : 0;
  if (bytes.length >= 12 && !formatVersions.includes(version)) {
    return { kind: 'foreign', found: `journal format version ${version}` };
  }
  if (bytes.length < headerBytes) return { kind: 'damaged' };
  if (bytes.toString('latin1', 28, 36) !== checksum([bytes.subarray(0, 28)])) return { kind: 'damaged' };
  const marker = Buffer.from(bytes.subarray(12, 12 + markerBytes));
  return { kind: 'header', header: { version, marker, firstSequence: readSequence(bytes, 20) } };
}

/** The bytes of a group, ready for one gather write; payloads are not copied. */
export function encodeGroup(marker: Buffer, records: readonly JournalRecord[]): Uint8Array[] {
  const heads = Buffer.allocUnsafe(headBytes * records.length);
  const chunks: Uint8Array[] = [];
  records.forEach((record, index) => {
    const head = heads.subarray(index * headBytes, (index + 1) * headBytes);
    encodeHead(head, marker, index, record);
    chunks.push(head, ...record.payload);
  });
  return chunks;
}

function encodeHead(head: Buffer, marker: Buffer, index: number, record: JournalRecord): void {
  marker.copy(head, 0);
  head.writeUInt32LE(payloadLength(record), 16);
  head.writeUInt32LE(index, 20);
  writeSequence(head, record.sequence, 24);
  head.write(checksum([head.subarray(coveredFrom), ...record.payload]), 8, 'latin1');
}

function payloadLength(record: JournalRecord): number {
  let length = 0;
  for (const piece of record.payload) length += piece.length;
  if (length <= maxPayloadBytes) return length;
  throw new JournalError(
    'too-large',
    `A change of ${length} bytes is too large: one journal record holds at most ${maxPayloadBytes} bytes`,
  );
}

/** Sequence numbers are safe integers on disk as 64 bits; a damaged one may read as more. */
export function readSequence(bytes: Buffer, offset: number): number {
  return bytes.readUInt32LE(offset + 4) * 2 ** 32 + bytes.readUInt32LE(offset);
}

function writeSequence(bytes: Buffer, sequence: number, offset: number): void {
  bytes.writeUInt32LE(sequence >>> 0, offset);
  bytes.writeUInt32LE(Math.floor(sequence / 2 ** 32), offset + 4);
}
