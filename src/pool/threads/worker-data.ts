import type { Budget } from '../../ldpath/evaluate/budget.ts';

/** The data that every pool thread receives at its start. */
export interface WorkerData {
  /** `TaskBoard.buffer`. */
  readonly board: SharedArrayBuffer;
  /** `ThreadBoard.buffer`. */
  readonly threads: SharedArrayBuffer;
  /** Namespaces by prefix that every evaluation knows (http-api 4.9). */
  readonly prefixes: Readonly<Record<string, string>>;
  /** Those of them with which documents are written, too: the ones of the settings. */
  readonly documentPrefixes: Readonly<Record<string, string>>;
  /** The `@context` of documents that JSON-LD may name, as JSON, by their IRIs (http-api G-45). */
  readonly contexts: Readonly<Record<string, string>>;
  /** The limits of one evaluation; its time is the cooperative deadline. */
  readonly budget: Pick<Budget, 'steps' | 'terms' | 'resultBytes' | 'milliseconds'>;
  /** Milliseconds: the cooperative deadline of parsing. */
  readonly parseMs: number;
  /** Maximum size of a thread's JavaScript heap, in MiB. */
  readonly heapMegabytes: number;
}
