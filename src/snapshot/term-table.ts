import { NO_TERM, type TermId } from '../graph/term-id.ts';
import { SLOT_WORDS, TABLE_HEADER } from './dictionary.ts';

type Table = Uint32Array<SharedArrayBuffer>;

const FIRST_SLOTS = 1024;
/** Share of taken slots beyond which a bigger table is filled. */
const MAX_LOAD = 0.65;
/** With twice as many the table would be longer than a typed array can be. */
const MAX_SLOTS = 2 ** 30;
/**
 * So ids stay below 2^31 too: their highest bit is `REMOVED`, and negative numbers are an
 * evaluator's own.
 */
export const MAX_TERMS = Math.floor(MAX_LOAD * MAX_SLOTS);
/** Beyond this share, nobody can wait until it is filled little by little. */
const FULL = 0.8;
/** A smaller table is filled anew in a few milliseconds. */
const SMALL_SLOTS = 1 << 17;
/** Slots that are moved at once. */
const SLOTS_AT_ONCE = 4096;
/**
 * Terms that are moved at once by themselves: those that came after the moving of slots had begun.
 */
const TERMS_AT_ONCE = 1024;
/**
 * The same when terms were just published: more than come between two publications of a big
 * change. Else that table would never have them all, and would be filled at once in the end.
 */
const TERMS_PUBLISHED = 1 << 17;

/**
 * The growing hash table of a dictionary (see `dictionary.ts`). A table twice as big is filled
 * little by little, with the terms that are published, and takes the place of the old one when it
 * has them all.
 */
export class TermTable {
  readonly #hashOf: (id: TermId) => number;
  #table: Table;
  #next: Table | undefined;
  /**
   * Words of the table whose terms have been moved, those up to `#moved`; later ones follow one by
   * one.
   */
  #movedWords = 0;
  #moved = 0;
  /** Terms that there were when the table was last filled out of order. */
  #filledAt = 0;

  /** `hashOf` is asked of terms that the table holds. */
  constructor(seed: number, termCount: number, hashOf: (id: TermId) => number) {
    this.#hashOf = hashOf;
    this.#table = newTable(slotsFor(termCount), seed);
  }

  get table(): Table {
    return this.#table;
  }

  get reservedBytes(): number {
    return this.#table.byteLength + (this.#next?.byteLength ?? 0);
  }

  /** Puts in the terms after `from` up to `to`. */
  fill(from: number, to: number): void {
    for (let id = from + 1; id <= to; id++) place(this.#table, id, this.#hashOf(id));
    this.#filledAt = to;
  }

  /** Puts a term, the newest, into a free slot. */
  add(id: TermId, slot: number, hash: number): void {
    fillSlot(this.#table, slot, id, hash);
    const slots = slotCount(this.#table);
    if (id > (slots < SMALL_SLOTS ? MAX_LOAD : FULL) * slots) this.#refill(2 * slots, id);
  }

  /** Moves some more of the published terms to a bigger table, if that is needed. */
  advance(published: number): void {
    this.#move(published, TERMS_AT_ONCE);
  }

  /** Goes over to the bigger table when that has all terms, each of which is published. */
  settle(termCount: number): void {
    this.#move(termCount, TERMS_PUBLISHED);
    const isWhole = this.#movedWords >= this.#table.length && this.#moved === termCount;
    if (this.#next && isWhole) this.adopt(this.#next, termCount);
  }

  /** Takes the place of all that was there. */
  adopt(table: Table, termCount: number): void {
    this.#table = table;
    this.#next = undefined;
    this.#filledAt = termCount;
  }

  /**
   * Takes out the newest of `from` terms until `to` are left; none of those that go may have been
   * published.
   */
  forget(from: number, to: number): void {
    if (to < this.#filledAt) {
      this.#refill(slotsFor(to), to);
    } else {
      // In the order opposite to that of their insertion, no other term's chain leads over the slot
      // that gets free.
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
      moveSlots(this.#table, from, this.#movedWords, this.#next, this.#moved);
    } else {
      const to = Math.min(published, this.#moved + terms);
      while (this.#moved < to) place(this.#next, ++this.#moved, this.#hashOf(this.#moved));
    }
  }

  /** Moves the first `termCount` terms to a new table at once. */
  #refill(slots: number, termCount: number): void {
    const old = this.#table;
    this.adopt(newTable(slots, old[0]!), termCount);
    moveSlots(old, TABLE_HEADER, old.length, this.#table, termCount);
  }

  #allocate(slots: number, published: number): void {
    try {
      this.#next = newTable(slots, this.#table[0]!);
      this.#movedWords = TABLE_HEADER;
      this.#moved = published;
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  }

  /** Where the table has a term. */
  #slotOf(id: TermId): number {
    const mask = slotCount(this.#table) - 1;
    let slot = this.#hashOf(id) & mask;
    while (this.#table[TABLE_HEADER + slot * SLOT_WORDS] !== id) slot = (slot + 1) & mask;
    return TABLE_HEADER + slot * SLOT_WORDS;
  }
}

/**
 * Terms keep their order of hashes in a bigger table, so both are gone through from front to back.
 */
function moveSlots(table: Table, from: number, to: number, into: Table, lastTerm: TermId): void {
  for (let at = from; at < to; at += SLOT_WORDS) {
    const id = table[at]!;
    if (id !== NO_TERM && id <= lastTerm) place(into, id, table[at + 1]!);
  }
}

function slotsFor(termCount: number): number {
  let slots = FIRST_SLOTS;
  while (termCount > MAX_LOAD * slots) slots *= 2;
  return slots;
}

function newTable(slots: number, seed: number): Table {
  const table = new Uint32Array(new SharedArrayBuffer(4 * (TABLE_HEADER + slots * SLOT_WORDS)));
  table[0] = seed;
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
