import type { TermId } from '../graph/term-id.ts';
import { mix } from './hash.ts';
import { BY_SUBJECT, ID_MASK, type Order } from './order.ts';
import { SYSTEM_GRAPH_ID } from './system-graph.ts';

const HEADER_WORDS = 1;
const ORDERS = 3;
const COLUMNS = 4;
/** Bits of a filter a quad, at least: at most one absent id in sixteen passes. */
const FILTER_BITS_PER_QUAD = 16;

/**
 * A small run of changes, each relative to all older runs: a quad is added that they lack, or removed that they
 * have. One Uint32Array: the number of quads, a filter of subjects, a filter of objects (bit sets of hashed ids, so
 * that most lookups know at once that nothing changed for them), then for each order four sorted columns. The
 * last column carries `REMOVED`.
 */
export class DeltaRun {
  readonly words: Uint32Array<SharedArrayBuffer>;
  readonly quads: number;
  readonly #filterWords: number;

  constructor(buffer: SharedArrayBuffer) {
    this.words = new Uint32Array(buffer);
    this.quads = this.words[0]!;
    this.#filterWords = filterWords(this.quads);
  }

  /** A run whose columns and filters are still empty. */
  static allocate(quads: number): DeltaRun {
    const size = HEADER_WORDS + 2 * filterWords(quads) + ORDERS * COLUMNS * quads;
    const buffer = new SharedArrayBuffer(4 * size);
    new Uint32Array(buffer)[0] = quads;
    return new DeltaRun(buffer);
  }

  /** Where column `a` of an order starts; `b`, `c` and `d` follow at steps of `quads`. */
  start(order: Order): number {
    return HEADER_WORDS + 2 * this.#filterWords + order * COLUMNS * this.quads;
  }

  /**
   * False when nothing changed for the subject or object whose id `mix` made that hash of; true nearly always
   * means that something did.
   */
  mayChange(order: 0 | 1, hash: number): boolean {
    const bit = hash & (32 * this.#filterWords - 1);
    return (this.words[HEADER_WORDS + order * this.#filterWords + (bit >>> 5)]! & (1 << (bit & 31))) !== 0;
  }

  /** Fills the filters from the columns. */
  fillFilters(): void {
    for (const order of [0, 1] as const) {
      const start = this.start(order);
      const filter = HEADER_WORDS + order * this.#filterWords;
      for (let i = 0; i < this.quads; i++) {
        const bit = mix(this.words[start + i]!) & (32 * this.#filterWords - 1);
        this.words[filter + (bit >>> 5)]! |= 1 << (bit & 31);
      }
    }
  }

  /** 1 when the run adds the quad, -1 when it removes it, else 0. */
  weight(s: TermId, p: TermId, o: TermId, g: TermId): number {
    if (!this.mayChange(BY_SUBJECT, mix(s))) return 0;
    const start = this.start(BY_SUBJECT);
    const from = this.seek(BY_SUBJECT, s, p, o);
    const to = this.seekNear(BY_SUBJECT, from, s, p, o + 1);
    for (let i = from; i < to; i++) {
      const graph = this.words[start + 3 * this.quads + i]!;
      if ((graph & ID_MASK) === g) return graph > ID_MASK ? -1 : 1;
    }
    return 0;
  }

  /** How many quads with that predicate, outside the system graph, are added less how many are removed. */
  predicateCount(predicate: TermId): number {
    const start = this.start(BY_SUBJECT);
    let count = 0;
    for (let i = 0; i < this.quads; i++) {
      if (this.words[start + this.quads + i] !== predicate) continue;
      const graph = this.words[start + 3 * this.quads + i]!;
      if ((graph & ID_MASK) !== SYSTEM_GRAPH_ID) count += graph > ID_MASK ? -1 : 1;
    }
    return count;
  }

  /** The first quad of an order at or after `(a, b, c)`. */
  seek(order: Order, a: TermId, b: TermId, c: TermId): number {
    return this.#search(this.start(order), 0, this.quads, a, b, c);
  }

  /** As `seek`, where the answer is known to be at or after `from`, and probably not far. */
  seekNear(order: Order, from: number, a: TermId, b: TermId, c: TermId): number {
    const start = this.start(order);
    let low = from;
    let step = 1;
    while (low + step <= this.quads && this.#isBefore(start + low + step - 1, a, b, c)) {
      low += step;
      step *= 2;
    }
    return this.#search(start, low, Math.min(low + step, this.quads), a, b, c);
  }

  #search(start: number, from: number, to: number, a: TermId, b: TermId, c: TermId): number {
    let low = from;
    let high = to;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#isBefore(start + middle, a, b, c)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #isBefore(at: number, a: TermId, b: TermId, c: TermId): boolean {
    const first = this.words[at]!;
    if (first !== a) return first < a;
    const second = this.words[at + this.quads]!;
    if (second !== b) return second < b;
    return this.words[at + 2 * this.quads]! < c;
  }
}

/** A power of two. */
function filterWords(quads: number): number {
  let words = 1;
  while (32 * words < FILTER_BITS_PER_QUAD * quads) words *= 2;
  return words;
}
