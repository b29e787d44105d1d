import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { beforeEach, describe, it } from 'node:test';
import { projectFile } from '../support/project.ts';
import { BASE } from '../support/server-process.ts';
import { sharedServer } from '../support/shared-server.ts';

const DEFAULT = `${BASE}/context/default`;
const QUERY = { 'Content-Type': 'application/sparql-query' };
const UPDATE = { 'Content-Type': 'application/sparql-update' };
const XSD = 'PREFIX xsd: <http://www.w3.org/2001/XMLSchema#>';

const DATA = `<urn:a> <urn:p> "1" <urn:g1> .
<urn:a> <urn:p> "both" <urn:g1> .
<urn:b> <urn:n> "01"^^<http://www.w3.org/2001/XMLSchema#integer> <urn:g1> .
<urn:b> <urn:p> "2" <urn:g2> .
<urn:a> <urn:p> "both" <urn:g2> .`;

interface Bindings {
  readonly head: { readonly vars: string[] };
  readonly results: { readonly bindings: Record<string, { readonly value: string }>[] };
}

function client(server: { readonly url: string }) {
  const get = (query: string, headers: Record<string, string> = {}, more = '') =>
    fetch(`${server.url}/sparql?query=${encodeURIComponent(query)}${more}`, { headers });
  return {
    get,
    csv: async (query: string, more = '') => {
      const response = await get(query, { Accept: 'text/csv' }, more);
      const text = await response.text();
      assert.equal(response.status, 200, text);
      return text.split('\r\n').slice(1, -1).sort();
    },
    json: async (query: string) => (await (await get(query)).json()) as Bindings,
    update: async (text: string, more = '') => {
      const response = await fetch(`${server.url}/update${more}`, {
        method: 'POST',
        headers: UPDATE,
        body: text,
      });
      return [response.status, ((await response.text()) || '{}') as string] as const;
    },
    put: (graph: string, ntriples: string) =>
      fetch(`${server.url}/store?graph=${encodeURIComponent(graph)}`, {
        method: 'PUT',
        headers: { 'Content-Type': 'application/n-triples' },
        body: ntriples,
      }),
    /** Replaces all graphs. */
    putDataset: (nquads: string) =>
      fetch(`${server.url}/dataset`, {
        method: 'PUT',
        headers: { 'Content-Type': 'application/n-quads', 'If-Match': '*' },
        body: nquads,
      }),
  };
}

