import type { Config } from '../config.ts';
import { LDP_GRAPH } from '../snapshot/graphs/system-graph.ts';
import { SparqlPool, type SparqlPoolOptions } from '../sparql/main/pool.ts';
import type { StoreClient } from '../store/main/client.ts';

/** Time limit, in milliseconds, of a query on the thread for quick ones. */
const QUICK_MS = 150;
/**
 * Time limit, in milliseconds, of a thread for each megabyte of data. A thread usually needs a few
 * milliseconds for a megabyte, and seconds to copy all of its memory.
 */
const STALL_MS = 30_000;

/**
 * Creates the pool of SPARQL threads according to the settings, over the newest snapshot of a
 * store. Its threads start with the first query.
 */
export function createSparqlPool(
  config: Config,
  store: Pick<StoreClient, 'snapshot' | 'changeFeed'>,
  base: string,
  reports: Pick<SparqlPoolOptions, 'onInternalError' | 'onKill'>,
): SparqlPool {
  return new SparqlPool({
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
      defaultGraphIs: config.sparqlDefaultGraph,
      defaultGraph: `${base}/context/default`,
      unnamedGraph: LDP_GRAPH,
      heapMegabytes: Math.ceil(config.threadHeap / 2 ** 20),
    },
  });
}
