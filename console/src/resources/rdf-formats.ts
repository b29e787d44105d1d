import type { FileFormat } from '../components/download.tsx';

/** Formats in which the server writes RDF. */
export const rdfFormats: readonly FileFormat[] = [
  { type: 'text/turtle', title: 'Turtle', extension: 'ttl' },
  { type: 'application/n-triples', title: 'N-Triples', extension: 'nt' },
  { type: 'application/ld+json', title: 'JSON-LD', extension: 'jsonld' },
  { type: 'application/rdf+xml', title: 'RDF/XML', extension: 'rdf' },
  { type: 'application/n-quads', title: 'N-Quads', extension: 'nq' },
  { type: 'application/trig', title: 'TriG', extension: 'trig' },
  { type: 'application/rdf+json', title: 'RDF/JSON', extension: 'rj' },
];
