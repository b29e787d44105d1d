import type { EngineSettings } from '../engine/settings.ts';

export interface SparqlSettings extends EngineSettings {
  /** Threads, each with an instance; 0 for no SPARQL. */
  readonly threads: number;
  /** Milliseconds for one query. */
  readonly timeMs: number;
  /** Milliseconds that a query may take on the instance for quick ones. */
  readonly quickMs: number;
  /** Milliseconds that a query may wait for a thread to take in the data. */
  readonly waitMs: number;
  /**
   * Milliseconds without progress, of a thread that takes in data, after which it hangs. See
   * `Stopwatch`.
   */
  readonly stallMs: number;
  /** Milliseconds until an idle instance is released. */
  readonly idleMs: number;
  /** Queries that may wait, of those that are quick and of those that are not. */
  readonly queue: number;
  /** Heap of one thread, in MiB. */
  readonly heapMegabytes: number;
}
