/** A stream of results for the output. */
export interface BatchResults {
  /** Total number of start resources; null if it is unknown. */
  readonly total: number | null;
  readonly chunks: AsyncIterable<ResultChunk>;
}

export interface ResultChunk {
  /** Whole lines of JSON (http-api 4.8). */
  readonly bytes: Uint8Array;
  /**
   * Number of start resources with results in these lines, or left out by `@filter`, and how many
   * of the results are errors.
   */
  readonly count: number;
  readonly errors: number;
}
