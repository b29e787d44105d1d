import type { Caller } from '../../base/caller.ts';
import type { Result } from '../../errors.ts';
import type { SparqlPool } from '../../sparql/main/pool.ts';
import type { SparqlAnswer, SparqlQuery } from '../../sparql/request.ts';
import type { StoreClient } from '../../store/main/client.ts';

/** SPARQL queries, each on one commit that has all that was acknowledged before it was asked. */
export class SparqlQueries {
  readonly #pool: Pick<SparqlPool, 'query'>;
  readonly #store: Pick<StoreClient, 'snapshot' | 'state'>;

  constructor(pool: Pick<SparqlPool, 'query'>, store: Pick<StoreClient, 'snapshot' | 'state'>) {
    this.#pool = pool;
    this.#store = store;
  }

  /** Number of the newest commit. */
  get sequence(): number {
    return this.#store.snapshot.sequence;
  }

  query(query: SparqlQuery, caller: Caller): Promise<Result<SparqlAnswer>> {
    return this.#pool.query(query, caller);
  }

  /** What entity tags say of a commit. */
  state(sequence: number): string {
    return this.#store.state(sequence);
  }
}
