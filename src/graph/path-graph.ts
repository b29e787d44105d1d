import type { TermId } from './term-id.ts';

/** Where the canonical N-Triples bytes of terms lie. */
export interface TermBytes {
  /** The arena. A term's bytes are valid JSON string content between its quotes (see `term.ts`). */
  readonly bytes: Uint8Array;
  /** Term `id` is `bytes[ends[id - 1] .. ends[id])`: what `start` and `end` give, for loops over many terms. */
  readonly ends: Uint32Array;
  start(id: TermId): number;
  end(id: TermId): number;
}

/**
 * What path evaluation needs of a graph: navigation over term ids, nothing else. Synchronous, since
 * evaluation happens next to its data. The graph is a set of triples: where it is the union of several
 * named graphs, a triple that stands in two of them counts once.
 *
 * Ids are positive integers below 2^31; 0 and negative ids are never in the graph, and looking them up finds
 * nothing. Every method that fills `into` appends distinct ids in ascending order, and leaves what is there.
 * Ascending ids are the order in which the store first met the terms.
 */
export interface PathGraph {
  readonly terms: TermBytes;
  /** The id of a term in canonical N-Triples form; 0 when the store has never met it. */
  find(text: string): TermId;
  /** Canonical N-Triples form. */
  text(id: TermId): string;
  objects(subject: TermId, predicate: TermId, into: TermId[]): void;
  /**
   * Looks up the objects of several subjects together, which is quicker than one by one: of the entries `from .. to` of
   * `list`, as many as it sees fit, but at least one. Appends to the same list what `objects` would for one subject after
   * another, and gives the first entry not looked up.
   */
  objectsOfEach(list: TermId[], from: number, to: number, predicate: TermId): number;
  allObjects(subject: TermId, into: TermId[]): void;
  subjects(predicate: TermId, object: TermId, into: TermId[]): void;
  allSubjects(object: TermId, into: TermId[]): void;
  predicates(subject: TermId, into: TermId[]): void;
  has(subject: TermId, predicate: TermId, object: TermId): boolean;
  /** True when the term is subject, predicate or object of a triple. */
  mentions(id: TermId): boolean;
  /** The same data seen through the named graphs of the given names only (unknown ones hold nothing). */
  within(graphNames: readonly TermId[]): PathGraph;
}
