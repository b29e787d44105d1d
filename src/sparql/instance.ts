import type { Store } from 'oxigraph';
import type { StoredData } from './effects/updated-data.ts';

export type Oxigraph = typeof import('oxigraph');

/**
 * Oxigraph's store in a SPARQL thread, with the data of one commit.
 *
 * Each visible graph is a named graph of it; the system graph is not there. The server's LDP graph
 * can't be named, so its triples are in the store's default graph: a union of all graphs has them,
 * and `GRAPH ?g` does not, without a list of all other graphs. What queries see as their default
 * graph, unless they or their request name others, is the merge of all of them, each triple once.
 */
export interface SparqlInstance {
  readonly oxigraph: Oxigraph;
  readonly store: Store;
  /** The same data as they are stored: here all literals are spelled as they were written. */
  readonly reader: StoredData;
  /** Number of the commit. */
  readonly sequence: number;
  /**
   * True: some triple is in several graphs, and the store's default graph holds the merge of all of
   * them.
   */
  readonly isMerged: boolean;
  /**
   * The literals of the data that Oxigraph writes as this one, in canonical N-Triples form:
   * `"01"^^xsd:integer` among others for `"1"^^xsd:integer`. Oxigraph keeps the values of numbers,
   * dates and the like, not how they were written. Only those that are written otherwise; empty for
   * most terms.
   */
  spellings(term: string): readonly string[];
}
