import { NO_TERM, type TermId } from '../../rdf/model/term-id.ts';
import { KINDS_WORD, SLOT_WORDS, TABLE_HEADER } from './term-lookup.ts';

type Table = Uint32Array<SharedArrayBuffer>;

const FIRST_SLOTS = 1024;
/** The share of occupied slots beyond which a larger table is filled. */
const MAX_LOAD = 0.65;
/** With twice as many slots the table would be longer than a typed array can be. */
const MAX_SLOTS = 2 ** 30;
/**
 * This also keeps ids below 2^31: their highest bit is `REMOVED`, and negative numbers are reserved
 * for evaluators.
 */
export const MAX_TERMS = Math.floor(MAX_LOAD * MAX_SLOTS);
/** Beyond this share there is no time to fill the larger table gradually. */
const FULL = 0.8;
/** A smaller table is rebuilt in a few milliseconds. */
const SMALL_SLOTS = 1 << 17;
/** Number of slots that are moved at once. */
const SLOTS_AT_ONCE = 4096;
/**
 * Number of terms that are moved individually at once: those that were added after the moving of
 * slots had begun.
 */
const TERMS_AT_ONCE = 1024;
/**
 * The same just after a publication: more terms than are added between two publications of a large
 * change. Otherwise the larger table would never be complete, and would be filled at once in the
 * end.
 */
const TERMS_PUBLISHED = 1 << 17;

/**
 * The growing hash table of a dictionary (see `TermLookup`). A table of twice the size is filled
 * gradually with the published terms, and replaces the old one when it is complete.
 */
export class TermTable {
  readonly #hashOf: (id: TermId) => number;
  #table: Table;
  #next: Table | undefined;
  /**
   * Number of words of the table whose terms have been moved, for terms up to `#moved`; later terms
   * follow one by one.
   */
  #movedWords = 0;
  #moved = 0;
  /** Number of terms when the table was last filled out of order. */
  #filledAt = 0;

  /** `hashOf` is called for terms in the table. */
  constructor(seed: number, termCount: number, hashOf: (id: TermId) => number) {
    this.#hashOf = hashOf;
    this.#table = newTable(slotsFor(termCount), [seed]);
  }

  get table(): Table {
    return this.#table;
  }

  get reservedBytes(): number {
    return this.#table.byteLength + (this.#next?.byteLength ?? 0);
  }

  /** Inserts the terms after `from` up to `to`. */
  fill(from: number, to: number): void {
    for (let id = from + 1; id <= to; id++) place(this.#table, id, this.#hashOf(id));
    this.#filledAt = to;
  }

  /** Records that there is a term of a kind for which `KINDS_WORD` has a bit. */
  noteKind(bit: number): void {
    this.#table[KINDS_WORD]! |= bit;
    if (this.#next) this.#next[KINDS_WORD]! |= bit;
  }

  /** Inserts the newest term into a free slot. */
  add(id: TermId, slot: number, hash: number): void {
    fillSlot(this.#table, slot, id, hash);
    const slots = slotCount(this.#table);
    if (id > (slots < SMALL_SLOTS ? MAX_LOAD : FULL) * slots) this.#refill(2 * slots, id);
  }

  /** Moves some more of the published terms to a larger table, if that is needed. */
  advance(published: number): void {
    this.#move(published, TERMS_AT_ONCE);
  }

  /** Switches to the larger table if it has all terms. All terms must be published. */
  settle(termCount: number): void {
    this.#move(termCount, TERMS_PUBLISHED);
    const isWhole = this.#movedWords >= this.#table.length && this.#moved === termCount;
    if (this.#next && isWhole) this.adopt(this.#next, termCount);
  }

  /** Replaces the whole content. */
  adopt(table: Table, termCount: number): void {
    this.#table = table;
    this.#next = undefined;
    this.#filledAt = termCount;
  }

  /**
   * Removes the newest of `from` terms until `to` are left; none of the removed ones may have been
   * published.
   */
  forget(from: number, to: number): void {
    if (to < this.#filledAt) {
      this.#refill(slotsFor(to), to);
    } else {
      // In the reverse order of insertion, no other term's probe sequence passes the slot that
      // becomes free.
      for (let id = from; id > to; id--) this.#table[this.#slotOf(id)] = NO_TERM;
    }
  }

  #move(published: number, terms: number): void {
    const slots = slotCount(this.#table);
    if (!this.#next && slots >= SMALL_SLOTS && published > MAX_LOAD * slots) {
      this.#allocate(2 * slots, published);
    }
    if (!this.#next) return;
    if (this.#movedWords < this.#table.length) {
      const from = this.#movedWords;
      this.#movedWords = Math.min(from + SLOT_WORDS * SLOTS_AT_ONCE, this.#table.length);
      moveSlots(this.#table.subarray(from, this.#movedWords), this.#next, this.#moved);
    } else {
      const to = Math.min(published, this.#moved + terms);
      while (this.#moved < to) place(this.#next, ++this.#moved, this.#hashOf(this.#moved));
    }
  }

  /** Moves the first `termCount` terms to a new table at once. */
  #refill(slots: number, termCount: number): void {
    const old = this.#table;
    this.adopt(newTable(slots, old), termCount);
    moveSlots(old.subarray(TABLE_HEADER), this.#table, termCount);
  }

  #allocate(slots: number, published: number): void {
    try {
      this.#next = newTable(slots, this.#table);
      this.#movedWords = TABLE_HEADER;
      this.#moved = published;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }

  /** Returns the position of a term in the table. */
  #slotOf(id: TermId): number {
    const mask = slotCount(this.#table) - 1;
    let slot = this.#hashOf(id) & mask;
    while (this.#table[TABLE_HEADER + slot * SLOT_WORDS] !== id) slot = (slot + 1) & mask;
    return TABLE_HEADER + slot * SLOT_WORDS;
  }
}

/**
 * In a larger table terms keep the order of their hashes, so both tables are traversed from front
 * to back.
 */
function moveSlots(slots: Table, into: Table, lastTerm: TermId): void {
  for (let at = 0; at < slots.length; at += SLOT_WORDS) {
    const id = slots[at]!;
    if (id !== NO_TERM && id <= lastTerm) place(into, id, slots[at + 1]!);
  }
}

function slotsFor(termCount: number): number {
  let slots = FIRST_SLOTS;
  while (termCount > MAX_LOAD * slots) slots *= 2;
  return slots;
}

/** `header`: a table with the same header, or its first words. */
function newTable(slots: number, header: ArrayLike<number>): Table {
  const table = new Uint32Array(new SharedArrayBuffer(4 * (TABLE_HEADER + slots * SLOT_WORDS)));
  for (let word = 0; word < TABLE_HEADER; word++) table[word] = header[word] ?? 0;
  return table;
}

export function slotCount(table: Uint32Array): number {
  return (table.length - TABLE_HEADER) / SLOT_WORDS;
}

function place(table: Uint32Array, id: TermId, hash: number): void {
  const mask = slotCount(table) - 1;
  let slot = hash & mask;
  while (table[TABLE_HEADER + slot * SLOT_WORDS] !== NO_TERM) slot = (slot + 1) & mask;
  fillSlot(table, slot, id, hash);
}

function fillSlot(table: Uint32Array, slot: number, id: TermId, hash: number): void {
  table[TABLE_HEADER + slot * SLOT_WORDS + 1] = hash;
  table[TABLE_HEADER + slot * SLOT_WORDS] = id;
}
