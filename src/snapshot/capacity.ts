import { MAX_TERM_BYTES } from './dictionary-writer.ts';
import { MAX_TERMS } from './term-table.ts';
import type { SnapshotWriter } from './writer.ts';

/** Elements of a typed array in V8, each of them four bytes in a run. */
const MAX_RUN_WORDS = 2 ** 32;

/**
 * Words of a base run a quad; and at most a term, when each of them is a predicate and a graph as
 * well.
 */
const BASE_WORDS_A_QUAD = 7;
const BASE_WORDS_A_TERM = 6;

/**
 * What stays free in the dictionary, so that something can still be deleted from a store that takes
 * nothing more: a deletion notes its date and its number.
 */
const RESERVED_TERMS = 2 ** 20;
const RESERVED_TERM_BYTES = 64 * 2 ** 20;

/**
 * Bytes that a quad takes at most: three orders of four words and two filters in a delta; in a base
 * run it is half of that, and the rest is for the offsets of its terms.
 */
const QUAD_BYTES = 56;

/** Bytes of memory that a state fills, which is what a limit of memory is about. */
export function memoryOf(writer: SnapshotWriter): number {
  const { dictionaryBytes, baseBytes, deltaBytes } = writer.memory();
  return dictionaryBytes + baseBytes + deltaBytes;
}

/** Bytes of memory that so many more quads take at most, their terms not counted. */
export function memoryFor(quads: number): number {
  return QUAD_BYTES * quads;
}

/**
 * What would have no end in numbers of 32 bits if the working state got so many more quads, in
 * words; undefined when all has. It is the same on every machine, whatever its memory.
 */
export function exhausted(writer: SnapshotWriter, quads: number): string | undefined {
  const { termCount } = writer.dictionary;
  if (termCount > MAX_TERMS - RESERVED_TERMS) return `${termCount} terms`;
  const { termBytes } = writer.memory();
  if (termBytes > MAX_TERM_BYTES - RESERVED_TERM_BYTES) return `${termBytes} bytes of terms`;
  const total = writer.quadCount + quads;
  const words = BASE_WORDS_A_QUAD * total + BASE_WORDS_A_TERM * (termCount + 2);
  return words > MAX_RUN_WORDS ? `${total} quads of ${termCount} terms` : undefined;
}
