/** A token of a SPARQL text. `word`: a keyword or the name of a function. */
export interface SparqlToken {
  readonly kind: 'iri' | 'name' | 'variable' | 'label' | 'string' | 'number' | 'language' | 'word' | 'symbol';
  readonly text: string;
  /** Offset in the source. */
  readonly start: number;
}
