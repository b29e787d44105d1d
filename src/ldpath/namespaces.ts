/** Namespaces by prefix. */
export type Prefixes = Readonly<Record<string, string>>;

/** Prefixes that every program can use without declaring them (ldpath 2.1). */
export const predefinedPrefixes: Prefixes = {
  rdf: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
  rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
  owl: 'http://www.w3.org/2002/07/owl#',
  skos: 'http://www.w3.org/2004/02/skos/core#',
  foaf: 'http://xmlns.com/foaf/0.1/',
  dc: 'http://purl.org/dc/elements/1.1/',
  dct: 'http://purl.org/dc/terms/',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
  lmf: 'http://www.newmedialab.at/lmf/types/1.0/',
  fn: 'http://www.newmedialab.at/lmf/functions/1.0/',
};
