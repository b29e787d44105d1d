import type { TermBytes } from '../../rdf/model/path-graph.ts';
import { NO_TERM, type TermId } from '../../rdf/model/term-id.ts';
import type { DictionaryDescriptor } from '../descriptor.ts';
import { hashBytes } from './hash.ts';
import { utf8 } from './utf8.ts';

/**
 * The hash table is a Uint32Array: one word with the seed, one unused, then slots of two words, id
 * and hash, with open addressing and linear probing. Id 0 marks a free slot; the number of slots is
 * a power of two.
 */
export const TABLE_HEADER = 2;
export const SLOT_WORDS = 2;

/** Beyond this offset earlier releases of Node.js 20 cannot decode text in place. */
const FAR = 2 ** 31;

/** The terms of one snapshot, for readers in every thread. */
export class Dictionary implements TermBytes {
  readonly bytes: Uint8Array;
  /** See `DictionaryDescriptor`. */
  readonly generation: number;
  readonly termCount: number;
  readonly ends: Uint32Array;
  readonly #table: Uint32Array;
  readonly #buffer: Buffer;

  constructor(descriptor: DictionaryDescriptor) {
    this.bytes = new Uint8Array(descriptor.arena);
    this.generation = descriptor.generation;
    this.termCount = descriptor.termCount;
    this.ends = new Uint32Array(descriptor.ends);
    this.#table = new Uint32Array(descriptor.table);
    this.#buffer = Buffer.from(descriptor.arena);
  }

  start(id: TermId): number {
    return this.ends[id - 1]!;
  }

  end(id: TermId): number {
    return this.ends[id]!;
  }

  text(id: TermId): string {
    const start = this.ends[id - 1]!;
    const end = this.ends[id]!;
    if (end < FAR) return this.#buffer.toString('utf8', start, end);
    return this.#buffer.subarray(start, end).toString();
  }

  find(text: string): TermId {
    const encoded = utf8(text);
    return this.findBytes(encoded.bytes, 0, encoded.length);
  }

  /** Returns the id of the term whose canonical form is `bytes[from .. to)`, or 0. */
  findBytes(bytes: Uint8Array, from: number, to: number): TermId {
    const hash = hashBytes(bytes, from, to, this.#table[0]!) >>> 0;
    const found = probe(this.#table, this.ends, this.bytes, this.termCount, hash, bytes, from, to);
    return found > 0 ? found : NO_TERM;
  }

  /**
   * The same for `count` terms; `bounds` has the start and the end of each, beginning with the
   * given pair. The memory of one term does not depend on the previous one. So if all terms are
   * hashed first and looked up then, the waits for memory overlap: a term takes a third of the time
   * that `findBytes` needs.
   */
  findAll(bytes: Uint8Array, bounds: Uint32Array, first: number, count: number, ids: Uint32Array): void {
    const table = this.#table;
    const { ends } = this;
    const arena = this.bytes;
    const seed = table[0]!;
    const mask = (table.length - TABLE_HEADER) / SLOT_WORDS - 1;
    if (hashes.length < count) hashes = new Uint32Array(count);
    for (let i = 0, at = 2 * first; i < count; i++, at += 2) {
      hashes[i] = hashBytes(bytes, bounds[at]!, bounds[at + 1]!, seed);
    }
    // Loads the data for the next comparisons into the caches. What it stores is overwritten below.
    for (let i = 0; i < count; i++) {
      const id = table[TABLE_HEADER + (hashes[i]! & mask) * SLOT_WORDS]!;
      ids[i] = id === NO_TERM ? NO_TERM : arena[ends[id - 1]!]!;
    }
    for (let i = 0, at = 2 * first; i < count; i++, at += 2) {
      const from = bounds[at]!;
      const found = probe(table, ends, arena, this.termCount, hashes[i]!, bytes, from, bounds[at + 1]!);
      ids[i] = found > 0 ? found : NO_TERM;
    }
  }
}

/** Scratch memory of `findAll`. */
let hashes = new Uint32Array(256);

/**
 * Looks a term up: returns its id if it is there, otherwise `-slot - 1` for the free slot at which
 * it belongs. The table may grow while it is being read; ids above `termCount` do not belong to the
 * reader's snapshot and are skipped.
 */
export function probe(
  table: Uint32Array,
  ends: Uint32Array,
  arena: Uint8Array,
  termCount: number,
  hash: number,
  bytes: Uint8Array,
  from: number,
  to: number,
): number {
  const mask = (table.length - TABLE_HEADER) / SLOT_WORDS - 1;
  for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
    const at = TABLE_HEADER + slot * SLOT_WORDS;
    const id = table[at]!;
    if (id === NO_TERM) return -slot - 1;
    if (id <= termCount && table[at + 1] === hash) {
      const start = ends[id - 1]!;
      if (ends[id]! - start === to - from && sameBytes(arena, start, bytes, from, to)) return id;
    }
  }
}

function sameBytes(arena: Uint8Array, start: number, bytes: Uint8Array, from: number, to: number): boolean {
  for (let i = from, j = start; i < to; i++, j++) {
    if (bytes[i] !== arena[j]) return false;
  }
  return true;
}
