import type { Caller } from '../../base/caller.ts';
import { visiblePatterns } from '../../base/graph-access.ts';
import type { Result } from '../../errors.ts';
import type { SparqlPool } from '../../sparql/main/pool.ts';
import type { SparqlQuery, SparqlResult } from '../../sparql/request.ts';
import type { StoreClient } from '../../store/main/client.ts';

/** SPARQL queries. Each one runs on a commit that includes all writes acknowledged before it. */
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

  query(query: SparqlQuery, caller: Caller): Promise<Result<SparqlResult>> {
    const visible = visiblePatterns(caller);
    return this.#pool.query(visible ? { ...query, visible } : query, caller);
  }

  /** Returns the `<state>` of entity tags for a commit. */
  state(sequence: number): string {
    return this.#store.state(sequence);
  }
}
