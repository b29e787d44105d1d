import { MAX_TERM_BYTES } from '../dictionary/term-writer.ts';
import { BaseRun, baseWords } from '../runs/base-run.ts';
import type { StoredSnapshot } from '../write/snapshot-writer.ts';
import { decodeHeader, HEADER_BYTES, requireImage, sectionBytes } from './layout.ts';

/**
 * The share of the terms' memory that is added for new terms. Without it the first new term would
 * have all of it copied. Pages that are never written to use no memory.
 */
export const ROOM = 1 / 4;

/**
 * A part of an image in memory: its first `bytes` bytes are those of the file starting at `offset`.
 */
export interface Section {
  readonly buffer: SharedArrayBuffer;
  readonly offset: number;
  readonly bytes: number;
}

/** Memory for an image, which several threads can read into. */
export interface ImageMemory {
  /** The header first; together they are the whole file. */
  readonly sections: readonly Section[];
}

/**
 * Allocates memory for an image of `size` bytes with this header.
 *
 * @throws SnapshotError `data-damaged` if the header is not that of such an image
 */
export function imageMemory(header: Uint8Array, size: number): ImageMemory {
  const { termCount, arenaBytes, ...rest } = decodeHeader(header, size);
  const [ends, table, base, arena] = sectionBytes({ termCount, arenaBytes, ...rest });
  const sections: Section[] = [];
  let offset = 0;
  for (const [bytes, room] of [
    [HEADER_BYTES, 0],
    [ends, 4 * Math.ceil(ROOM * termCount)],
    [table, 0],
    [base, 0],
    [arena, Math.max(0, Math.min(Math.ceil(ROOM * arenaBytes), MAX_TERM_BYTES - arenaBytes))],
  ] as const) {
    sections.push({ buffer: new SharedArrayBuffer(bytes + room), offset, bytes });
    offset += bytes;
  }
  return { sections };
}

/** Yields the memory of the bytes `from .. to` of an image, one section after another. */
export function* memoryOf({ sections }: ImageMemory, from: number, to: number): Generator<Uint8Array> {
  for (const { buffer, offset, bytes } of sections) {
    const begin = Math.max(from, offset);
    const end = Math.min(to, offset + bytes);
    if (begin < end) yield new Uint8Array(buffer, begin - offset, end - begin);
  }
}

/**
 * Returns the snapshot in an image that was read. The content is not verified here: the caller has
 * compared its digests, or calls `requireSound`.
 *
 * @throws SnapshotError `data-damaged` if its parts are inconsistent
 */
export function storedSnapshot({ sections }: ImageMemory, size: number): StoredSnapshot {
  const [head, ends, table, base, arena] = sections as readonly [Section, Section, Section, Section, Section];
  const { sequence, termCount, usedTerms, arenaBytes } = decodeHeader(new Uint8Array(head.buffer), size);
  const run = new BaseRun(base.buffer);
  requireImage(4 * baseWords(run) === base.bytes && run.terms <= termCount, 'its quads are damaged');
  requireImage(new Uint32Array(ends.buffer)[termCount] === arenaBytes, 'its terms are damaged');
  return {
    sequence,
    termCount,
    usedTerms,
    arena: arena.buffer,
    ends: ends.buffer,
    base: base.buffer,
    ...(table.bytes > 0 && { table: table.buffer }),
  };
}
