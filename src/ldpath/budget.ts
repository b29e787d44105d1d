/** What one evaluation may use (ldpath 8.4). */
export interface Budget {
  /** Look-ups, candidates tested and function calls. */
  readonly steps: number;
  /** Terms held at one time in the lists of the evaluation. */
  readonly terms: number;
  /** Bytes of the JSON result. */
  readonly resultBytes: number;
  /** UTF-16 units in one text that a function makes. */
  readonly textLength: number;
  /** The same, summed over the evaluation. */
  readonly totalTextLength: number;
  /** Wall clock. */
  readonly milliseconds: number;
}

export const defaultBudget: Budget = {
  steps: 10_000_000,
  terms: 1_000_000,
  resultBytes: 64 * 1024 * 1024,
  textLength: 1024 * 1024,
  totalTextLength: 16 * 1024 * 1024,
  milliseconds: 30_000,
};
