import { BaseRun, baseWords } from './base-run.ts';
import { compact } from './compact.ts';
import type { SnapshotDescriptor } from './descriptor.ts';
import { SnapshotError } from './snapshot-error.ts';
import type { StoredSnapshot } from './writer.ts';

/** "PATHPOOL" in the byte order of the machine: an image of another byte order does not match. */
const MAGIC = [0x48544150, 0x4c4f4f50] as const;
const FORMAT_VERSION = 1;
const HEADER_WORDS = 16;
const CHUNK_BYTES = 1024 * 1024;
/**
 * Share of the terms' memory that is added for new terms: else the first one would have all of it copied. Pages that are
 * never written to take no memory.
 */
export const ROOM = 1 / 4;

/** Takes the next piece of an image; the bytes are shared memory that does not change. */
export type ImageSink = (chunk: Uint8Array) => void | Promise<void>;

/** Fills the target with the next bytes of an image; gives how many it got, fewer only at the end. */
export type ImageSource = (target: Uint8Array) => number | Promise<number>;

interface ImageHeader {
  readonly sequence: number;
  readonly termCount: number;
  readonly arenaBytes: number;
  readonly baseBytes: number;
}

/*
 * An image is a snapshot as a file, all changes merged into its base run: a header of words (magic, version,
 * sequence and lengths as 64-bit floats), the ends of terms, the base run, the bytes of terms. It is read
 * back as it stands, so it is only as trustworthy as its file: callers keep a digest of it.
 */

/** Writes a snapshot as an image, in pieces. */
export async function writeImage(descriptor: SnapshotDescriptor, sink: ImageSink): Promise<void> {
  const { arena, ends, termCount } = descriptor.dictionary;
  const unchanged = descriptor.deltas.length === 0 && descriptor.logCount === 0;
  const base = unchanged ? descriptor.base : compact(descriptor);
  const arenaBytes = new Uint32Array(ends)[termCount]!;
  const { sequence } = descriptor;
  await sink(encodeHeader({ sequence, termCount, arenaBytes, baseBytes: base.byteLength }));
  await writeSection(ends, 4 * (termCount + 1), sink);
  await writeSection(base, base.byteLength, sink);
  await writeSection(arena, arenaBytes, sink);
}

/**
 * Reads an image of `size` bytes.
 *
 * @throws SnapshotError `data-damaged` when it is not a whole image of this version and byte order
 */
export async function readImage(size: number, source: ImageSource): Promise<StoredSnapshot> {
  const header = decodeHeader(await readSection(4 * HEADER_WORDS, source));
  const { sequence, termCount, arenaBytes, baseBytes } = header;
  require(size === 4 * HEADER_WORDS + 4 * (termCount + 1) + baseBytes + arenaBytes, 'its length is wrong');
  const ends = await readSection(4 * (termCount + 1), source, 4 * Math.ceil(ROOM * termCount));
  const base = await readSection(baseBytes, source);
  const arena = await readSection(arenaBytes, source, Math.ceil(ROOM * arenaBytes));
  checkEnds(new Uint32Array(ends, 0, termCount + 1), arenaBytes);
  checkBase(base, termCount);
  return { sequence, termCount, arena, ends, base };
}

function encodeHeader({ sequence, termCount, arenaBytes, baseBytes }: ImageHeader): Uint8Array {
  const words = new Uint32Array(HEADER_WORDS);
  words.set([...MAGIC, FORMAT_VERSION]);
  new Float64Array(words.buffer).set([sequence, termCount, arenaBytes, baseBytes], 2);
  return new Uint8Array(words.buffer);
}

function decodeHeader(buffer: SharedArrayBuffer): ImageHeader {
  const words = new Uint32Array(buffer);
  require(words[0] === MAGIC[0] && words[1] === MAGIC[1], 'it does not begin as one');
  require(words[2] === FORMAT_VERSION, `its format version is ${words[2]}, not ${FORMAT_VERSION}`);
  const numbers = [...new Float64Array(buffer).subarray(2, 6)];
  require(numbers.every((value) => Number.isSafeInteger(value) && value >= 0), 'its header makes no sense');
  const [sequence, termCount, arenaBytes, baseBytes] = numbers as [number, number, number, number];
  require(baseBytes % 4 === 0 && baseBytes >= 16, 'its header makes no sense');
  return { sequence, termCount, arenaBytes, baseBytes };
}

async function writeSection(buffer: SharedArrayBuffer, bytes: number, sink: ImageSink): Promise<void> {
  for (let from = 0; from < bytes; from += CHUNK_BYTES) {
    await sink(new Uint8Array(buffer, from, Math.min(CHUNK_BYTES, bytes - from)));
  }
}

/** `room`: bytes that the memory has behind the section. */
async function readSection(bytes: number, source: ImageSource, room = 0): Promise<SharedArrayBuffer> {
  const buffer = new SharedArrayBuffer(bytes + room);
  for (let from = 0; from < bytes; ) {
    const got = await source(new Uint8Array(buffer, from, Math.min(CHUNK_BYTES, bytes - from)));
    require(got > 0, 'it ends too early');
    from += got;
  }
  return buffer;
}

function checkEnds(ends: Uint32Array, arenaBytes: number): void {
  require(ends[0] === 0 && ends[ends.length - 1] === arenaBytes, 'its terms are damaged');
  require(isAscending(ends, 0, ends.length), 'its terms are damaged');
}

function checkBase(buffer: SharedArrayBuffer, termCount: number): void {
  const base = new BaseRun(buffer);
  const { words, quads, terms } = base;
  require(4 * baseWords(base) === buffer.byteLength && terms <= termCount, 'its quads are damaged');
  for (const offsets of [base.subjectOffsets, base.objectOffsets]) {
    const sound = isAscending(words, offsets, offsets + terms + 2) && words[offsets + terms + 1] === quads;
    require(sound, 'its quads are damaged');
  }
  const starts = base.graphStarts;
  const sound = isAscending(words, starts, starts + base.graphs + 1) && words[starts + base.graphs] === quads;
  require(sound, 'its graphs are damaged');
  require(allBelow(words, base.subjectRows, base.objectOffsets, terms + 1), 'its quads are damaged');
  require(allBelow(words, base.objectRows, base.graphIds, terms + 1), 'its quads are damaged');
  require(allBelow(words, base.positions, base.predicateIds, quads), 'its graphs are damaged');
}

function isAscending(words: Uint32Array, from: number, to: number): boolean {
  for (let i = from + 1; i < to; i++) if (words[i]! < words[i - 1]!) return false;
  return true;
}

function allBelow(words: Uint32Array, from: number, to: number, limit: number): boolean {
  for (let i = from; i < to; i++) if (words[i]! >= limit) return false;
  return true;
}

function require(holds: boolean, otherwise: string): void {
  if (!holds) throw new SnapshotError('data-damaged', `This is no image of a snapshot: ${otherwise}.`);
}
