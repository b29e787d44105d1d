/** How a format writes a table of terms in canonical N-Triples form. */
export interface ResultsWriter {
  /** What stands before the first row. */
  head(variables: readonly string[]): string;
  /**
   * One row. `cells` belong to the variables of the head; empty for what is unbound.
   */
  row(cells: readonly string[], isFirst: boolean): string;
  /** What stands behind the last row. */
  readonly tail: string;
}
