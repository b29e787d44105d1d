/** The limits of one evaluation (ldpath 8.4). */
export interface Budget {
  /** Look-ups, tested candidates and function calls. */
  readonly steps: number;
  /** Terms in the lists of the evaluation at one time. */
  readonly terms: number;
  /** Bytes of the JSON result. */
  readonly resultBytes: number;
  /** UTF-16 units in one text that a function creates. */
  readonly textLength: number;
  /** The same, summed over the whole evaluation. */
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
