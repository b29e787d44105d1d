import type { QuadBlock } from '../graph/quad-block.ts';

/**
 * Graphs that a request names beside its text (`default-graph-uri`, `named-graph-uri`, `using-graph-uri`,
 * `using-named-graph-uri`). They take the place of FROM, FROM NAMED, USING and USING NAMED.
 */
export interface SparqlDataset {
  /** Absolute IRIs. */
  readonly defaultGraphs: readonly string[];
  /** Absolute IRIs. */
  readonly namedGraphs: readonly string[];
}

/** A query as a client asked it. */
export interface SparqlQuery {
  readonly text: string;
  /** Absolute; relative IRIs of the text are resolved against it. */
  readonly baseIri: string;
  /** Undefined when the request names no graph: then the text decides, else all graphs are meant. */
  readonly dataset: SparqlDataset | undefined;
  /**
   * Canonical media type of the answer: of a results format for SELECT and ASK, of an RDF format for
   * CONSTRUCT and DESCRIBE.
   */
  readonly mediaType: string;
}

export interface SparqlAnswer {
  /** Number of the commit that the query was evaluated on. */
  readonly sequence: number;
  /** The whole document, in the media type that was asked for. */
  readonly body: Uint8Array;
}

/** An update as a client sent it: one operation or several, which are done as one transaction. */
export interface SparqlUpdate {
  readonly text: string;
  /** Absolute. */
  readonly baseIri: string;
  /** Undefined when the request names no graph. */
  readonly dataset: SparqlDataset | undefined;
}

/** What an update comes to on the data of one commit. */
export interface SparqlEffects {
  /** Number of that commit. */
  readonly sequence: number;
  /** In order; each graph at most once. */
  readonly graphs: readonly GraphEffects[];
  /**
   * Graphs that the update names to be read, and does not change. They and the changed ones must be
   * as they were when it is committed.
   */
  readonly read: readonly string[];
}

/** What an update does to one graph: removals first, then additions, both exact and without overlap. */
export interface GraphEffects {
  readonly graph: string;
  /** Blank nodes are the store's own, or have labels that no node of the store has. */
  readonly additions: QuadBlock;
  readonly removals: QuadBlock;
  /** Whether the graph exists afterwards, be it empty. */
  readonly exists: boolean;
}
