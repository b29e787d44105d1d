import { randomInt } from 'node:crypto';
import type { TermArena } from './term-arena.ts';

/**
 * Finds terms of an arena by their bytes: a hash table with open addressing. The hash is keyed anew for each
 * table, so that nobody can prepare a document whose terms all collide. It begins small, since most documents are, and
 * zeroed kilobytes for each would cost more than reading it. The arena may also hold terms that the index does not know.
 */
export class TermIndex {
  readonly arena: TermArena;
  readonly #seed = randomInt(2 ** 32);
  readonly #factor = randomInt(2 ** 31) * 2 + 1;
  /** Term number plus one; 0 for a free slot. A power of two long, at most half full. */
  #slots = new Uint32Array(64);
  /** Hash of the term in each slot, to spare comparisons and to grow without hashing again. */
  #hashes = new Uint32Array(64);
  #used = 0;

  constructor(arena: TermArena) {
    this.arena = arena;
  }

  /** The number of the term with these bytes, which is added when new. */
  intern(source: Uint8Array, start: number, end: number): number {
    const hash = this.#hash(source, start, end);
    const slots = this.#slots;
    const mask = slots.length - 1;
    let slot = hash & mask;
    for (let entry = slots[slot]!; entry !== 0; entry = slots[slot]!) {
      if (this.#hashes[slot] === hash && this.#equals(entry - 1, source, start, end)) return entry - 1;
      slot = (slot + 1) & mask;
    }
    const index = this.arena.addBytes(source, start, end);
    slots[slot] = index + 1;
    this.#hashes[slot] = hash;
    if (2 * ++this.#used === slots.length) this.#grow();
    return index;
  }

  #hash(source: Uint8Array, start: number, end: number): number {
    const factor = this.#factor;
    let hash = this.#seed ^ (end - start);
    let at = start;
    for (const last = end - 3; at < last; at += 4) {
      const word = source[at]! | (source[at + 1]! << 8) | (source[at + 2]! << 16) | (source[at + 3]! << 24);
      hash = Math.imul(hash ^ word, factor);
      hash ^= hash >>> 15;
    }
    for (; at < end; at++) {
      hash = Math.imul(hash ^ source[at]!, factor);
      hash ^= hash >>> 15;
    }
    return hash >>> 0;
  }

  #equals(index: number, source: Uint8Array, start: number, end: number): boolean {
    const { bytes, offsets } = this.arena;
    const from = offsets[index]!;
    if (offsets[index + 1]! - from !== end - start) return false;
    for (let at = start, other = from; at < end; at++, other++) {
      if (source[at] !== bytes[other]) return false;
    }
    return true;
  }

  #grow(): void {
    const length = 2 * this.#slots.length;
    const slots = new Uint32Array(length);
    const hashes = new Uint32Array(length);
    this.#slots.forEach((entry, from) => {
      if (entry === 0) return;
      const hash = this.#hashes[from]!;
      let slot = hash & (length - 1);
      while (slots[slot] !== 0) slot = (slot + 1) & (length - 1);
      slots[slot] = entry;
      hashes[slot] = hash;
    });
    this.#slots = slots;
    this.#hashes = hashes;
  }
}