describe('SPARQL over HTTP', () => {
  const server = sharedServer(['--memory', '--threads', '2']);
  const { get, csv, json, update, put, putDataset } = client(server);
  beforeEach(async () => {
    assert.equal((await putDataset(DATA)).status, 204);
  });

  it('matches the merge of all graphs by default, in which each triple counts once', async () => {
    assert.deepEqual(await csv('SELECT ?o { ?s <urn:p> ?o }'), ['1', '2', 'both']);
    assert.deepEqual(await csv('SELECT (COUNT(*) AS ?n) { ?s <urn:p> "both" }'), ['1']);
    assert.deepEqual(await csv('SELECT ?g { GRAPH ?g { ?s <urn:p> "both" } }'), ['urn:g1', 'urn:g2']);
    assert.deepEqual(await csv('SELECT ?o { ?s <urn:p> ?o }', '&default-graph-uri=urn:g2'), ['2', 'both']);
    assert.deepEqual(await csv('SELECT ?o FROM <urn:g1> FROM <urn:g2> { ?s <urn:p> ?o }'), [
      '1',
      '2',
      'both',
    ]);
    assert.deepEqual(
      await csv('SELECT ?s { ?s <urn:p> ?o }', '&default-graph-uri=urn:x-arq:DefaultGraph'),
      [],
    );
  });

  it('returns literals as the data write them', async () => {
    assert.deepEqual(await csv('SELECT ?n { ?s <urn:n> ?n }'), ['01']);
    assert.deepEqual(await csv('SELECT (?n + 1 AS ?m) { ?s <urn:n> ?n }'), ['2']);
    const graph = await get('CONSTRUCT WHERE { ?s <urn:n> ?n }', { Accept: 'application/n-triples' });
    assert.ok((await graph.text()).includes('"01"^^'));
  });

  it('returns the columns of SELECT * in the order of the query text', async () => {
    const { head } = await json('SELECT * { ?z <urn:p> ?a . ?m ?b ?z }');
    assert.deepEqual(head.vars, ['z', 'a', 'm', 'b']);
  });

  it('returns each query form in its formats', async () => {
    const ask = await get('ASK { <urn:a> ?p ?o }', { Accept: 'application/sparql-results+xml' });
    assert.ok((await ask.text()).includes('<boolean>true</boolean>'));
    assert.deepEqual(await (await get('ASK { <urn:none> ?p ?o }')).json(), { head: {}, boolean: false });
    const described = await get('DESCRIBE <urn:b>');
    assert.equal(described.headers.get('content-type'), 'text/turtle; charset=utf-8');
    assert.ok((await described.text()).includes('<urn:n>'));
    const tsv = await get('SELECT ?n { ?s <urn:n> ?n }', { Accept: 'text/tab-separated-values' });
    assert.equal(await tsv.text(), '?n\n01\n');
  });

  it('shows a query every write that was acknowledged before it', async () => {
    for (let i = 0; i < 20; i++) {
      assert.ok((await put('urn:counter', `<urn:counter> <urn:is> "${i}" .`)).ok);
      assert.deepEqual(await csv('SELECT ?n { <urn:counter> <urn:is> ?n }'), [String(i)]);
      assert.equal((await update(`INSERT DATA { <urn:counter> <urn:was> "${i}" }`))[0], 204);
      assert.ok((await csv('SELECT ?n { <urn:counter> <urn:was> ?n }')).includes(String(i)));
    }
  });

  it('writes to the graphs that an update names, and to the default context otherwise', async () => {
    assert.equal((await update('INSERT DATA { <urn:u> <urn:p> "in default" }'))[0], 204);
    assert.deepEqual(await csv('SELECT ?g { GRAPH ?g { <urn:u> ?p ?o } }'), [DEFAULT]);
    const [status] = await update(
      'WITH <urn:g1> DELETE { ?s ?p ?o } INSERT { ?s <urn:q> ?o } WHERE { ?s ?p ?o }',
    );
    assert.equal(status, 204);
    assert.deepEqual(await csv('SELECT ?o { GRAPH <urn:g1> { ?s <urn:q> ?o } }'), ['01', '1', 'both']);
    assert.deepEqual(await csv('SELECT ?o { GRAPH <urn:g2> { ?s ?p ?o } }'), ['2', 'both']);
    const stored = await fetch(`${server.url}/context?graph=urn:g1`, {
      headers: { Accept: 'application/n-triples' },
    });
    assert.ok((await stored.text()).includes('"01"^^'));
    assert.equal((await update('DELETE WHERE { ?s ?p "both" }'))[0], 204);
    assert.deepEqual(await csv('SELECT ?g { GRAPH ?g { ?s ?p "both" } }'), []);
    const using = '?using-graph-uri=urn:g2';
    assert.equal((await update('INSERT { ?s <urn:copied> ?o } WHERE { ?s ?p ?o }', using))[0], 204);
    assert.deepEqual(await csv('SELECT ?o { ?s <urn:copied> ?o }'), ['2']);
    for (const text of ['WITH <urn:g1> DELETE { ?s ?p ?o }', 'DELETE { ?s ?p ?o } USING <urn:g1>']) {
      const [status, problem] = await update(`${text} WHERE { ?s ?p ?o }`, using);
      assert.deepEqual([status, (JSON.parse(problem) as { code: string }).code], [400, 'bad-query']);
    }
  });

  it('executes an update completely or not at all', async () => {
    const [status, problem] = await update(
      `INSERT DATA { <urn:half> <urn:p> 1 } ; INSERT DATA { GRAPH <${BASE}/ldp/x> { <urn:half> <urn:p> 2 } }`,
    );
    assert.equal(status, 409, problem);
    assert.deepEqual(await csv('SELECT ?o { <urn:half> ?p ?o }'), []);
  });

  it('rejects a syntax error with its line, and unsupported features with 422', async () => {
    const query = await get('SELECT *\n{ ?s ?p }', { Accept: 'application/json' });
    const { code, line } = (await query.json()) as { code: string; line: number };
    assert.deepEqual([query.status, code, line], [400, 'parse-error', 2]);
    const [status, text] = await update('INSERT DATA {\n <urn:a> <urn:p> }');
    assert.deepEqual([status, (JSON.parse(text) as { line: number }).line], [400, 2]);
    assert.equal((await get('SELECT * { SERVICE <urn:s> { ?s ?p ?o } }')).status, 422);
    assert.equal((await update('LOAD <http://example.org/>'))[0], 422);
    assert.equal((await get('SELECT * { ?s ?p ?o }', {}, '&output=html')).status, 406);
  });

  it('keeps the entity tag of a result until the next commit', async () => {
    const query = 'SELECT ?o { <urn:tag> ?p ?o }';
    const tag = (await get(query)).headers.get('etag') ?? '';
    assert.match(tag, /^W\/"[a-z0-9]+-json\.union\.[0-9a-f]{10}"$/);
    assert.equal((await get(query, { 'If-None-Match': tag })).status, 304);
    await update('INSERT DATA { <urn:tag> <urn:p> 1 }');
    const next = await get(query, { 'If-None-Match': tag });
    assert.equal(next.status, 200);
    assert.notEqual(next.headers.get('etag'), tag);
    assert.equal((await get(`SELECT (NOW() AS ?now) {}`)).headers.get('etag'), null);
    const head = await fetch(`${server.url}/sparql?query=${encodeURIComponent(query)}`, { method: 'HEAD' });
    assert.equal(head.headers.get('content-length'), next.headers.get('content-length'));
  });

  it('accepts forms and plain bodies at all of its endpoints', async () => {
    const form = new URLSearchParams({ query: `${XSD} ASK { FILTER(xsd:integer("1") = 1) }` });
    for (const path of ['/sparql', '/query', '/sparql/select']) {
      const asked = await fetch(server.url + path, { method: 'POST', body: form });
      assert.deepEqual(await asked.json(), { head: {}, boolean: true });
      const direct = await fetch(server.url + path, { method: 'POST', headers: QUERY, body: 'ASK {}' });
      assert.equal(direct.status, 200);
    }
    for (const path of ['/sparql', '/update', '/sparql/update']) {
      const body = new URLSearchParams({ update: `INSERT DATA { <urn:form> <urn:p> "${path}+ &" }` });
      assert.equal((await fetch(server.url + path, { method: 'POST', body })).status, 204);
    }
    const expected = ['/sparql+ &', '/sparql/update+ &', '/update+ &'];
    assert.deepEqual(await csv('SELECT ?o { <urn:form> ?p ?o }'), expected);
  });

  it('returns a service description', async () => {
    const response = await fetch(`${server.url}/sparql`, { headers: { Accept: 'application/n-triples' } });
    assert.ok((await response.text()).includes('UnionDefaultGraph'));
  });

  it('shows the new data set after PUT /dataset', async () => {
    assert.equal((await putDataset('<urn:only> <urn:p> "1" <urn:one> .')).status, 204);
    assert.deepEqual(await csv('SELECT ?s { GRAPH ?g { ?s ?p ?o } }'), ['urn:only']);
  });

  it('returns what the examples of docs/sparql.md promise', async () => {
    const text = readFileSync(projectFile('docs/sparql.md'), 'utf8');
    const example = (from: string) => {
      const start = text.indexOf(from);
      assert.notEqual(start, -1, from);
      return text.slice(start + from.length, text.indexOf("'\n", start + from.length));
    };
    const put = await fetch(`${server.url}/store/people`, {
      method: 'PUT',
      headers: { 'Content-Type': 'text/turtle' },
      body: example("--data-binary '\n"),
    });
    assert.equal(put.status, 201);
    assert.deepEqual(await csv(example("--data-urlencode 'query=\n")), ['Anna,Sepp']);
    assert.deepEqual(await update(example("application/sparql-update' --data-binary '\n")), [204, '{}']);
    assert.deepEqual(await csv('SELECT ?o { <http://example.org/sepp> ?p ?o }'), ['Josef']);
  });
});

