/** A format in which the server reads RDF. */
interface RdfFormat {
  readonly type: string;
  readonly title: string;
  /** Ends of file names, without the dot. */
  readonly extensions: readonly string[];
  readonly namesGraphs: boolean;
}

export const formats: readonly RdfFormat[] = [
  { type: 'text/turtle', title: 'Turtle', extensions: ['ttl', 'turtle'], namesGraphs: false },
  { type: 'application/n-triples', title: 'N-Triples', extensions: ['nt', 'ntriples'], namesGraphs: false },
  { type: 'application/n-quads', title: 'N-Quads', extensions: ['nq', 'nquads'], namesGraphs: true },
  { type: 'application/trig', title: 'TriG', extensions: ['trig'], namesGraphs: true },
  { type: 'application/ld+json', title: 'JSON-LD', extensions: ['jsonld', 'json'], namesGraphs: true },
  {
    type: 'application/rdf+xml',
    title: 'RDF/XML',
    extensions: ['rdf', 'owl', 'rdfs', 'xml'],
    namesGraphs: false,
  },
  { type: 'text/n3', title: 'N3', extensions: ['n3'], namesGraphs: false },
  { type: 'application/rdf+json', title: 'RDF/JSON', extensions: ['rj'], namesGraphs: false },
];

const GZIP = /\.gz$/i;

export function isGzipName(name: string): boolean {
  return GZIP.test(name);
}

/** Guesses the format from the name of a file; undefined if it has none of the known extensions. */
export function formatOfName(name: string): RdfFormat | undefined {
  const extension = name.replace(GZIP, '').toLowerCase().split('.').at(-1)!;
  return formats.find(({ extensions }) => extensions.includes(extension));
}

export function formatOfType(type: string): RdfFormat | undefined {
  return formats.find((format) => format.type === type);
}
