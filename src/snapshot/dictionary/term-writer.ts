import { randomBytes } from 'node:crypto';
import { hasCapitalTag } from '../../rdf/model/language/tag-case.ts';
import { isRdf12Term } from '../../rdf/model/rdf12.ts';
import { NO_TERM, type TermId } from '../../rdf/model/term-id.ts';
import type { DictionaryDescriptor } from '../descriptor.ts';
import { SnapshotError } from '../errors.ts';
import { SYSTEM_GRAPH, SYSTEM_GRAPH_ID } from '../graphs/system-graph.ts';
import { GrowingArray } from './growing-array.ts';
import { CAPITAL_TAG_KIND, RDF12_KIND, SLOT_WORDS, TABLE_HEADER, TermLookup } from './term-lookup.ts';
import { MAX_TERMS, slotCount, TermTable } from './term-table.ts';
import { utf8 } from './utf8.ts';

/** The end of a term is stored in 32 bits. */
export const MAX_TERM_BYTES = 2 ** 32 - 1;
const FIRST_BYTES = 16 * 1024;
const FIRST_TERMS = 1024;
/** Number of terms that are added between two steps of growth. */
const STEP = 256;
/** Number of terms whose data are loaded before they are looked up. */
const BATCH_TERMS = 256;

/** The stored parts of a dictionary, from which the others can be rebuilt. */
export interface StoredTerms {
  readonly termCount: number;
  readonly arena: SharedArrayBuffer;
  readonly ends: SharedArrayBuffer;
  /** The hash table; rebuilt if it was not stored. */
  readonly table?: SharedArrayBuffer;
}

/**
 * The only dictionary that grows. It writes after the last term of every published descriptor, or
 * moves to larger buffers and leaves the old ones to their readers.
 */
export class DictionaryWriter extends TermLookup {
  readonly #arena: GrowingArray<Uint8Array<SharedArrayBuffer>>;
  readonly #ends: GrowingArray<Uint32Array<SharedArrayBuffer>>;
  readonly #slots: TermTable;
  #generation = 0;
  #count: number;
  /** Number of terms that are never forgotten. */
  #published: number;

