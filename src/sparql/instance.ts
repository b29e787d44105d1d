import type { Store } from 'oxigraph';
import type { StoredData } from './effects/updated-data.ts';

export type Oxigraph = typeof import('oxigraph');

/**
 * Oxigraph's store in a SPARQL thread, with the data of one commit.
 *
 * Each visible graph is a named graph in the store; the system graph is not in it. The server's LDP
 * graph can't be named, so its triples are in the store's default graph: a union of all graphs
 * includes them, and `GRAPH ?g` excludes them without a list of all other graphs. The default graph
 * of a query, unless the query or its request names others, is the merge of all graphs, with each
 * triple once.
 */
export interface SparqlInstance {
  readonly oxigraph: Oxigraph;
  readonly store: Store;
  /** The same data in the store's snapshot, where all literals are spelled as they were written. */
  readonly reader: StoredData;
  /** Number of the commit. */
  readonly sequence: number;
  /**
   * Whether some triple is in several graphs. Then the store's default graph contains the merge of
   * all graphs.
   */
  readonly isMerged: boolean;
  /**
   * Returns the literals of the data that Oxigraph writes as this one, in canonical N-Triples form:
   * for `"1"^^xsd:integer`, `"01"^^xsd:integer` among others. Oxigraph keeps the values of numbers,
   * dates and similar types, but not their spelling. The term itself is not included; the result is
   * empty for most terms.
   */
  spellings(term: string): readonly string[];
}
