import type { PathGraph, ReadAllowance } from '../../rdf/model/path-graph.ts';
import type { TermId } from '../../rdf/model/term-id.ts';

/** A graph in which a look-up can end before everything was read: some terms have many triples. */
export interface SearchedGraph extends PathGraph {
  /**
   * Returns predicate and subject of the triples with the object, and with the predicate unless
   * that is 0, in a row and perhaps several times; undefined if that reads more than is allowed.
   */
  linksTo(object: TermId, predicate: TermId, allowance: ReadAllowance): TermId[] | undefined;
  /** The same with predicate and object of the triples with the subject. */
  linksFrom(subject: TermId, predicate: TermId, allowance: ReadAllowance): TermId[] | undefined;
  isSubject(id: TermId): boolean;
  within(graphNames: readonly TermId[]): SearchedGraph;
}
