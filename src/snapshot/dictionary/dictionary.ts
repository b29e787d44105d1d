import type { TermBytes } from '../../rdf/model/path-graph.ts';
import { NO_TERM, type TermId } from '../../rdf/model/term-id.ts';
import type { DictionaryDescriptor } from '../descriptor.ts';
import { hashTerm } from './hash.ts';
import { SLOT_WORDS, TABLE_HEADER, TermLookup } from './term-lookup.ts';
import { utf8 } from './utf8.ts';

/** Beyond this offset earlier releases of Node.js 20 cannot decode text in place. */
const FAR = 2 ** 31;

/** The terms of one snapshot, for readers in every thread. */
export class Dictionary extends TermLookup implements TermBytes {
  override readonly bytes: Uint8Array;
  /** See `DictionaryDescriptor`. */
  readonly generation: number;
  override readonly termCount: number;
  override readonly ends: Uint32Array;
  protected override readonly table: Uint32Array;
  readonly #buffer: Buffer;

  constructor(descriptor: DictionaryDescriptor) {
    super();
    this.bytes = new Uint8Array(descriptor.arena);
    this.generation = descriptor.generation;
    this.termCount = descriptor.termCount;
    this.ends = new Uint32Array(descriptor.ends);
    this.table = new Uint32Array(descriptor.table);
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

  /** Returns the id of the term that equals the canonical form `bytes[from .. to)`, or 0. */
  findBytes(bytes: Uint8Array, from: number, to: number): TermId {
    const found = this.probe(this.hash(bytes, from, to), bytes, from, to);
    return found > 0 ? found : NO_TERM;
  }

  /**
   * The same for many terms; `bounds` has the start and the end of each. The memory of one term
   * does not depend on the previous one. So if all terms are hashed first and looked up then, the
   * waits for memory overlap: a term takes a third of the time that `findBytes` needs.
   */
  findAll(bytes: Uint8Array, bounds: Uint32Array, ids: Uint32Array): void {
    const { table, ends, bytes: arena } = this;
    const count = bounds.length / 2;
    const seed = table[0]!;
    const mask = (table.length - TABLE_HEADER) / SLOT_WORDS - 1;
    if (hashes.length < count) hashes = new Uint32Array(count);
    for (let i = 0, at = 0; i < count; i++, at += 2) {
      hashes[i] = hashTerm(bytes, bounds[at]!, bounds[at + 1]!, seed);
    }
    // Loads the data for the next comparisons into the caches. What it stores is overwritten below.
    for (let i = 0; i < count; i++) {
      const id = table[TABLE_HEADER + (hashes[i]! & mask) * SLOT_WORDS]!;
      ids[i] = id === NO_TERM ? NO_TERM : arena[ends[id - 1]!]!;
    }
    for (let i = 0, at = 0; i < count; i++, at += 2) {
      const found = this.probe(hashes[i]!, bytes, bounds[at]!, bounds[at + 1]!);
      ids[i] = found > 0 ? found : NO_TERM;
    }
  }
}

/** Scratch memory of `findAll`. */
let hashes = new Uint32Array(256);
