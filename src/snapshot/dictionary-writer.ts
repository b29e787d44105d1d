import { randomBytes } from 'node:crypto';
import { NO_TERM, type TermId } from '../graph/term-id.ts';
import type { DictionaryDescriptor } from './descriptor.ts';
import { probe, SLOT_WORDS, TABLE_HEADER } from './dictionary.ts';
import { hashBytes } from './hash.ts';
import { SnapshotError } from './snapshot-error.ts';
import { SYSTEM_GRAPH, SYSTEM_GRAPH_ID } from './system-graph.ts';
import { utf8 } from './utf8.ts';

/** Share of taken slots beyond which the table doubles. */
const MAX_LOAD = 0.7;
/** With twice as many the table would be longer than a typed array can be. */
const MAX_SLOTS = 2 ** 30;
/** So ids stay below 2^31 too: their highest bit is `REMOVED`, and negative numbers are an evaluator's own. */
export const MAX_TERMS = Math.floor(MAX_LOAD * MAX_SLOTS);
/** Where a term ends is kept in 32 bits. */
export const MAX_TERM_BYTES = 2 ** 32 - 1;
const GROWTH = 1.5;
const FIRST_SLOTS = 1024;

/** The stored parts of a dictionary, from which the rest can be made. */
export interface StoredTerms {
  readonly termCount: number;
  readonly arena: SharedArrayBuffer;
  readonly ends: SharedArrayBuffer;
}

/**
 * The one dictionary that grows. It writes behind the last term of every published descriptor, or moves to
 * bigger buffers and leaves the old ones to their readers.
 */
export class DictionaryWriter {
  #arena: Uint8Array<SharedArrayBuffer>;
  #ends: Uint32Array<SharedArrayBuffer>;
  #table: Uint32Array<SharedArrayBuffer>;
  #count: number;
  /** Terms that there were when the table was last filled anew. */
  #filledAt: number;

  constructor(stored?: StoredTerms) {
    this.#arena = new Uint8Array(stored?.arena ?? new SharedArrayBuffer(16 * 1024));
    this.#ends = new Uint32Array(stored?.ends ?? new SharedArrayBuffer(4 * FIRST_SLOTS));
    this.#count = stored?.termCount ?? 0;
    this.#table = newTable(slotsFor(this.#count), randomBytes(4).readUInt32LE());
    this.#fillTable();
    this.#filledAt = this.#count;
    if (this.internText(`<${SYSTEM_GRAPH}>`) !== SYSTEM_GRAPH_ID) {
      throw new SnapshotError('data-damaged', 'The dictionary does not begin with the system graph.');
    }
  }

  get termCount(): number {
    return this.#count;
  }

  descriptor(): DictionaryDescriptor {
    return {
      termCount: this.#count,
      arena: this.#arena.buffer,
      ends: this.#ends.buffer,
      table: this.#table.buffer,
    };
  }

