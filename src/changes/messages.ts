import type { ClusterSettings } from '../cluster/settings.ts';
import type { ErrorData } from '../errors.ts';
import type { DescriptorUpdate } from '../snapshot/feed/descriptor-link.ts';

/** Messages between the main thread and the changes thread. */
export interface ChangesSettings {
  /** The ring with the newest commits. */
  readonly feed: SharedArrayBuffer;
  /** The data directory with older ones; null if there are none. */
  readonly directory: string | null;
  /** The log of a cluster with older ones. */
  readonly log?: LogPlace | undefined;
}

/** Where the log of a cluster is, and the name of its identity. */
export interface LogPlace {
  readonly cluster: ClusterSettings;
  readonly identity: string;
}

/** A place in the history: between two commits, or between two parts of one. */
export interface Place {
  /** Number of the last commit before it. */
  readonly since: number;
  /** How many parts of the next commit are before it. Default 0. */
  readonly part?: number;
}

/** Asks for the changes after a place. */
export interface PageRequest extends Place {
  /** Whether events have the changed rows. */
  readonly rows: boolean;
  /** With `rows`: only those of this graph. */
  readonly graph?: string | undefined;
  readonly subjects?: WatchedSubjects | undefined;
}

/** What changes are counted of, beside graphs. */
export interface WatchedSubjects {
  /** Another one for other subjects. */
  readonly version: number;
  /** Subjects, in canonical form. */
  readonly terms: readonly string[];
  /** URIs of resources of the LDP space. */
  readonly resources: readonly string[];
}

/** How many rows were added to a graph, subject or resource, and how many were removed from it. */
export interface ChangeCount {
  readonly name: string;
  readonly added: number;
  readonly removed: number;
}

/** A commit, or a part of one. */
export interface ChangeEvent {
  readonly commit: number;
  /** Milliseconds since 1970. */
  readonly time: number;
  /** In the order of their names. Not with a part that others follow. */
  readonly graphs?: readonly ChangeCount[];
  /** The subjects that were asked for, as far as the commit changes them. */
  readonly subjects?: readonly ChangeCount[];
  /** The same for resources of the LDP space. */
  readonly resources?: readonly ChangeCount[];
  /** Only if the rows were asked for. */
  readonly rows?: PartOfRows;
}

/** Rows in their order within the commit. */
export interface PartOfRows {
  /**
   * RDF Patch, a line for each row: a string of JSON in UTF-8, with its quotes, so that the main
   * thread only has to copy it.
   */
  readonly json: Uint8Array;
  /** Counts from 1. */
  readonly part: number;
  readonly isLast: boolean;
}

export interface Page {
  readonly events: readonly ChangeEvent[];
  /** Where the next page begins. */
  readonly end: Required<Place>;
  /** Whether it is the newest commit. */
  readonly isNewest: boolean;
}

/** Asks for all rows of the commits after `from`, up to `to`. */
export interface RowsRequest {
  readonly from: number;
  readonly to: number;
  readonly maxQuads: number;
}

/**
 * What successive commits change together, without the server's own graphs: the first and the last
 * change of each quad, unless the commits have added and removed it again. The arrays are in shared
 * memory.
 */
export interface ChangedRows {
  /** The distinct terms in canonical form: term `i` is `bytes[offsets[i] .. offsets[i + 1])`. */
  readonly bytes: Uint8Array;
  readonly offsets: Uint32Array;
  /** Four terms a row: subject, predicate, object, and graph with `REMOVED` if it was removed. */
  readonly rows: Uint32Array;
}

/** Asks how a graph was after a commit. */
export interface GraphRequest {
  readonly graph: string;
  readonly commit: number;
  /** No later commit has changed the graph. */
  readonly until: number;
  /** The most quads of the graph that may differ. */
  readonly maxQuads: number;
}

/** How a graph was after a commit, by what later commits have changed. */
export interface EarlierGraph {
  /** When that commit was made, in milliseconds since 1970; null if it is not kept itself. */
  readonly time: number | null;
  /** The changes of the graph, from that commit on. */
  readonly rows: ChangedRows;
  /** Whether the graph existed; null if no later commit tells. */
  readonly existed: boolean | null;
  /** The text of its `DeclaredPrefixes` if a later commit has changed them, otherwise null. */
  readonly prefixes: string | null;
}

/** A commit, and when it was made, in milliseconds since 1970. */
export interface DatedCommit {
  readonly sequence: number;
  readonly time: number;
}

export interface ToChanges {
  readonly id: number;
  /** The newest snapshot: later commits are not read. */
  readonly snapshot: DescriptorUpdate;
  readonly request:
    | ({ readonly kind: 'page' } & PageRequest)
    | ({ readonly kind: 'rows' } & RowsRequest)
    | ({ readonly kind: 'graph' } & GraphRequest)
    | { readonly kind: 'last-until'; readonly time: number }
    | { readonly kind: 'oldest' };
}

export type ChangesValue = Page | ChangedRows | EarlierGraph | DatedCommit | 'too-many' | number | null;

export type FromChanges =
  | { readonly id: number; readonly value: ChangesValue }
  | { readonly id: number; readonly error: ErrorData };
