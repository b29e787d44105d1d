import type { Caller } from '../../../base/caller.ts';
import type { Result } from '../../../errors.ts';
import type { SparqlQuery, SparqlResult, SparqlUpdate } from '../../../sparql/request.ts';

/** The query service, as handlers see it. */
export interface SparqlQueries {
  /** Number of the newest commit. */
  readonly sequence: number;
  /** Returns the `<state>` of entity tags of results from a commit. */
  state(sequence: number): string;
  query(query: SparqlQuery, caller: Caller): Promise<Result<SparqlResult>>;
}

/** The update service, as handlers see it. */
export interface SparqlUpdates {
  update(update: SparqlUpdate, caller: Caller): Promise<Result<UpdateOutcome>>;
}

export interface UpdateOutcome {
  /** Number of the commit. */
  readonly sequence: number;
  /** Number of triples. */
  readonly added: number;
  readonly removed: number;
}

export interface SparqlServices {
  readonly queries: SparqlQueries;
  readonly updates: SparqlUpdates;
}

export interface SparqlOptions {
  /** Base URI of the server, without a trailing slash. */
  readonly base: string;
  /** The default graph of a query that does not name one. */
  readonly defaultGraph: 'union' | 'default';
  /** Letters and digits that differ at each start; part of entity tags. */
  readonly run: string;
  /** Maximum bytes of the text of a query. */
  readonly maxQuery: number;
  /** Maximum bytes of the text of an update. */
  readonly maxUpdate: number;
}
