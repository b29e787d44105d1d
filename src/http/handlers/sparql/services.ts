import type { Caller } from '../../../caller.ts';
import type { Result } from '../../../errors.ts';
import type { SparqlAnswer, SparqlQuery, SparqlUpdate } from '../../../sparql/request.ts';

/** What answers queries, as handlers see it. */
export interface SparqlQueries {
  /** Number of the newest commit. */
  readonly sequence: number;
  /** The `<state>` of entity tags of answers from a commit. */
  state(sequence: number): string;
  query(query: SparqlQuery, caller: Caller): Promise<Result<SparqlAnswer>>;
}

/** What carries out updates, as handlers see it. */
export interface SparqlUpdates {
  update(update: SparqlUpdate, caller: Caller): Promise<Result<UpdateOutcome>>;
}

export interface UpdateOutcome {
  /** Number of the commit. */
  readonly sequence: number;
  /** Triples. */
  readonly added: number;
  readonly removed: number;
}

export interface SparqlServices {
  readonly queries: SparqlQueries;
  readonly updates: SparqlUpdates;
}

export interface SparqlOptions {
  /** Base URI of the server, without trailing slash. */
  readonly base: string;
  /** What a query sees as its default graph when nothing names one. */
  readonly defaultGraph: 'union' | 'default';
  /** Bytes that the text of a query may have. */
  readonly maxQuery: number;
  /** Bytes that the text of an update may have. */
  readonly maxUpdate: number;
}
