import { viewOf } from '../../base/bytes/wide-copy.ts';
import { areEqual, tagStart } from '../model/language/tag-case.ts';
import type { TermArena } from './term-arena.ts';
import { hashOf, hashOfTag, newHashKey } from './term-hash.ts';

/** Expected bytes of a term, on average. If there are fewer terms than that, little is lost. */
const EXPECTED_TERM_BYTES = 64;
const LEAST_BITS = 7;

const noBytes = new Uint8Array(0);

/**
 * Finds terms of an arena by their bytes, ignoring the case of language tags: a hash table with
 * open addressing. The hash has a new key for each table, so that a client cannot prepare a
 * document whose terms all collide. The initial size follows from the arena: most documents are
 * small, and zeroing kilobytes for each would cost more than reading it. The arena may also contain
 * terms that the index does not know.
 */
export class TermIndex {
  readonly arena: TermArena;
  readonly #key = newHashKey();
  /**
   * Pairs of a term number plus one, 0 for a free slot, and its hash, which saves comparisons and
   * rehashing. The length is a power of two; at most half of the slots are used.
   */
  #slots: Uint32Array;
  #used = 0;
  /** The source of the last look-up. */
  #source: Uint8Array = noBytes;
  #view = viewOf(noBytes);

  constructor(arena: TermArena) {
    this.arena = arena;
    const expected = arena.bytes.length / EXPECTED_TERM_BYTES;
    this.#slots = new Uint32Array(2 ** Math.max(LEAST_BITS, Math.ceil(Math.log2(4 * expected))));
  }

  /** Returns the number of the term that equals these bytes; adds the term if it is new. */
  intern(source: Uint8Array, start: number, end: number): number {
    if (source !== this.#source) this.#goTo(source);
    const hash = this.#hash(source, start, end);
    const slots = this.#slots;
    const mask = slots.length - 2;
    let slot = (hash << 1) & mask;
    for (let entry = slots[slot]!; entry !== 0; entry = slots[slot]!) {
      if (slots[slot + 1] === hash && this.#equals(entry - 1, this.#view, start, end)) return entry - 1;
      slot = (slot + 2) & mask;
    }
    const index = this.arena.addBytes(source, start, end);
    slots[slot] = index + 1;
    slots[slot + 1] = hash;
    if (4 * ++this.#used === slots.length) this.#grow();
    return index;
  }

  #hash(source: Uint8Array, start: number, end: number): number {
    const tag = tagStart(source, start, end);
    const hash = hashOf(this.#key, this.#view, start, tag);
    return tag === end ? hash : (hash ^ hashOfTag(this.#key, source, tag, end)) >>> 0;
  }

  #goTo(source: Uint8Array): void {
    this.#source = source;
    this.#view = viewOf(source);
  }

  #equals(index: number, source: DataView, start: number, end: number): boolean {
    const { view, offsets } = this.arena;
    const from = offsets[index]!;
    if (offsets[index + 1]! - from !== end - start) return false;
    let at = start;
    let other = from;
    for (const last = end - 3; at < last; at += 4, other += 4) {
      if (source.getInt32(at) !== view.getInt32(other)) return this.#equalsIgnoringCase(index, start, end);
    }
    for (; at < end; at++, other++) {
      if (source.getUint8(at) !== view.getUint8(other)) return this.#equalsIgnoringCase(index, start, end);
    }
    return true;
  }

  #equalsIgnoringCase(index: number, start: number, end: number): boolean {
    const { bytes, offsets } = this.arena;
    return areEqual(this.#source.subarray(start, end), bytes.subarray(offsets[index]!, offsets[index + 1]!));
  }

  #grow(): void {
    const old = this.#slots;
    const slots = new Uint32Array(2 * old.length);
    const mask = slots.length - 2;
    for (let from = 0; from < old.length; from += 2) {
      if (old[from] === 0) continue;
      const hash = old[from + 1]!;
      let slot = (hash << 1) & mask;
      while (slots[slot] !== 0) slot = (slot + 2) & mask;
      slots[slot] = old[from]!;
      slots[slot + 1] = hash;
    }
    this.#slots = slots;
  }
}
