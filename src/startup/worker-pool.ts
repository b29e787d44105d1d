import type { Config } from '../config.ts';
import type { PoolOptions } from '../pool/pool.ts';
import type { StoreClient } from '../store/main/client.ts';
import { prefixTable } from './prefix-file.ts';

/** Returns the options of a pool over the newest snapshot of a store, according to the settings. */
export function poolOptions(
  config: Config,
  store: Pick<StoreClient, 'snapshot'>,
  base: string,
  parts: Pick<PoolOptions, 'contexts' | 'onInternalError' | 'onKill'>,
): PoolOptions {
  return {
    threads: config.threads,
    snapshot: () => store.snapshot,
    prefixes: prefixTable(base, config.prefix),
    documentPrefixes: Object.fromEntries(config.prefix),
    ...parts,
    settings: {
      depths: {
        ldpath: config.ldpathQueue,
        parse: config.heavyQueue,
        serialize: config.heavyQueue,
        maintenance: config.heavyQueue,
      },
      evaluationMs: config.evaluationTime * 1000,
      evaluationSteps: config.evaluationSteps,
      evaluationTerms: config.evaluationTerms,
      resultBytes: config.maxResult,
      batches: config.heavyQueue,
      parseMs: config.parseTime * 1000,
      documentBytes: config.maxRdfBody,
      bufferedBytes: config.maxAnswersHeld,
      heapMegabytes: Math.ceil(config.threadHeap / 2 ** 20),
    },
  };
}
