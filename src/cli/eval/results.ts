/** A stream of results for the output. */
export interface BatchResults {
  /** Total number of start resources; null if it is unknown. */
  readonly total: number | null;
  readonly chunks: AsyncIterable<ResultChunk>;
}

export interface ResultChunk {
  /** Whole lines of JSON (http-api 4.8), or a part of the documents of another format. */
  readonly bytes: Uint8Array;
  /**
   * Number of start resources whose results are in these bytes, or left out, and how many of them
   * have errors.
   */
  readonly count: number;
  readonly errors: number;
}
