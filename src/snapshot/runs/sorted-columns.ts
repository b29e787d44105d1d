import type { TermId } from '../../rdf/model/term-id.ts';
import { ID_MASK } from './order.ts';

/**
 * Sorted quads of one order: four columns at equal distances in one array, named as in `order.ts`,
 * the last one with `REMOVED`.
 */
export class SortedColumns {
  readonly words: Uint32Array;
  /** Where column `a` begins. */
  readonly start: number;
  /** Distance between the columns; at least `count`. */
  readonly step: number;
  /** Number of quads. */
  readonly count: number;

  constructor(words: Uint32Array, start: number, step: number, count: number) {
    this.words = words;
    this.start = start;
    this.step = step;
    this.count = count;
  }

  /** Allocates columns for this many quads. */
  static allocate(count: number): SortedColumns {
    return new SortedColumns(new Uint32Array(4 * count), 0, count, count);
  }

  /** Returns column 0 .. 3. */
  column(index: number): Uint32Array {
    const from = this.start + index * this.step;
    return this.words.subarray(from, from + this.count);
  }

  /** Copies the first quads of others, as many as there is room for. */
  fill(others: SortedColumns): void {
    for (let i = 0; i < 4; i++) this.column(i).set(others.column(i).subarray(0, this.count));
  }

  /** Copies a quad of others to position `to`. */
  copy(others: SortedColumns, from: number, to: number): void {
    const { words, step } = this;
    const { words: otherWords, step: otherStep } = others;
    const target = this.start + to;
    const source = others.start + from;
    words[target] = otherWords[source]!;
    words[target + step] = otherWords[source + otherStep]!;
    words[target + 2 * step] = otherWords[source + 2 * otherStep]!;
    words[target + 3 * step] = otherWords[source + 3 * otherStep]!;
  }

  /** Returns the first quad at or after `(a, b, c)`. */
  seek(a: TermId, b: TermId, c: TermId): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#isBefore(middle, a, b, c)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Like `seek`, if the result is known to be at or after `from`, and probably close to it. */
  seekNear(from: number, a: TermId, b: TermId, c: TermId): number {
    let low = from;
    let step = 1;
    for (; low + step <= this.count && this.#isBefore(low + step - 1, a, b, c); step *= 2) low += step;
    for (step >>>= 1; step > 0; step >>>= 1) {
      if (low + step <= this.count && this.#isBefore(low + step - 1, a, b, c)) low += step;
    }
    return low;
  }

  #isBefore(index: number, a: TermId, b: TermId, c: TermId): boolean {
    const at = this.start + index;
    const first = this.words[at]!;
    if (first !== a) return first < a;
    const second = this.words[at + this.step]!;
    if (second !== b) return second < b;
    return this.words[at + 2 * this.step]! < c;
  }

  /** Compares two quads: negative, zero or positive. Ignores `REMOVED`. */
  compare(index: number, others: SortedColumns, other: number): number {
    const { words, step } = this;
    const { words: otherWords, step: otherStep } = others;
    const x = this.start + index;
    const y = others.start + other;
    const a = words[x]! - otherWords[y]!;
    if (a !== 0) return a;
    const b = words[x + step]! - otherWords[y + otherStep]!;
    if (b !== 0) return b;
    const c = words[x + 2 * step]! - otherWords[y + 2 * otherStep]!;
    if (c !== 0) return c;
    return (words[x + 3 * step]! & ID_MASK) - (otherWords[y + 3 * otherStep]! & ID_MASK);
  }
}
