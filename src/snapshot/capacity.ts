import { MAX_TERMS } from './dictionary/term-table.ts';
import { MAX_TERM_BYTES } from './dictionary/term-writer.ts';
import type { SnapshotWriter } from './write/snapshot-writer.ts';

/** The most elements in a typed array of V8; each has four bytes in a run. */
const MAX_RUN_WORDS = 2 ** 32;

/**
 * Words of a base run for each quad, and the most words for each term: when every term is also a
 * predicate and a graph.
 */
const BASE_WORDS_A_QUAD = 7;
const BASE_WORDS_A_TERM = 6;

/**
 * Space that stays free in the dictionary, so that a full store still allows deletions: a deletion
 * records its date and its number.
 */
const RESERVED_TERMS = 2 ** 20;
const RESERVED_TERM_BYTES = 64 * 2 ** 20;

/**
 * The most bytes for one quad: three orders of four words, and two filters, in a delta. A base run
 * takes half of that; the rest is for the offsets of its terms.
 */
const QUAD_BYTES = 56;

/** Returns the bytes of memory that a state uses, which is what memory limits count. */
export function memoryOf(writer: SnapshotWriter): number {
  const { dictionaryBytes, baseBytes, deltaBytes } = writer.memory();
  return dictionaryBytes + baseBytes + deltaBytes;
}

/** Returns the most bytes of memory that this many more quads need, without their terms. */
export function memoryFor(quads: number): number {
  return QUAD_BYTES * quads;
}

/**
 * Says which quantity would exceed the range of 32-bit numbers if the working state got this many
 * more quads; undefined if none would. The result is the same on every machine, independent of its
 * memory.
 */
export function exhausted(writer: SnapshotWriter, quads: number): string | undefined {
  const quantity = excess(writer, quads);
  return quantity === undefined ? undefined : `The store can't number ${quantity}.`;
}

function excess(writer: SnapshotWriter, quads: number): string | undefined {
  const { termCount } = writer.dictionary;
  if (termCount > MAX_TERMS - RESERVED_TERMS) return `${termCount} terms`;
  const { termBytes } = writer.memory();
  if (termBytes > MAX_TERM_BYTES - RESERVED_TERM_BYTES) return `${termBytes} bytes of terms`;
  const total = writer.quadCount + quads;
  const words = BASE_WORDS_A_QUAD * total + BASE_WORDS_A_TERM * (termCount + 2);
  return words > MAX_RUN_WORDS ? `${total} quads of ${termCount} terms` : undefined;
}
