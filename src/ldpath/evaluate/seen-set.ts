import type { TermId } from '../../rdf/model/term-id.ts';

/** A set of term ids that is emptied in constant time and keeps its memory. */
export class SeenSet {
  #slots = new Int32Array(INITIAL);
  /** A slot is in use if its stamp is the current one. */
  #stamps = new Uint32Array(INITIAL);
  #stamp = 1;
  #size = 0;

  clear(): void {
    this.#size = 0;
    if (++this.#stamp < 0xffffffff) return;
    this.#stamps.fill(0);
    this.#stamp = 1;
  }

  /** Adds an id; returns false if the set already contains it. */
  add(id: TermId): boolean {
    const slot = this.#slotOf(id);
    if (this.#stamps[slot] === this.#stamp) return false;
    this.#slots[slot] = id;
    this.#stamps[slot] = this.#stamp;
    if (++this.#size * 2 > this.#slots.length) this.#grow();
    return true;
  }

  has(id: TermId): boolean {
    return this.#stamps[this.#slotOf(id)] === this.#stamp;
  }

  /** Returns the slot of the id, or the free slot for it: linear probing. */
  #slotOf(id: TermId): number {
    const mask = this.#slots.length - 1;
    let slot = Math.imul(id, 0x9e3779b1) & mask;
    while (this.#stamps[slot] === this.#stamp && this.#slots[slot] !== id) slot = (slot + 1) & mask;
    return slot;
  }

  #grow(): void {
    const [slots, stamps] = [this.#slots, this.#stamps];
    this.#slots = new Int32Array(slots.length * 2);
    this.#stamps = new Uint32Array(slots.length * 2);
    for (let i = 0; i < slots.length; i++) {
      if (stamps[i] !== this.#stamp) continue;
      const slot = this.#slotOf(slots[i]!);
      this.#slots[slot] = slots[i]!;
      this.#stamps[slot] = this.#stamp;
    }
  }
}

/** Generous, because collisions cost more than the memory. */
const INITIAL = 256;
