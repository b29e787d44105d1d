/** A format for the results of SELECT and ASK. */
export interface ResultsFormat {
  /** Also its value in the parameters `format` and `output`. */
  readonly shortName: 'json' | 'xml' | 'csv' | 'tsv';
  /** Canonical media type. */
  readonly mediaType: string;
  /** Other media types that clients may request it by. */
  readonly aliases: readonly string[];
  /** The W3C's IRI of the format. */
  readonly iri: string;
}

const W3C_FORMATS = 'http://www.w3.org/ns/formats/';

/** In order of preference: the first one wins a tie. */
export const resultsFormats: readonly ResultsFormat[] = [
  {
    shortName: 'json',
    mediaType: 'application/sparql-results+json',
    aliases: ['application/json'],
    iri: `${W3C_FORMATS}SPARQL_Results_JSON`,
  },
  {
    shortName: 'xml',
    mediaType: 'application/sparql-results+xml',
    aliases: ['application/xml', 'text/xml'],
    iri: `${W3C_FORMATS}SPARQL_Results_XML`,
  },
  { shortName: 'csv', mediaType: 'text/csv', aliases: [], iri: `${W3C_FORMATS}SPARQL_Results_CSV` },
  {
    shortName: 'tsv',
    mediaType: 'text/tab-separated-values',
    aliases: ['text/tsv'],
    iri: `${W3C_FORMATS}SPARQL_Results_TSV`,
  },
];