  /** Bytes that terms fill, and bytes that the dictionary fills and holds in all. */
  memory(): { readonly terms: number; readonly used: number; readonly reserved: number } {
    const terms = this.#ends[this.#count]!;
    return {
      terms,
      used: terms + 4 * (this.#count + 1) + this.#table.byteLength,
      reserved: this.#arena.byteLength + this.#ends.byteLength + this.#table.byteLength,
    };
  }

  find(bytes: Uint8Array, from: number, to: number): TermId {
    const found = this.#probe(this.#hash(bytes, from, to), bytes, from, to);
    return found > 0 ? found : NO_TERM;
  }

  findText(text: string): TermId {
    const encoded = utf8(text);
    return this.find(encoded.bytes, 0, encoded.length);
  }

  /** The id of a term in canonical form, new if need be. */
  intern(bytes: Uint8Array, from: number, to: number): TermId {
    const hash = this.#hash(bytes, from, to);
    const found = this.#probe(hash, bytes, from, to);
    return found > 0 ? found : this.#add(bytes, from, to, hash, -found - 1);
  }

  internText(text: string): TermId {
    const encoded = utf8(text);
    return this.intern(encoded.bytes, 0, encoded.length);
  }

  /** Error `store-full` when there is no room for so many more terms with so many bytes. */
  requireRoom(terms: number, bytes: number): void {
    if (this.#count + terms <= MAX_TERMS && this.#ends[this.#count]! + bytes <= MAX_TERM_BYTES) return;
    throw full();
  }

  /** Takes out the newest terms until `count` are left; none of those that go may have been published. */
  forget(count: number): void {
    if (count < this.#filledAt) {
      this.#refillTable(slotsFor(count), count);
    } else {
      // In the order opposite to that of their insertion, no other term's chain leads over the slot that gets free.
      for (let id = this.#count; id > count; id--) this.#table[this.#slotOf(id)] = NO_TERM;
    }
    this.#count = Math.min(this.#count, count);
  }

  #hash(bytes: Uint8Array, from: number, to: number): number {
    return hashBytes(bytes, from, to, this.#table[0]!) >>> 0;
  }

  #probe(hash: number, bytes: Uint8Array, from: number, to: number): number {
    return probe(this.#table, this.#ends, this.#arena, this.#count, hash, bytes, from, to);
  }

  #add(bytes: Uint8Array, from: number, to: number, hash: number, slot: number): TermId {
    const start = this.#ends[this.#count]!;
    const end = start + to - from;
    this.#reserve(this.#count + 1, end);
    for (let i = from, j = start; i < to; i++, j++) this.#arena[j] = bytes[i]!;
    const id = ++this.#count;
    this.#ends[id] = end;
    fillSlot(this.#table, slot, id, hash);
    if (id > MAX_LOAD * slotCount(this.#table)) this.#refillTable(2 * slotCount(this.#table), id);
    return id;
  }

  #reserve(termCount: number, bytes: number): void {
    if (termCount > MAX_TERMS || bytes > MAX_TERM_BYTES) {
      throw full();
    }
    if (bytes > this.#arena.length) {
      const grown = new Uint8Array(new SharedArrayBuffer(grow(bytes, MAX_TERM_BYTES)));
      grown.set(this.#arena);
      this.#arena = grown;
    }
    if (termCount >= this.#ends.length) {
      const grown = new Uint32Array(new SharedArrayBuffer(4 * grow(termCount + 1, MAX_TERMS + 1)));
      grown.set(this.#ends);
      this.#ends = grown;
    }
  }

  /** Moves the first `termCount` terms to a new table. */
  #refillTable(slots: number, termCount: number): void {
    const old = this.#table;
    this.#table = newTable(slots, old[0]!);
    this.#filledAt = termCount;
    for (let at = TABLE_HEADER; at < old.length; at += SLOT_WORDS) {
      if (old[at] !== NO_TERM && old[at]! <= termCount) place(this.#table, old[at]!, old[at + 1]!);
    }
  }

  /** Where the table has a term. */
  #slotOf(id: TermId): number {
    const mask = slotCount(this.#table) - 1;
    let slot = this.#hash(this.#arena, this.#ends[id - 1]!, this.#ends[id]!) & mask;
    while (this.#table[TABLE_HEADER + slot * SLOT_WORDS] !== id) slot = (slot + 1) & mask;
    return TABLE_HEADER + slot * SLOT_WORDS;
  }

  #fillTable(): void {
    for (let id = 1; id <= this.#count; id++) {
      place(this.#table, id, this.#hash(this.#arena, this.#ends[id - 1]!, this.#ends[id]!));
    }
  }
}

function full(): SnapshotError {
  return new SnapshotError('store-full', 'The dictionary of terms is full.');
}

function grow(needed: number, limit: number): number {
  return Math.min(Math.ceil(needed * GROWTH), limit);
}

function slotsFor(termCount: number): number {
  let slots = FIRST_SLOTS;
  while (termCount > MAX_LOAD * slots) slots *= 2;
  return slots;
}

function newTable(slots: number, seed: number): Uint32Array<SharedArrayBuffer> {
  const table = new Uint32Array(new SharedArrayBuffer(4 * (TABLE_HEADER + slots * SLOT_WORDS)));
  table[0] = seed;
  return table;
}

function slotCount(table: Uint32Array): number {
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
