import type { Caller } from '../../base/caller.ts';
import { visiblePatterns } from '../../base/graph-access.ts';
import type { Result } from '../../errors.ts';
import type { SparqlPool } from '../../sparql/main/pool.ts';
import type { SparqlQuery, SparqlResult } from '../../sparql/request.ts';
import type { StoreClient } from '../../store/main/client.ts';
import type { PrefixService } from '../prefixes/service.ts';
import { withServerPrefixes } from './server-prefixes.ts';

/** SPARQL queries. Each one runs on a commit that includes all writes acknowledged before it. */
export class SparqlQueries {
  readonly #pool: Pick<SparqlPool, 'query'>;
  readonly #store: Pick<StoreClient, 'snapshot' | 'state'>;
  readonly #prefixes: Pick<PrefixService, 'table' | 'documentPrefixes'>;

  constructor(
    pool: Pick<SparqlPool, 'query'>,
    store: Pick<StoreClient, 'snapshot' | 'state'>,
    prefixes: Pick<PrefixService, 'table' | 'documentPrefixes'>,
  ) {
    this.#pool = pool;
    this.#store = store;
    this.#prefixes = prefixes;
  }

  /** Number of the newest commit. */
  get sequence(): number {
    return this.#store.snapshot.sequence;
  }

  query(query: SparqlQuery, caller: Caller): Promise<Result<SparqlResult>> {
    const prefixes = this.#prefixes.documentPrefixes(query.mediaType);
    const visible = visiblePatterns(caller);
    const asked = visible ? { ...query, prefixes, visible } : { ...query, prefixes };
    const ask = (text: string) => this.#pool.query({ ...asked, text }, caller);
    return withServerPrefixes(query.text, this.#prefixes, ask);
  }

  /** Returns the `<state>` of entity tags for a commit. */
  state(sequence: number): string {
    return this.#store.state(sequence);
  }
}
