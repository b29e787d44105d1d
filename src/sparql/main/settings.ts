import type { EngineSettings } from '../engine/settings.ts';

export interface SparqlSettings extends EngineSettings {
  /** Number of threads, each with an instance; 0 switches SPARQL off. */
  readonly threads: number;
  /** Time limit of a query in milliseconds. */
  readonly timeMs: number;
  /** Time limit of a query on the thread for quick queries, in milliseconds. */
  readonly quickMs: number;
  /** Milliseconds that a query may wait for a thread to load the data. */
  readonly waitMs: number;
  /**
   * Milliseconds without progress after which a thread that loads data counts as hung. See
   * `Stopwatch`.
   */
  readonly stallMs: number;
  /** Milliseconds until an idle instance is released. */
  readonly idleMs: number;
  /** Maximum length of each of the two queues. */
  readonly queue: number;
  /** Heap size of one thread, in MiB. */
  readonly heapMegabytes: number;
}
