/**
 * Returns the prefixes that programs need not declare, with their namespaces (http-api 4.9). `base`
 * must end without a slash. Pairs in `given` take precedence.
 */
export function prefixTable(
  base: string,
  given: Iterable<readonly [prefix: string, namespace: string]>,
): Readonly<Record<string, string>> {
  return {
    rdf: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
    rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
    owl: 'http://www.w3.org/2002/07/owl#',
    xsd: 'http://www.w3.org/2001/XMLSchema#',
    skos: 'http://www.w3.org/2004/02/skos/core#',
    foaf: 'http://xmlns.com/foaf/0.1/',
    dc: 'http://purl.org/dc/elements/1.1/',
    dct: 'http://purl.org/dc/terms/',
    sioc: 'http://rdfs.org/sioc/ns#',
    dcat: 'http://www.w3.org/ns/dcat#',
    ldp: 'http://www.w3.org/ns/ldp#',
    mao: 'http://www.w3.org/ns/ma-ont#',
    schema: 'http://schema.org/',
    yt: 'http://gdata.youtube.com/schemas/2007#',
    lmf: 'http://www.newmedialab.at/lmf/types/1.0/',
    lmftypes: 'http://www.newmedialab.at/lmf/types/1.0/',
    fn: 'http://www.newmedialab.at/lmf/functions/1.0/',
    local: `${base}/resource/`,
    context: `${base}/context/`,
    ...Object.fromEntries(given),
  };
}
