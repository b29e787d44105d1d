import { RDF, XSD } from './term.ts';

/** Namespaces by prefix. */
export type Prefixes = Readonly<Record<string, string>>;

/** Every prefix that the program knows. */
const known = {
  rdf: RDF,
  rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
  owl: 'http://www.w3.org/2002/07/owl#',
  xsd: XSD,
  skos: 'http://www.w3.org/2004/02/skos/core#',
  foaf: 'http://xmlns.com/foaf/0.1/',
  dc: 'http://purl.org/dc/elements/1.1/',
  dct: 'http://purl.org/dc/terms/',
  dcat: 'http://www.w3.org/ns/dcat#',
  fn: 'http://www.newmedialab.at/lmf/functions/1.0/',
  geo: 'http://www.w3.org/2003/01/geo/wgs84_pos#',
  ldp: 'http://www.w3.org/ns/ldp#',
  lmf: 'http://www.newmedialab.at/lmf/types/1.0/',
  lmftypes: 'http://www.newmedialab.at/lmf/types/1.0/',
  mao: 'http://www.w3.org/ns/ma-ont#',
  prov: 'http://www.w3.org/ns/prov#',
  schema: 'http://schema.org/',
  schemas: 'https://schema.org/',
  sioc: 'http://rdfs.org/sioc/ns#',
  void: 'http://rdfs.org/ns/void#',
  yt: 'http://gdata.youtube.com/schemas/2007#',
} as const;

const common = ['rdf', 'rdfs', 'owl', 'xsd', 'skos', 'foaf', 'dc', 'dct'] as const;

/** Prefixes that every LDPath program can use without declaring them (ldpath 2.1). */
export const predefinedPrefixes = select(...common, 'lmf', 'fn');

/** Prefixes that programs can use on a server, besides those of its own names (http-api 4.9). */
export const serverPrefixes = select(
  ...common,
  'sioc',
  'dcat',
  'ldp',
  'mao',
  'schema',
  'yt',
  'lmf',
  'lmftypes',
  'fn',
);

/** Prefixes with which Turtle and RDF/XML are written. */
export const outputPrefixes = select(...common, 'dcat', 'geo', 'ldp', 'prov', 'schema', 'schemas', 'void');

function select(...prefixes: readonly (keyof typeof known)[]): Prefixes {
  return Object.fromEntries(prefixes.map((prefix) => [prefix, known[prefix]]));
}
