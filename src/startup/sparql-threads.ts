import type { Config } from '../config.ts';
import type { SparqlServices } from '../http/routes/sparql/services.ts';
import { LDP_GRAPH } from '../ldp/registry.ts';
import type { Pool } from '../pool/pool.ts';
import { SparqlQueries } from '../services/sparql/queries.ts';
import { SparqlUpdates } from '../services/sparql/updates.ts';
import type { ImportTasks } from '../services/tasks/import-tasks.ts';
import { SparqlPool, type SparqlPoolOptions } from '../sparql/main/pool.ts';
import type { StoreClient } from '../store/main/client.ts';

/** Time limit, in milliseconds, of a query on the thread for quick ones. */
const QUICK_MS = 150;
/**
 * Time limit, in milliseconds, of a thread for each megabyte of data. A thread usually needs a few
 * milliseconds for a megabyte, and seconds to copy all of its memory.
 */
const STALL_MS = 30_000;
/** Maximum number of quads that one update may add and remove. */
const MAX_CHANGES = 4_000_000;

export interface Sparql {
  readonly pool: SparqlPool;
  readonly services: SparqlServices;
}

export interface SparqlParts {
  readonly store: StoreClient;
  readonly pool: Pool;
  readonly storing: ImportTasks;
  readonly base: string;
}

/** Creates the SPARQL services according to the settings, over the newest snapshot of a store. */
export function createSparqlFor(
  config: Config,
  { store, pool, storing, base }: SparqlParts,
  reports: Pick<SparqlPoolOptions, 'onFault' | 'onKill'>,
): Sparql {
  const { sparqlDefaultGraph: defaultGraphIs } = config;
  const defaultGraph = `${base}/context/default`;
  const engine = new SparqlPool({
    snapshot: () => store.snapshot,
    changeFeed: store.changeFeed,
    ...reports,
    settings: {
      threads: config.sparqlThreads,
      timeMs: config.sparqlTime * 1000,
      waitMs: config.sparqlTime * 1000,
      quickMs: QUICK_MS,
      stallMs: STALL_MS,
      idleMs: config.sparqlIdle * 1000,
      queue: config.sparqlQueue,
      maxBytes: config.sparqlMax,
      resultBytes: config.sparqlResult,
      defaultGraphIs,
      defaultGraph,
      unnamedGraph: LDP_GRAPH,
      heapMegabytes: Math.ceil(config.threadHeap / 2 ** 20),
    },
  });
  const settings = { defaultGraphIs, defaultGraph, ldpSpace: `${base}/ldp`, maxChanges: MAX_CHANGES };
  const queries = new SparqlQueries(engine, store);
  const updates = new SparqlUpdates({ pool, engine, store, storing, settings });
  return { pool: engine, services: { queries, updates } };
}
