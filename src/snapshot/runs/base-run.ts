import type { TermId } from '../../rdf/model/term-id.ts';
import { BY_SUBJECT, lowerBoundOf, lowerBoundOfRows } from './order.ts';

const HEADER_WORDS = 4;
/** The most elements in one array: 16 GiB. */
const MAX_WORDS = 2 ** 32 - 1;

/** The header of a base run, which determines its layout. */
export interface BaseCounts {
  readonly quads: number;
  /** Ids 1 .. terms have offsets; greater ones do not occur in the run. */
  readonly terms: number;
  readonly graphs: number;
  readonly predicates: number;
}

/**
 * The large, indexed run: one Uint32Array with a header and sections.
 *
 * By subject: an offset for each term, then for each quad a row of p, o, g. By object: an offset
 * for each term, then rows of p, s, g. (Rows, not columns, because a lookup of a few neighbours
 * then touches one or two cache lines.) By graph: ids of graphs, ascending; where the quads of each
 * begin; and for each quad its position in the subject order. Last the predicates, ascending, and
 * how many quads outside the system graph each has.
 */
export class BaseRun {
  readonly words: Uint32Array<SharedArrayBuffer>;
  readonly quads: number;
  readonly terms: number;
  readonly graphs: number;
  readonly predicates: number;
  readonly subjectOffsets: number;
  readonly subjectRows: number;
  readonly objectOffsets: number;
  readonly objectRows: number;
  readonly graphIds: number;
  readonly graphStarts: number;
  readonly positions: number;
  readonly predicateIds: number;
  readonly predicateCounts: number;

  constructor(buffer: SharedArrayBuffer) {
    const words = new Uint32Array(buffer);
    this.words = words;
    this.quads = words[0]!;
    this.terms = words[1]!;
    this.graphs = words[2]!;
    this.predicates = words[3]!;
    this.subjectOffsets = HEADER_WORDS;
    this.subjectRows = this.subjectOffsets + this.terms + 2;
    this.objectOffsets = this.subjectRows + 3 * this.quads;
    this.objectRows = this.objectOffsets + this.terms + 2;
    this.graphIds = this.objectRows + 3 * this.quads;
    this.graphStarts = this.graphIds + this.graphs;
    this.positions = this.graphStarts + this.graphs + 1;
    this.predicateIds = this.positions + this.quads;
    this.predicateCounts = this.predicateIds + this.predicates;
  }

  /** Allocates a run of that shape with empty columns. */
  static allocate(counts: BaseCounts): BaseRun {
    const buffer = new SharedArrayBuffer(4 * baseWords(counts));
    new Uint32Array(buffer).set([counts.quads, counts.terms, counts.graphs, counts.predicates]);
    return new BaseRun(buffer);
  }

  /**
   * Returns the first quad of the term in the order, or the end for terms that the run does not
   * contain.
   */
  first(order: 0 | 1, a: TermId): number {
    if (a > this.terms) return this.quads;
    return this.words[(order === BY_SUBJECT ? this.subjectOffsets : this.objectOffsets) + a]!;
  }

  /**
   * In the range `from .. to`, which has the quads of one subject or object, returns the first quad
   * at or after `(b, c)`.
   */
  seek(order: 0 | 1, from: number, to: number, b: TermId, c: TermId): number {
    return lowerBoundOfRows(this.words, this.rows(order), from, to, b, c);
  }

  rows(order: 0 | 1): number {
    return order === BY_SUBJECT ? this.subjectRows : this.objectRows;
  }

  has(s: TermId, p: TermId, o: TermId, g: TermId): boolean {
    const end = this.first(BY_SUBJECT, s + 1);
    const from = this.seek(BY_SUBJECT, this.first(BY_SUBJECT, s), end, p, o);
    const last = this.subjectRows + 3 * end;
    for (let at = this.subjectRows + 3 * from; at < last; at += 3) {
      if (this.words[at] !== p || this.words[at + 1] !== o) return false;
      if (this.words[at + 2] === g) return true;
    }
    return false;
  }

  /** Returns the first entry of `positions` for the graph, or for the next existing graph. */
  firstOfGraph(graph: TermId): number {
    const index = lowerBoundOf(this.words, this.graphIds, 0, this.graphs, graph);
    return this.words[this.graphStarts + index]!;
  }

  /** Returns the number of quads with the predicate outside the system graph. */
  predicateCount(predicate: TermId): number {
    const index = lowerBoundOf(this.words, this.predicateIds, 0, this.predicates, predicate);
    const found = index < this.predicates && this.words[this.predicateIds + index] === predicate;
    return found ? this.words[this.predicateCounts + index]! : 0;
  }
}

/**
 * Whether this many quads of this many terms fit in one run, for all possible graphs and
 * predicates.
 */
export function fitsBase(quads: number, terms: number): boolean {
  return baseWords({ quads, terms, graphs: terms, predicates: terms }) <= MAX_WORDS;
}

/** Returns the number of words in a run of that shape. */
export function baseWords(counts: BaseCounts): number {
  return (
    HEADER_WORDS + 2 * (counts.terms + 2) + 7 * counts.quads + 2 * counts.graphs + 1 + 2 * counts.predicates
  );
}
