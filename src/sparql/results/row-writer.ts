/** Writes a table of terms in canonical N-Triples form in a format. */
export interface ResultsWriter {
  /** Returns the text before the first row. */
  head(variables: readonly string[]): string;
  /** Returns one row. `cells`: in the order of the head's variables; empty if unbound. */
  row(cells: readonly string[], isFirst: boolean): string;
  /** The text after the last row. */
  readonly tail: string;
}
