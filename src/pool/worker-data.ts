/** What every pool thread is given at its start. */
export interface WorkerData {
  /** `TaskBoard.buffer`. */
  readonly board: SharedArrayBuffer;
  /** Namespaces by prefix that every evaluation knows (http-api 4.9). */
  readonly prefixes: Readonly<Record<string, string>>;
  /** Milliseconds: the cooperative deadlines. */
  readonly evaluationMs: number;
  readonly parseMs: number;
}
