import type { Config } from './config.ts';
import { failure } from './errors.ts';
import type { SparqlServices } from './http/handlers/sparql/services.ts';
import { SparqlQueries } from './services/sparql/queries.ts';
import { SparqlPool, type SparqlPoolOptions } from './sparql/main/pool.ts';
import type { StoreClient } from './store/client.ts';
import { LDP_GRAPH } from './store/ldp-books.ts';

/** Milliseconds that a query may take on the thread for quick ones. */
const QUICK_MS = 150;

export interface Sparql {
  readonly pool: SparqlPool;
  readonly services: SparqlServices;
}

/** SPARQL as the settings say, over the newest snapshot of a store. */
export function createSparqlFor(
  config: Config,
  store: StoreClient,
  defaultGraph: string,
  reports: Pick<SparqlPoolOptions, 'onFault' | 'onKill'>,
): Sparql {
  const pool = new SparqlPool({
    snapshot: () => store.snapshot,
    changeFeed: store.changeFeed,
    ...reports,
    settings: {
      threads: config.sparqlThreads,
      timeMs: config.sparqlTime * 1000,
      quickMs: QUICK_MS,
      idleMs: config.sparqlIdle * 1000,
      queue: config.sparqlQueue,
      maxBytes: config.sparqlMax,
      resultBytes: config.sparqlResult,
      defaultGraphIs: config.sparqlDefaultGraph,
      defaultGraph,
      unnamedGraph: LDP_GRAPH,
      heapMegabytes: Math.ceil(config.threadHeap / 2 ** 20),
    },
  });
  const updates = {
    update: async () => failure('unsupported-sparql', 'Updates are not supported yet.'),
  };
  return { pool, services: { queries: new SparqlQueries(pool, store), updates } };
}
