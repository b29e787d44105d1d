/** Answers on their way to the output. */
export interface Answers {
  /** Start resources in all. */
  readonly total: number;
  readonly chunks: AsyncIterable<AnswerChunk>;
}

export interface AnswerChunk {
  /** Whole lines of JSON (http-api 4.8). */
  readonly bytes: Uint8Array;
  /** Starts that they answer, and how many of those are errors. */
  readonly count: number;
  readonly errors: number;
}
