import { SLOT_WORDS, TABLE_HEADER } from '../dictionary/term-lookup.ts';
import { SnapshotError } from '../errors.ts';

/*
 * An image is a snapshot as a file, with all changes merged into its base run: a header, the ends
 * of terms, the hash table of terms, the base run, the bytes of terms. It is read back unchanged,
 * so it is only as trustworthy as its file: callers keep digests of it. Version 1 had no table, and
 * small images have none: it is then built at the start.
 */

/** "PATHPOOL" in the byte order of the machine: an image of another byte order does not match. */
const MAGIC = [0x48544150, 0x4c4f4f50] as const;
export const IMAGE_VERSION = 2;
export const HEADER_BYTES = 64;
/** Minimum length of a base run: its own header. */
const LEAST_BASE_BYTES = 16;

/** The header of an image, which determines the layout of the file. */
export interface ImageHeader {
  readonly sequence: number;
  readonly termCount: number;
  /** Number of terms that occur in quads. Version 1 did not count them. */
  readonly usedTerms: number | undefined;
  /** 0 if the table is not in the image. */
  readonly tableBytes: number;
  readonly baseBytes: number;
  readonly arenaBytes: number;
}

/** Returns the bytes of the sections after the header, in their order. */
export function sectionBytes(header: ImageHeader): readonly [number, number, number, number] {
  return [4 * (header.termCount + 1), header.tableBytes, header.baseBytes, header.arenaBytes];
}

export function encodeHeader(header: ImageHeader): Uint8Array {
  const words = new Uint32Array(HEADER_BYTES / 4);
  words.set([...MAGIC, IMAGE_VERSION]);
  const { sequence, termCount, arenaBytes, baseBytes, tableBytes, usedTerms } = header;
  const numbers = [sequence, termCount, arenaBytes, baseBytes, tableBytes, usedTerms ?? termCount];
  new Float64Array(words.buffer).set(numbers, 2);
  return new Uint8Array(words.buffer);
}

/** Returns the format version that the first bytes of an image name; undefined for another file. */
export function versionOfImage(bytes: Uint8Array): number | undefined {
  if (bytes.length < HEADER_BYTES) return undefined;
  const [first, second, version] = new Uint32Array(Uint8Array.from(bytes.subarray(0, HEADER_BYTES)).buffer);
  return first === MAGIC[0] && second === MAGIC[1] ? version : undefined;
}

/**
 * Reads the header of an image of `size` bytes.
 *
 * @throws SnapshotError `data-damaged` for another size, an unknown version or another byte order
 */
export function decodeHeader(bytes: Uint8Array, size: number): ImageHeader {
  requireImage(bytes.length === HEADER_BYTES, 'it ends too early');
  const { buffer } = Uint8Array.from(bytes);
  const words = new Uint32Array(buffer);
  const [first, second, version] = words;
  requireImage(first === MAGIC[0] && second === MAGIC[1], 'it does not begin with the signature');
  requireImage(
    version === 1 || version === IMAGE_VERSION,
    `its format version is ${version}, not ${IMAGE_VERSION}`,
  );
  const numbers = [...new Float64Array(buffer).subarray(2)];
  const isSound = numbers.every((value) => Number.isSafeInteger(value) && value >= 0);
  requireImage(isSound, 'its header is invalid');
  const [sequence = 0, termCount = 0, arenaBytes = 0, baseBytes = 0, tableBytes = 0, used = 0] = numbers;
  const usedTerms = version === 1 ? undefined : used;
  const header = { sequence, termCount, usedTerms, tableBytes, baseBytes, arenaBytes };
  requireImage(makesSense(header), 'its header is invalid');
  const length = sectionBytes(header).reduce((sum, each) => sum + each, HEADER_BYTES);
  requireImage(size === length, 'its length is wrong');
  return header;
}

function makesSense({ termCount, usedTerms, tableBytes, baseBytes }: ImageHeader): boolean {
  if (baseBytes % 4 !== 0 || baseBytes < LEAST_BASE_BYTES || (usedTerms ?? 0) > termCount) return false;
  return tableBytes === 0 || isTableOf(tableBytes, termCount);
}

/**
 * Whether the size is that of a table: the number of slots is a power of two, and some are free.
 * Otherwise a search in it would not end.
 */
function isTableOf(bytes: number, termCount: number): boolean {
  const slots = (bytes / 4 - TABLE_HEADER) / SLOT_WORDS;
  return Number.isInteger(Math.log2(slots)) && slots > termCount;
}

export function requireImage(holds: boolean, otherwise: string): asserts holds {
  if (!holds) throw new SnapshotError('data-damaged', `This is not an image of a snapshot: ${otherwise}.`);
}
