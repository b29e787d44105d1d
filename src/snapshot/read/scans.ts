import type { TermId } from '../../rdf/model/term-id.ts';
import type { BaseRun } from '../runs/base-run.ts';
import { ID_MASK, lowerBoundOf } from '../runs/order.ts';
import { SortedColumns } from '../runs/sorted-columns.ts';

/**
 * Walks over sorted quads. The columns are named as in `order.ts`, and valid after `next` returned
 * true.
 */
export interface Scan {
  readonly a: TermId;
  readonly b: TermId;
  readonly c: TermId;
  readonly d: TermId;
  /** 1 for a quad that exists or is added, -1 for one that is removed. */
  readonly weight: number;
  next(): boolean;
}

const noQuads = SortedColumns.allocate(0);

/** A range of sorted columns. */
export class ColumnScan implements Scan {
  a = 0;
  b = 0;
  c = 0;
  d = 0;
  weight = 1;
  #words = noQuads.words;
  #step = 0;
  #at = 0;
  #to = 0;

  reset(columns: SortedColumns, from = 0, to = columns.count): this {
    this.#words = columns.words;
    this.#step = columns.step;
    this.#at = columns.start + from;
    this.#to = columns.start + to;
    return this;
  }

  /**
   * Sets the range to the quads whose first columns are `a`, `b` and `c`. A 0 matches every id, in
   * its column and in all following ones.
   */
  select(columns: SortedColumns, a: TermId, b: TermId, c: TermId): this {
    if (a === 0) return this.reset(columns);
    const from = columns.seek(a, b, c);
    const to =
      c !== 0
        ? columns.seekNear(from, a, b, c + 1)
        : b !== 0
          ? columns.seekNear(from, a, b + 1, 0)
          : columns.seekNear(from, a + 1, 0, 0);
    return this.reset(columns, from, to);
  }

  next(): boolean {
    if (this.#at >= this.#to) return false;
    const words = this.#words;
    const step = this.#step;
    const at = this.#at++;
    this.a = words[at]!;
    this.b = words[at + step]!;
    this.c = words[at + 2 * step]!;
    const last = words[at + 3 * step]!;
    this.d = last & ID_MASK;
    this.weight = last > ID_MASK ? -1 : 1;
    return true;
  }

  /**
   * Only for quads of one graph that all exist: writes the current one and those after it, as many
   * as there is room for, each as b, c, d and a. The last one written becomes the current one.
   * Returns the end of the written words.
   */
  read(into: Uint32Array, from: number): number {
    const words = this.#words;
    const step = this.#step;
    const graph = this.a;
    const first = this.#at - 1;
    const last = Math.min(this.#to, first + ((into.length - from) >>> 2));
    let end = from;
    for (let at = first; at < last; at++, end += 4) {
      into[end] = words[at + step]!;
      into[end + 1] = words[at + 2 * step]!;
      into[end + 2] = words[at + 3 * step]!;
      into[end + 3] = graph;
    }
    this.#at = last;
    return end;
  }
}

/** A range of the subject or object order of a base run. */
export class BaseOrderScan implements Scan {
  a = 0;
  b = 0;
  c = 0;
  d = 0;
  readonly weight = 1;
  readonly #words: Uint32Array;
  readonly #base: BaseRun;
  #offsets = 0;
  #rows = 0;
  #at = 0;
  #to = 0;

  constructor(base: BaseRun) {
    this.#base = base;
    this.#words = base.words;
  }

  /** Sets the range to the quads `from .. to`; the first one has term `a` or a later one. */
  reset(order: 0 | 1, a: TermId, from: number, to: number): this {
    const { offsets, rows } = this.#base.order(order);
    this.#offsets = offsets;
    this.#rows = rows;
    this.a = a;
    this.#at = from;
    this.#to = to;
    return this;
  }

  next(): boolean {
    if (this.#at >= this.#to) return false;
    const words = this.#words;
    while (words[this.#offsets + this.a + 1]! <= this.#at) this.a++;
    const at = this.#rows + 3 * this.#at++;
    this.b = words[at]!;
    this.c = words[at + 1]!;
    this.d = words[at + 2]!;
    return true;
  }
}

/** Number of terms to try one by one before a binary search for the next subject is faster. */
const NEAR = 8;

/** The quads of one graph in a base run. */
export class BaseGraphScan implements Scan {
  a = 0;
  b = 0;
  c = 0;
  d = 0;
  readonly weight = 1;
  readonly #base: BaseRun;
  #at = 0;
  #to = 0;

  constructor(base: BaseRun) {
    this.#base = base;
  }

  reset(graph: TermId): this {
    this.a = graph;
    this.b = 0;
    this.#at = this.#base.firstOfGraph(graph);
    this.#to = this.#base.firstOfGraph(graph + 1);
    return this;
  }

  /** Leaves out the quads of lesser subjects. Call it before `next`. */
  skipTo(subject: TermId): this {
    const { words, positions, bySubject } = this.#base;
    const first = bySubject.first(subject);
    this.#at = lowerBoundOf(words, positions + this.#at, positions + this.#to, first) - positions;
    return this;
  }

  next(): boolean {
    if (this.#at >= this.#to) return false;
    const { words, positions, bySubject } = this.#base;
    const position = words[positions + this.#at++]!;
    this.#goToSubjectOf(position);
    const row = bySubject.rows + 3 * position;
    this.c = words[row]!;
    this.d = words[row + 1]!;
    return true;
  }

  /** Like `read` of `ColumnScan`. */
  read(into: Uint32Array, from: number): number {
    const { words, positions, bySubject } = this.#base;
    const { offsets, rows } = bySubject;
    const graph = this.a;
    const first = positions + this.#at - 1;
    const last = Math.min(positions + this.#to, first + ((into.length - from) >>> 2));
    let end = from;
    let subject = this.b;
    // Where the quads of the subject end.
    let bound = words[offsets + subject + 1]!;
    for (let at = first; at < last; at++, end += 4) {
      const position = words[at]!;
      if (position >= bound) {
        this.#goToSubjectOf(position);
        subject = this.b;
        bound = words[offsets + subject + 1]!;
      }
      const row = rows + 3 * position;
      into[end] = subject;
      into[end + 1] = words[row]!;
      into[end + 2] = words[row + 1]!;
      into[end + 3] = graph;
    }
    this.#at = last - positions;
    return end;
  }

  #goToSubjectOf(position: number): void {
    const { words, terms, bySubject } = this.#base;
    const { offsets } = bySubject;
    for (let tries = 0; tries < NEAR; tries++) {
      if (words[offsets + this.b + 1]! > position) return;
      this.b++;
    }
    const next = lowerBoundOf(words, offsets + this.b, offsets + terms + 2, position + 1);
    this.b = next - offsets - 1;
  }
}
