import type { TermId } from './term-id.ts';

/** The canonical N-Triples bytes of terms. */
export interface TermBytes {
  /** The arena. A term's bytes between its quotes are valid JSON string content (see `term.ts`). */
  readonly bytes: Uint8Array;
  /**
   * Term `id` is `bytes[ends[id - 1] .. ends[id])`: the same as `start` and `end`, for loops over
   * many terms.
   */
  readonly ends: Uint32Array;
  start(id: TermId): number;
  end(id: TermId): number;
}

/**
 * The operations of a graph that path evaluation needs: navigation over term ids. Synchronous,
 * since evaluation happens next to its data. The graph is a set of triples: if it is the union of
 * several named graphs, a triple that is in two of them counts once.
 *
 * Ids are positive integers below 2^31; 0 and negative ids are never in the graph, and looking them
 * up finds nothing. Every method that fills `into` appends distinct ids in ascending order, and
 * keeps its present content. Ascending ids follow the order in which the store first saw the terms.
 */
export interface PathGraph {
  readonly terms: TermBytes;
  /** Returns the id of a term in canonical N-Triples form; 0 if the store has never seen it. */
  find(text: string): TermId;
  /**
   * Returns the id of a term that was found; 0 if the graph hides quads, and only they have the
   * term as subject or object. So what evaluation makes of terms cannot tell what is hidden.
   */
  shown(id: TermId): TermId;
  /** Returns the canonical N-Triples form. */
  text(id: TermId): string;
  objects(subject: TermId, predicate: TermId, into: TermId[]): void;
  /**
   * Looks up the objects of several subjects together, which is faster than one by one: for the
   * entries `from .. to` of `list`, at least one and as many as the implementation chooses. Appends
   * to the same list what `objects` would append for one subject after another. Returns the index
   * after the last entry that was looked up.
   */
  objectsOfEach(list: TermId[], from: number, to: number, predicate: TermId): number;
  allObjects(subject: TermId, into: TermId[]): void;
  subjects(predicate: TermId, object: TermId, into: TermId[]): void;
  allSubjects(object: TermId, into: TermId[]): void;
  predicates(subject: TermId, into: TermId[]): void;
  has(subject: TermId, predicate: TermId, object: TermId): boolean;
  /** Whether the term is subject, predicate or object of a triple. */
  mentions(id: TermId): boolean;
  /**
   * Returns the same data restricted to the named graphs with the given names (unknown ones are
   * empty).
   */
  within(graphNames: readonly TermId[]): PathGraph;
}

/** How much may still be read, by look-ups that share it. */
export interface ReadAllowance {
  /** Number of quads, those of graphs that are not asked for included. */
  quads: number;
}
