import { areEqual } from '../../rdf/model/language/tag-case.ts';
import { NO_TERM, type TermId } from '../../rdf/model/term-id.ts';
import { hashTerm } from './hash.ts';

/**
 * The hash table is a Uint32Array: one word with the seed, one with bits for kinds of terms that
 * there may be, then slots of two words, id and hash, with open addressing and linear probing. Id 0
 * marks a free slot; the number of slots is a power of two.
 */
export const TABLE_HEADER = 2;
/** The word with the bits below. */
export const KINDS_WORD = 1;
/** Terms of RDF 1.2. */
export const RDF12_KIND = 1;
/** Literals whose language tag has a capital letter. */
export const CAPITAL_TAG_KIND = 2;
export const SLOT_WORDS = 2;

/**
 * Terms with a hash table in which they are looked up by their canonical form, ignoring the case of
 * language tags.
 */
export abstract class TermLookup {
  protected abstract readonly table: Uint32Array;
  /** The canonical forms, one after another. */
  protected abstract readonly bytes: Uint8Array;
  /** Term `id` is `bytes[ends[id - 1] .. ends[id])`. */
  protected abstract readonly ends: Uint32Array;
  abstract readonly termCount: number;

  /**
   * Whether there may be terms of RDF 1.2. It stays true when the last of them is removed, until
   * the dictionary is rebuilt.
   */
  get mayHaveRdf12(): boolean {
    return (this.table[KINDS_WORD]! & RDF12_KIND) !== 0;
  }

  /** The same for terms that older releases would misread (see new-format.ts). */
  get mayNeedNewFormat(): boolean {
    return this.table[KINDS_WORD] !== 0;
  }

  protected hash(bytes: Uint8Array, from: number, to: number): number {
    return hashTerm(bytes, from, to, this.table[0]!) >>> 0;
  }

  /**
   * Looks up the term `bytes[from .. to)`: returns its id if it is there, otherwise `-slot - 1` for
   * the free slot at which it belongs. The table may grow while it is being read; ids above
   * `termCount` do not belong to the reader's snapshot and are skipped.
   */
  protected probe(hash: number, bytes: Uint8Array, from: number, to: number): number {
    const { table, termCount } = this;
    const mask = (table.length - TABLE_HEADER) / SLOT_WORDS - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const at = TABLE_HEADER + slot * SLOT_WORDS;
      const id = table[at]!;
      if (id === NO_TERM) return -slot - 1;
      if (id <= termCount && table[at + 1] === hash && this.#is(id, bytes, from, to)) return id;
    }
  }

  #is(id: TermId, bytes: Uint8Array, from: number, to: number): boolean {
    const { ends, bytes: own } = this;
    const start = ends[id - 1]!;
    if (ends[id]! - start !== to - from) return false;
    for (let i = from, j = start; i < to; i++, j++) {
      if (bytes[i] !== own[j]) return areEqual(bytes.subarray(from, to), own.subarray(start, ends[id]!));
    }
    return true;
  }
}