describe('SPARQL with --sparql-default-graph default', () => {
  const server = sharedServer(['--memory', '--threads', '2', '--sparql-default-graph', 'default']);
  const { csv, update, put } = client(server);

  it('matches the default context, and the union of all graphs on request', async () => {
    await put('urn:g', '<urn:a> <urn:p> "named" .');
    await update('INSERT DATA { <urn:a> <urn:p> "default" }');
    assert.deepEqual(await csv('SELECT ?o { ?s ?p ?o }'), ['default']);
    const union = '&default-graph-uri=urn:x-arq:UnionGraph';
    assert.deepEqual(await csv('SELECT ?o { <urn:a> ?p ?o }', union), ['default', 'named']);
    await update('DELETE WHERE { ?s <urn:p> ?o }');
    assert.deepEqual(await csv('SELECT ?o { GRAPH ?g { ?s ?p ?o } }'), ['named']);
  });
});

describe('SPARQL with --sparql-threads 0', () => {
  const server = sharedServer(['--memory', '--threads', '2', '--sparql-threads', '0']);

  it('rejects queries with 503, and names the document that explains it', async () => {
    const rejected = await client(server).get('ASK {}', { Accept: 'application/json' });
    assert.equal(rejected.status, 503);
    assert.match(JSON.stringify(await rejected.json()), /docs\/sparql\.md/);
  });
});
