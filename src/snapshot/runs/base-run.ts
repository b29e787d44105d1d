import type { TermId } from '../../rdf/model/term-id.ts';
import { BaseOrder } from './base-order.ts';
import { BY_SUBJECT, lowerBoundOf } from './order.ts';

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
  readonly bySubject: BaseOrder;
  readonly byObject: BaseOrder;
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
    this.bySubject = new BaseOrder(words, HEADER_WORDS, this.terms, this.quads);
    this.byObject = new BaseOrder(words, this.bySubject.end, this.terms, this.quads);
    this.graphIds = this.byObject.end;
    this.graphStarts = this.graphIds + this.graphs;
    this.positions = this.graphStarts + this.graphs + 1;
    this.predicateIds = this.positions + this.quads;
    this.predicateCounts = this.predicateIds + this.predicates;
  }

  /**
   * Allocates a run of that shape with empty columns. Throws a `RangeError` if the run is longer
   * than a typed array can be in any supported version of Node.js.
   */
  static allocate(counts: BaseCounts): BaseRun {
    if (baseWords(counts) > MAX_WORDS) throw new RangeError(`${counts.quads} quads do not fit in one run.`);
    const buffer = new SharedArrayBuffer(4 * baseWords(counts));
    new Uint32Array(buffer).set([counts.quads, counts.terms, counts.graphs, counts.predicates]);
    return new BaseRun(buffer);
  }

  order(order: 0 | 1): BaseOrder {
    return order === BY_SUBJECT ? this.bySubject : this.byObject;
  }

  has(s: TermId, p: TermId, o: TermId, g: TermId): boolean {
    const { bySubject } = this;
    const end = bySubject.first(s + 1);
    const from = bySubject.seek(bySubject.first(s), end, p, o);
    const last = bySubject.rows + 3 * end;
    for (let at = bySubject.rows + 3 * from; at < last; at += 3) {
      if (this.words[at] !== p || this.words[at + 1] !== o) return false;
      if (this.words[at + 2] === g) return true;
    }
    return false;
  }

  /** Returns the first entry of `positions` for the graph, or for the next existing graph. */
  firstOfGraph(graph: TermId): number {
    const { words, graphIds, graphs, graphStarts } = this;
    return words[graphStarts - graphIds + lowerBoundOf(words, graphIds, graphIds + graphs, graph)]!;
  }

  /** Returns the number of quads with the predicate outside the system graph. */
  predicateCount(predicate: TermId): number {
    const { words, predicateIds, predicateCounts } = this;
    const at = lowerBoundOf(words, predicateIds, predicateCounts, predicate);
    const found = at < predicateCounts && words[at] === predicate;
    return found ? words[predicateCounts - predicateIds + at]! : 0;
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
