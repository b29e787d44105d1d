import type { TermId } from '../../rdf/model/term-id.ts';
import { mix } from '../dictionary/hash.ts';
import { BY_OBJECT, BY_SUBJECT, ID_MASK, lowerBoundOf, type Order } from './order.ts';
import { SortedColumns } from './sorted-columns.ts';

const HEADER_WORDS = 2;
const ORDERS = 3;
const COLUMNS = 4;
/** Minimum bits of a filter for each quad: about one absent id in two hundred passes. */
const FILTER_BITS_PER_QUAD = 16;

/** For each predicate, the number of additions minus that of removals, outside the system graph. */
export type PredicateCounts = ReadonlyMap<TermId, number>;

/**
 * A run of changes, each relative to all older runs: it adds quads that they lack, and removes
 * quads that they have. One Uint32Array: the numbers of quads and of predicates; a filter of
 * subjects and one of objects, so that most lookups know at once that nothing changed for them; for
 * each order four sorted columns, the last with `REMOVED`; the predicates, ascending, and a signed
 * count for each.
 *
 * A filter is a Bloom filter with all bits for one id in one word: a lookup reads one word for each
 * run.
 */
export class DeltaRun {
  readonly words: Uint32Array<SharedArrayBuffer>;
  readonly quads: number;
  readonly #predicates: number;
  readonly #filterWords: number;
  /** Made when they are first needed. Most lookups need none, because the filters suffice. */
  readonly #orders: (SortedColumns | undefined)[] = [];

  constructor(buffer: SharedArrayBuffer) {
    this.words = new Uint32Array(buffer);
    this.quads = this.words[0]!;
    this.#predicates = this.words[1]!;
    this.#filterWords = filterWords(this.quads);
  }

  /** Allocates a run with empty columns and filters. */
  static allocate(quads: number, predicates: PredicateCounts): DeltaRun {
    const size = HEADER_WORDS + 2 * filterWords(quads) + ORDERS * COLUMNS * quads + 2 * predicates.size;
    const buffer = new SharedArrayBuffer(4 * size);
    new Uint32Array(buffer).set([quads, predicates.size]);
    const run = new DeltaRun(buffer);
    run.#fillPredicates(predicates);
    return run;
  }

  order(order: Order): SortedColumns {
    this.#orders[order] ??= this.#columns(order);
    return this.#orders[order];
  }

  #columns(order: Order): SortedColumns {
    const start = HEADER_WORDS + 2 * this.#filterWords + order * COLUMNS * this.quads;
    return new SortedColumns(this.words, start, this.quads, this.quads);
  }

  /**
   * Returns false if nothing changed for the subject or object whose `mix` is `hash`; true nearly
   * always means that something did. `bits` are the `filterBits` of the hash.
   */
  mayChange(order: 0 | 1, hash: number, bits: number): boolean {
    return (this.words[this.#filterWord(order, hash)]! & bits) === bits;
  }

  /** Fills the filters from the columns. */
  fillFilters(): void {
    for (const order of [BY_SUBJECT, BY_OBJECT] as const) {
      const { start } = this.order(order);
      for (let i = 0; i < this.quads; i++) {
        const hash = mix(this.words[start + i]!);
        this.words[this.#filterWord(order, hash)]! |= filterBits(hash);
      }
    }
  }

  /**
   * Adds `by` to all ids greater than `known`, which keeps the order of the quads. For a run that
   * has no readers yet.
   */
  moveIds(known: TermId, by: number): void {
    if (by === 0) return;
    const { start } = this.order(BY_SUBJECT);
    const { words } = this;
    const end = this.#predicateStart + this.#predicates;
    for (let i = start; i < end; i++) if ((words[i]! & ID_MASK) > known) words[i]! += by;
    words.fill(0, HEADER_WORDS, start);
    this.fillFilters();
  }

  #filterWord(order: 0 | 1, hash: number): number {
    return HEADER_WORDS + order * this.#filterWords + (hash & (this.#filterWords - 1));
  }

  /** Returns 1 if the run adds the quad, -1 if it removes it, otherwise 0. */
  weight(s: TermId, p: TermId, o: TermId, g: TermId): number {
    const hash = mix(s);
    if (!this.mayChange(BY_SUBJECT, hash, filterBits(hash))) return 0;
    const bySubject = this.order(BY_SUBJECT);
    const from = bySubject.seek(s, p, o);
    const to = bySubject.seekNear(from, s, p, o + 1);
    const graphs = bySubject.start + 3 * this.quads;
    for (let i = from; i < to; i++) {
      const graph = this.words[graphs + i]!;
      if ((graph & ID_MASK) === g) return graph > ID_MASK ? -1 : 1;
    }
    return 0;
  }

  /**
   * Returns the number of additions minus that of removals, for quads with the predicate outside
   * the system graph.
   */
  predicateCount(predicate: TermId): number {
    const start = this.#predicateStart;
    const at = lowerBoundOf(this.words, start, start + this.#predicates, predicate);
    if (at === start + this.#predicates || this.words[at] !== predicate) return 0;
    return this.#count(at - start);
  }

  /** Returns the counts of all predicates. */
  predicateCounts(): Map<TermId, number> {
    const counts = new Map<TermId, number>();
    for (let i = 0; i < this.#predicates; i++) {
      counts.set(this.words[this.#predicateStart + i]!, this.#count(i));
    }
    return counts;
  }

  get #predicateStart(): number {
    return this.order(BY_SUBJECT).start + ORDERS * COLUMNS * this.quads;
  }

  /** Counts are signed. */
  #count(index: number): number {
    return this.words[this.#predicateStart + this.#predicates + index]! | 0;
  }

  #fillPredicates(predicates: PredicateCounts): void {
    const sorted = Uint32Array.from(predicates.keys()).sort();
    this.words.set(sorted, this.#predicateStart);
    sorted.forEach((predicate, i) => {
      this.words[this.#predicateStart + sorted.length + i] = predicates.get(predicate)!;
    });
  }
}

/**
 * Returns the bits that represent an id in its word of a filter; `hash` is `mix(id)`. There are
 * three bits, or fewer if they coincide.
 */
export function filterBits(hash: number): number {
  const bits = Math.imul(hash, 0x9e3779b1);
  return (1 << (bits >>> 27)) | (1 << ((bits >>> 22) & 31)) | (1 << ((bits >>> 17) & 31));
}

/** Returns a power of two. */
function filterWords(quads: number): number {
  let words = 1;
  while (32 * words < FILTER_BITS_PER_QUAD * quads) words *= 2;
  return words;
}
