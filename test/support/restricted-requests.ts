/** A request of a client that may not read all graphs. */
export interface RestrictedRequest {
  readonly method?: string;
  /** Path and query. */
  readonly target: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

const query = (text: string, more = ''): RestrictedRequest => ({
  target: `/sparql?query=${encodeURIComponent(text)}${more}`,
});
const update = (body: string): RestrictedRequest => ({
  ...{ method: 'POST', target: '/sparql', body },
  headers: { 'Content-Type': 'application/sparql-update' },
});

const get = (target: string): RestrictedRequest => ({ target });
const path = (text: string) => get(`/ldpath/path?uri=urn:s1&path=${encodeURIComponent(text)}`);
const remove = (target: string): RestrictedRequest => ({ method: 'DELETE', target });

/**
 * Requests of a client that reads `urn:x:open…` and writes `urn:x:own/…`. None of them changes
 * anything, and none has numbers, times or names in its response that the server makes anew each
 * time: what is written to other graphs must not change a byte of it.
 */
export const restrictedRequests: readonly RestrictedRequest[] = [
  // SPARQL
  query('SELECT * { ?s ?p ?o }'),
  query('SELECT * { GRAPH ?g { ?s ?p ?o } }', '&format=csv'),
  query('SELECT ?g (COUNT(*) AS ?n) { GRAPH ?g { ?s ?p ?o } } GROUP BY ?g ORDER BY ?g'),
  query('SELECT * FROM <urn:x:hidden/1> FROM <urn:x:open/1> { ?s ?p ?o }'),
  query('SELECT * FROM <urn:x:open/1> FROM <urn:x:open/2> { ?s ?p ?o }'),
  query('SELECT * FROM NAMED <urn:x:hidden/1> FROM NAMED <urn:x:own/1> { GRAPH ?g { ?s ?p ?o } }'),
  query('SELECT * { ?s ?p ?o }', '&default-graph-uri=urn:x:hidden/2'),
  query('ASK { GRAPH <urn:x:hidden/1> { ?s ?p ?o } }'),
  query('SELECT * { ?s <urn:p1>+ ?o . FILTER NOT EXISTS { ?o <urn:p2> ?x } }'),
  query('SELECT * { <urn:s1> (<urn:p1>|<urn:p2>)* ?o }'),
  query('SELECT (COUNT(*) AS ?n) { ?s <urn:none>* ?o }'),
  query('SELECT ?g ?n { GRAPH ?g { SELECT (COUNT(DISTINCT ?o) AS ?n) { ?s ?p ?o } } } ORDER BY ?g'),
  query('SELECT ?x { BIND (STRLANG("colour", "en-GB") AS ?x) }'),
  query('SELECT ?x { VALUES ?y { 1 } BIND (?y + 0 AS ?x) }'),
  query('CONSTRUCT WHERE { ?s ?p ?o }', '&format=nt'),
  query('DESCRIBE <urn:s1> <urn:s2>', '&format=ttl'),
  query('SELECT * { ?s ?p', ''),
  { target: '/sparql' },
  update('INSERT DATA { GRAPH <urn:x:hidden/1> { <urn:s1> <urn:p1> 1 } }'),
  update('DELETE DATA { GRAPH <urn:x:hidden/1> { <urn:s1> <urn:p1> 1 } }'),
  update('INSERT DATA { GRAPH <urn:x:open/1> { <urn:s1> <urn:p1> 1 } }'),
  update('DELETE { ?s ?p ?o } WHERE { ?s ?p ?o }'),
  update('CREATE GRAPH <urn:x:hidden/1>'),
  update('DROP GRAPH <urn:x:hidden/2>'),
  update('DROP SILENT GRAPH <urn:x:hidden/1>'),
  update('CREATE GRAPH <urn:x:own/1>'),
  update('COPY <urn:x:hidden/1> TO <urn:x:own/9>'),
  update('COPY SILENT <urn:x:hidden/1> TO <urn:x:hidden/2>'),
  update('INSERT { GRAPH <urn:x:own/9> { ?s ?p ?o } } USING <urn:x:hidden/1> WHERE { ?s ?p ?o }'),
  update('CLEAR ALL'),
  // LDPath
  ...['*', '^*', 'fn:predicates()', '"colour"@EN-gb', '(* | "1"^^xsd:integer)[. is "x"]'].map(path),
  ...['fn:iri("urn:s2")', 'fn:iri("urn:s2") / *', '"1" / ^*', '(<urn:p1> | <urn:p2>)*'].map(path),
  ...['"secret"@DE', 'fn:iri("urn:secret")', 'fn:iri("urn:secret") / ^*', '.[* is "secret"]'].map(path),
  // Contexts, resources and the Linked Data Platform
  ...['/context/list', '/context?graph=urn:x:open/1', '/context?graph=urn:x:hidden/1', '/dataset'].map(get),
  ...['/store?graph=urn:x:own/1', '/store?graph=urn:x:hidden/1', '/store?default'].map(get),
  ...['/resource?uri=urn:s1', '/meta/text/turtle?uri=urn:s1', '/resource?uri=urn:s9'].map(get),
  ...['/ldp', '/ldp/anna/', '/ldp/anna/doc', '/ldp/hidden-1', '/ldp/none'].map(get),
  ...['/ldp/hidden-1', '/ldp/none'].map(remove),
  ...['/context?graph=urn:x:hidden/1', '/context?graph=urn:x:none', '/resource?uri=urn:x:hidden/1'].map(
    remove,
  ),
  // Tasks and the server
  ...['/tasks', '/tasks?queued', '/tasks/LDPath', '/tasks/byThread'].map(get),
  ...['/tasks/SPARQL/none', '/tasks/events', '/health', '/metrics', '/settings'].map((target) => ({
    target,
  })),
  { method: 'DELETE', target: '/tasks/SPARQL/none' },
  { target: '/sparql?query=ASK%7B%7D', headers: { 'Pathpool-Commit': 'abcdefgh.1' } },
];
