import type { QuadBlock } from '../rdf/model/quad-block.ts';
import type { IriPatterns } from '../rdf/model/resources/iri-patterns.ts';
import type { SeenGraph } from '../store/main/transaction.ts';
import type { QueryFacts } from './language/query-facts.ts';

/**
 * The graphs that the parameters of a request name (`default-graph-uri`, `named-graph-uri`,
 * `using-graph-uri`, `using-named-graph-uri`). They override FROM, FROM NAMED, USING and USING
 * NAMED.
 */
export interface SparqlDataset {
  /** Absolute IRIs. */
  readonly defaultGraphs: readonly string[];
  /** Absolute IRIs. */
  readonly namedGraphs: readonly string[];
}

/** The prefixes with which documents are written, besides the common ones. */
export interface DocumentPrefixes {
  /** Equal keys have equal pairs. */
  readonly key: string;
  readonly pairs: readonly (readonly [prefix: string, namespace: string])[];
}

/** A query as the client sent it. */
export interface SparqlQuery {
  readonly text: string;
  /** An absolute IRI: the base of relative IRIs in the text. */
  readonly baseIri: string;
  /**
   * Undefined if the request names no graph. Then the graphs are those of the text, or else all
   * graphs.
   */
  readonly dataset: SparqlDataset | undefined;
  /**
   * Canonical media type of the result: of a results format for SELECT and ASK, of an RDF format
   * for CONSTRUCT and DESCRIBE.
   */
  readonly mediaType: string;
  /** The server's prefixes, for a document that is written with them. */
  readonly prefixes?: DocumentPrefixes | undefined;
  /** The facts of the text, if they are already known. */
  readonly facts?: QueryFacts | undefined;
  /** The graphs that exist for the client; undefined for all. */
  readonly visible?: IriPatterns | undefined;
}

export interface SparqlResult {
  /** Number of the commit that the query was evaluated on. */
  readonly sequence: number;
  /** The whole document, in the requested media type. */
  readonly body: Uint8Array;
}

/** An update as the client sent it: one or more operations, executed as one transaction. */
export interface SparqlUpdate {
  readonly text: string;
  /** An absolute IRI. */
  readonly baseIri: string;
  /** Undefined if the request names no graph. */
  readonly dataset: SparqlDataset | undefined;
  /** The graphs that exist for the client; undefined for all. */
  readonly visible?: IriPatterns | undefined;
}

/** The defaults and limits of updates. */
export interface UpdateSettings {
  /**
   * The default graph if neither the text nor the request names one: the union of all graphs that
   * clients see, or the graph `defaultGraph` alone.
   */
  readonly defaultGraphIs: 'union' | 'default';
  /** Name of the graph for triples without a graph, which `DEFAULT` means. It always exists. */
  readonly defaultGraph: string;
  /** URI of the LDP space, which updates do not change, without a trailing slash. */
  readonly ldpSpace: string;
  /**
   * The most quads that an update may add and remove, not counting those of graphs removed as a
   * whole.
   */
  readonly maxChanges: number;
}

/** An update that waits for a thread. */
export interface WaitingUpdate {
  readonly text: string;
  /** The graphs that exist for the client; undefined for all. */
  readonly visible?: IriPatterns | undefined;
  /**
   * Returns the request for a thread. Must be called in the same event loop turn as the newest
   * snapshot is read, because the listed graphs belong to that snapshot.
   */
  requestNow(): UpdateRequest;
}

/** An update that is sent to a thread for evaluation. */
export interface UpdateRequest extends SparqlUpdate {
  readonly settings: UpdateSettings;
  /** Existing graphs without triples, which a snapshot does not contain. */
  readonly emptyGraphs: readonly string[];
}

/**
 * The effects of an update on the data of one commit. They are applied in the order of the members.
 */
export interface SparqlEffects {
  /** Number of that commit. */
  readonly sequence: number;
  /** Graphs that lose all their triples. */
  readonly cleared: readonly string[];
  /** Removed quads. All quads here and in `additions` name their graphs. */
  readonly removals: QuadBlock;
  /**
   * Added quads. Their blank nodes exist in the store, or have labels that the store does not use.
   */
  readonly additions: QuadBlock;
  /** Graphs that exist afterwards, even if they are empty. */
  readonly created: readonly string[];
  /** Graphs that do not exist afterwards; `cleared` includes them. */
  readonly dropped: readonly string[];
  /** The graphs that change or may change. */
  readonly changed: readonly string[];
  /**
   * The graphs that must be unchanged since that commit for the effects to be correct: those whose
   * changes depend on data that were read, and those that the update names in order to read them.
   */
  readonly unchanged: readonly SeenGraph[];
}