  constructor(stored?: StoredTerms) {
    super();
    const arena = stored?.arena ?? new SharedArrayBuffer(FIRST_BYTES);
    const ends = stored?.ends ?? new SharedArrayBuffer(4 * FIRST_TERMS);
    this.#arena = new GrowingArray(new Uint8Array(arena), newBytes, MAX_TERM_BYTES);
    this.#ends = new GrowingArray(new Uint32Array(ends), newWords, MAX_TERMS + 1);
    this.#count = stored?.termCount ?? 0;
    this.#published = this.#count;
    const { table } = stored ?? {};
    const seed = randomBytes(4).readUInt32LE();
    this.#slots = new TermTable(seed, table ? 0 : this.#count, (id) =>
      this.hash(this.bytes, this.ends[id - 1]!, this.ends[id]!),
    );
    if (table) this.#slots.adopt(new Uint32Array(table), this.#count);
    else this.#fillTable();
    if (this.internText(`<${SYSTEM_GRAPH}>`) !== SYSTEM_GRAPH_ID) {
      throw new SnapshotError('data-damaged', 'The dictionary does not begin with the system graph.');
    }
  }

  override get termCount(): number {
    return this.#count;
  }

  protected override get table(): Uint32Array<SharedArrayBuffer> {
    return this.#slots.table;
  }

  protected override get bytes(): Uint8Array<SharedArrayBuffer> {
    return this.#arena.array;
  }

  protected override get ends(): Uint32Array<SharedArrayBuffer> {
    return this.#ends.array;
  }

  descriptor(): DictionaryDescriptor {
    return {
      generation: this.#generation,
      termCount: this.#count,
      arena: this.bytes.buffer,
      ends: this.ends.buffer,
      table: this.table.buffer,
    };
  }

  /** Returns the bytes of the terms, and the bytes that the dictionary uses and has allocated. */
  memory(): { readonly terms: number; readonly used: number; readonly reserved: number } {
    const terms = this.bytesOf(this.#count);
    return {
      terms,
      used: terms + 4 * (this.#count + 1) + this.table.byteLength,
      reserved: this.#arena.reservedBytes + this.#ends.reservedBytes + this.#slots.reservedBytes,
    };
  }

  /** Returns the bytes of the first terms. */
  bytesOf(termCount: number): number {
    return this.ends[termCount]!;
  }

  find(bytes: Uint8Array, from: number, to: number): TermId {
    const found = this.probe(this.hash(bytes, from, to), bytes, from, to);
    return found > 0 ? found : NO_TERM;
  }

  findText(text: string): TermId {
    const encoded = utf8(text);
    return this.find(encoded.bytes, 0, encoded.length);
  }

  /** Returns the id of a term in canonical form; adds the term if necessary. */
  intern(bytes: Uint8Array, from: number, to: number): TermId {
    return this.#internHashed(this.hash(bytes, from, to), bytes, from, to);
  }

  /**
   * The same for all terms of a table, where term `i` is `bytes[offsets[i] .. offsets[i + 1])`. The
   * memory of one term does not depend on the previous one. So if the data of many terms are loaded
   * first and looked up then, the waits for memory overlap.
   */
  internAll(bytes: Uint8Array, offsets: Uint32Array): Uint32Array {
    const ids = new Uint32Array(offsets.length - 1);
    const hashes = new Uint32Array(BATCH_TERMS);
    for (let from = 0; from < ids.length; from += BATCH_TERMS) {
      const to = Math.min(from + BATCH_TERMS, ids.length);
      this.#bringNear(bytes, offsets.subarray(from, to + 1), hashes, ids.subarray(from, to));
      for (let i = from; i < to; i++) {
        ids[i] = this.#internHashed(hashes[i - from]!, bytes, offsets[i]!, offsets[i + 1]!);
      }
    }
    return ids;
  }

  /**
   * Hashes terms, and loads the data that they will be compared with first; `read` is overwritten
   * later.
   */
  #bringNear(bytes: Uint8Array, offsets: Uint32Array, hashes: Uint32Array, read: Uint32Array): void {
    const { table, ends, bytes: arena } = this;
    const mask = slotCount(table) - 1;
    for (let i = 0; i < read.length; i++) hashes[i] = this.hash(bytes, offsets[i]!, offsets[i + 1]!);
    for (let i = 0; i < read.length; i++) read[i] = table[TABLE_HEADER + (hashes[i]! & mask) * SLOT_WORDS]!;
    for (let i = 0; i < read.length; i++) if (read[i] !== NO_TERM) read[i] = ends[read[i]! - 1]!;
    for (let i = 0; i < read.length; i++) if (read[i] !== NO_TERM) read[i] = arena[read[i]!]!;
  }

  internText(text: string): TermId {
    const encoded = utf8(text);
    return this.intern(encoded.bytes, 0, encoded.length);
  }

  /** Throws `store-full` if there is no room for this many more terms with this many bytes. */
  requireRoom(terms: number, bytes: number): void {
    const isFull = this.#count + terms > MAX_TERMS || this.bytesOf(this.#count) + bytes > MAX_TERM_BYTES;
    if (isFull) throw full();
  }

  /** From now on all existing terms have readers: none of them is forgotten. */
  publish(): void {
    this.#published = this.#count;
    this.#arena.settle(this.bytesOf(this.#count));
    this.#ends.settle(this.#count + 1);
    this.#slots.settle(this.#count);
  }

  /** Continues with the terms of another dictionary, to which nothing else writes any more. */
  adopt({ generation, termCount, arena, ends, table }: DictionaryDescriptor): void {
    this.#generation = generation;
    this.#count = termCount;
    this.#published = termCount;
    this.#arena.adopt(new Uint8Array(arena));
    this.#ends.adopt(new Uint32Array(ends));
    this.#slots.adopt(new Uint32Array(table), termCount);
  }

  /**
   * Removes the newest terms until `count` are left; none of the removed ones may have been
   * published.
   */
  forget(count: number): void {
    this.#slots.forget(this.#count, count);
    this.#count = Math.min(this.#count, count);
  }

  #internHashed(hash: number, bytes: Uint8Array, from: number, to: number): TermId {
    const found = this.probe(hash, bytes, from, to);
    if (found > 0) return found;
    const id = this.#append(bytes, from, to);
    this.#slots.add(id, -found - 1, hash);
    if (id % STEP === 0) this.#advance();
    return id;
  }

  /** Adds a term that cannot be looked up yet. */
  #append(bytes: Uint8Array, from: number, to: number): TermId {
    const start = this.bytesOf(this.#count);
    const end = start + to - from;
    this.#reserve(this.#count + 1, start, end);
    const arena = this.bytes;
    for (let i = from, j = start; i < to; i++, j++) arena[j] = bytes[i]!;
    const id = ++this.#count;
    this.ends[id] = end;
    this.#noteKinds(arena, start, end);
    return id;
  }

  #noteKinds(bytes: Uint8Array, start: number, end: number): void {
    if (isRdf12Term(bytes, start, end)) this.#slots.noteKind(RDF12_KIND);
    if (hasCapitalTag(bytes, start, end)) this.#slots.noteKind(CAPITAL_TAG_KIND);
  }

  #fillTable(): void {
    this.#slots.fill(0, this.#count);
    const { bytes, ends } = this;
    for (let id = 1; id <= this.#count; id++) this.#noteKinds(bytes, ends[id - 1]!, ends[id]!);
  }

  #reserve(termCount: number, start: number, end: number): void {
    if (termCount > MAX_TERMS || end > MAX_TERM_BYTES) {
      throw full();
    }
    this.#arena.reserve(start, end);
    this.#ends.reserve(termCount, termCount + 1);
  }

  #advance(): void {
    this.#arena.advance(this.bytesOf(this.#published));
    this.#ends.advance(this.#published + 1);
    this.#slots.advance(this.#published);
  }
}

function full(): SnapshotError {
  return new SnapshotError('store-full', 'The dictionary of terms is full.');
}

function newBytes(length: number): Uint8Array<SharedArrayBuffer> {
  return new Uint8Array(new SharedArrayBuffer(length));
}

function newWords(length: number): Uint32Array<SharedArrayBuffer> {
  return new Uint32Array(new SharedArrayBuffer(4 * length));
}
