export type QueueName = 'ldpath' | 'parse' | 'serialize' | 'maintenance';

export interface PoolSettings {
  /** The most jobs that may wait (http-api 1.11). */
  readonly depths: Readonly<Record<QueueName, number>>;
  /** Share of thread time for each queue while others wait too. */
  readonly weights: Readonly<Record<QueueName, number>>;
  /** Time limit of one evaluation, in milliseconds. */
  readonly evaluationMs: number;
  /** Further limits of one evaluation: see `Budget` of the language. */
  readonly evaluationSteps: number;
  readonly evaluationTerms: number;
  readonly resultBytes: number;
  /** The most batches that may be in progress at one time. */
  readonly batches: number;
  /** Time limit for parsing one document, in milliseconds. */
  readonly parseMs: number;
  /** Time limit of a serialisation for one chunk, in milliseconds. */
  readonly serializeMs: number;
  readonly maintenanceMs: number;
  /**
   * How long a thread may continue past its deadline, or after it was cancelled, before it is
   * terminated, in milliseconds.
   */
  readonly graceMs: number;
  /**
   * How long a client's programs wait after one of them terminated a thread, in milliseconds;
   * longer if it happens again.
   */
  readonly penaltyMs: number;
  /**
   * The most bytes of documents that are buffered for slow clients, and as many of the lines of
   * batches.
   */
  readonly bufferedBytes: number;
  /** How long a streamed serialisation waits for a client that takes nothing, in milliseconds. */
  readonly stallMs: number;
  /** The most bytes in the decoded body of an RDF document. */
  readonly documentBytes: number;
  /**
   * Heap of one thread (V8's old generation), in MiB. Typed arrays and WebAssembly memory do not
   * count.
   */
  readonly heapMegabytes: number;
}

export const defaultPoolSettings: PoolSettings = {
  depths: { ldpath: 4096, parse: 256, serialize: 256, maintenance: 256 },
  weights: { ldpath: 8, parse: 2, serialize: 2, maintenance: 1 },
  evaluationMs: 30_000,
  evaluationSteps: 10_000_000,
  evaluationTerms: 1_000_000,
  resultBytes: 64 * 1024 * 1024,
  batches: 256,
  parseMs: 300_000,
  serializeMs: 60_000,
  maintenanceMs: 600_000,
  graceMs: 1_000,
  penaltyMs: 100,
  bufferedBytes: 256 * 1024 * 1024,
  stallMs: 30_000,
  documentBytes: 64 * 1024 * 1024,
  heapMegabytes: 512,
};
