/** A format for the results of SELECT and ASK. */
export interface ResultsFormat {
  /** Also its name for the parameters `format` and `output`. */
  readonly shortName: 'json' | 'xml' | 'csv' | 'tsv';
  /** Canonical media type. */
  readonly mediaType: string;
  /** Other media types under which it can be asked for. */
  readonly aliases: readonly string[];
  /** The IRI that the W3C gave it. */
  readonly iri: string;
}

const W3C_FORMATS = 'http://www.w3.org/ns/formats/';

/** In the order in which they win ties. */
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
