import type { TermId } from '../../rdf/model/term-id.ts';
import type { BaseRun } from '../runs/base-run.ts';
import { BY_SUBJECT, ID_MASK, lowerBoundOf } from '../runs/order.ts';

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

const noWords = new Uint32Array(0);

/** Four columns at equal distances in one array, the last one with `REMOVED`. */
export class ColumnScan implements Scan {
  a = 0;
  b = 0;
  c = 0;
  d = 0;
  weight = 1;
  #words: Uint32Array<ArrayBuffer> = noWords;
  #start = 0;
  #step = 0;
  #at = 0;
  #to = 0;

  reset(
    words: Uint32Array<ArrayBuffer | SharedArrayBuffer>,
    start: number,
    step: number,
    from: number,
    to: number,
  ): this {
    this.#words = words as Uint32Array<ArrayBuffer>;
    this.#start = start;
    this.#step = step;
    this.#at = from;
    this.#to = to;
    return this;
  }

  next(): boolean {
    if (this.#at >= this.#to) return false;
    const words = this.#words;
    const step = this.#step;
    const at = this.#start + this.#at++;
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
    const first = this.#start + this.#at - 1;
    const last = Math.min(this.#start + this.#to, first + ((into.length - from) >>> 2));
    let end = from;
    for (let at = first; at < last; at++, end += 4) {
      into[end] = words[at + step]!;
      into[end + 1] = words[at + 2 * step]!;
      into[end + 2] = words[at + 3 * step]!;
      into[end + 3] = graph;
    }
    this.#at = last - this.#start;
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
    const base = this.#base;
    this.#offsets = order === BY_SUBJECT ? base.subjectOffsets : base.objectOffsets;
    this.#rows = base.rows(order);
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

  next(): boolean {
    if (this.#at >= this.#to) return false;
    const { words, positions, subjectRows } = this.#base;
    const position = words[positions + this.#at++]!;
    this.#goToSubjectOf(position);
    this.c = words[subjectRows + 3 * position]!;
    this.d = words[subjectRows + 3 * position + 1]!;
    return true;
  }

  /** Like `read` of `ColumnScan`. */
  read(into: Uint32Array, from: number): number {
    const { words, positions, subjectOffsets, subjectRows } = this.#base;
    const graph = this.a;
    const first = positions + this.#at - 1;
    const last = Math.min(positions + this.#to, first + ((into.length - from) >>> 2));
    let end = from;
    let subject = this.b;
    // Where the quads of the subject end.
    let bound = words[subjectOffsets + subject + 1]!;
    for (let at = first; at < last; at++, end += 4) {
      const position = words[at]!;
      if (position >= bound) {
        this.#goToSubjectOf(position);
        subject = this.b;
        bound = words[subjectOffsets + subject + 1]!;
      }
      const row = subjectRows + 3 * position;
      into[end] = subject;
      into[end + 1] = words[row]!;
      into[end + 2] = words[row + 1]!;
      into[end + 3] = graph;
    }
    this.#at = last - positions;
    return end;
  }

  #goToSubjectOf(position: number): void {
    const { words, subjectOffsets, terms } = this.#base;
    for (let tries = 0; tries < NEAR; tries++) {
      if (words[subjectOffsets + this.b + 1]! > position) return;
      this.b++;
    }
    this.b = lowerBoundOf(words, subjectOffsets, this.b, terms + 2, position + 1) - 1;
  }
}
