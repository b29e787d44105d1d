import type { QuadBlock } from '../rdf/model/quad-block.ts';
import type { SeenGraph } from '../store/main/transaction.ts';
import type { QueryFacts } from './language/query-facts.ts';

/**
 * Graphs that a request names beside its text (`default-graph-uri`, `named-graph-uri`, `using-
 * graph-uri`, `using-named-graph-uri`). They take the place of FROM, FROM NAMED, USING and USING
 * NAMED.
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
  /**
   * Undefined when the request names no graph: then the text decides, else all graphs are meant.
   */
  readonly dataset: SparqlDataset | undefined;
  /**
   * Canonical media type of the answer: of a results format for SELECT and ASK, of an RDF format
   * for CONSTRUCT and DESCRIBE.
   */
  readonly mediaType: string;
  /** Of the text, where they were found out already. */
  readonly facts?: QueryFacts | undefined;
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

/** What updates do where their text leaves it open, and how much they may do. */
export interface UpdateSettings {
  /**
   * Which graphs are the default graph where neither text nor request names any: all that clients
   * see, or the graph `defaultGraph` alone.
   */
  readonly defaultGraphIs: 'union' | 'default';
  /**
   * Name of the graph that takes triples for which no graph is named, and is what `DEFAULT` means.
   * It always exists.
   */
  readonly defaultGraph: string;
  /** Of the LDP space, which updates do not change. Without a slash at its end. */
  readonly ldpSpace: string;
  /** Quads that an update may add and remove, those of graphs that go as a whole not counted. */
  readonly maxChanges: number;
}

/** An update that waits for a thread. */
export interface WaitingUpdate {
  readonly text: string;
  /**
   * What the thread is handed. Must be called in the turn of the event loop in which the newest
   * snapshot is taken for it, since the graphs that are listed are those of that snapshot.
   */
  requestNow(): UpdateRequest;
}

/** An update on its way to a thread that works it out. */
export interface UpdateRequest extends SparqlUpdate {
  readonly settings: UpdateSettings;
  /** Graphs that exist and hold nothing, which a snapshot does not show. */
  readonly emptyGraphs: readonly string[];
}

/**
 * What an update comes to on the data of one commit: what is to be done, in the order of the
 * members.
 */
export interface SparqlEffects {
  /** Number of that commit. */
  readonly sequence: number;
  /** Graphs that lose all their triples. */
  readonly cleared: readonly string[];
  /** Quads that go. All of these and of `additions` name their graphs. */
  readonly removals: QuadBlock;
  /** Blank nodes are the store's own, or have labels that no node of the store has. */
  readonly additions: QuadBlock;
  /** Graphs that exist afterwards, though they may be empty. */
  readonly created: readonly string[];
  /** Graphs that do not exist afterwards; they are among the cleared ones. */
  readonly dropped: readonly string[];
  /** The graphs that change, or may. */
  readonly changed: readonly string[];
  /**
   * The graphs that must be as they were at that commit for this to be right: those that change
   * depending on what was read, and those that the update names to be read.
   */
  readonly unchanged: readonly SeenGraph[];
}
