import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BASE, startServer } from '../support/server-process.ts';
import { sharedServer } from '../support/shared-server.ts';

const TURTLE = { 'Content-Type': 'text/turtle' };
const THREE = `@prefix x: <urn:x:> . x:a x:p x:b ; x:q "two"@en . <> x:r _:b .`;

describe('named graphs over HTTP', () => {
  const server = sharedServer();
  const graph = (name: string, more = '') => `${server.url}/context?graph=${encodeURIComponent(name)}${more}`;
  const put = (name: string, body: string, headers: Record<string, string> = {}) =>
    fetch(graph(name), { method: 'PUT', headers: { ...TURTLE, ...headers }, body });

  it('C-2, C-19, C-21: the default context of an empty store exists, and preconditions apply to it', async (context) => {
    const { url } = await startServer(context, ['--memory', '--threads', '1']);
    const listing = await fetch(`${url}/context/list`);
    assert.deepEqual(await listing.json(), [`${BASE}/context/default`]);
    const putDefault = (condition: Record<string, string>, body: string) =>
      fetch(`${url}/context?default`, { method: 'PUT', headers: { ...TURTLE, ...condition }, body });
    const response = await fetch(`${url}/context?default`);
    assert.equal(response.status, 200);
    const tag = response.headers.get('etag') ?? '';
    assert.ok(tag);
    assert.equal((await putDefault({ 'If-Match': tag }, '<urn:x:s> <urn:x:p> 1 .')).status, 201);
    assert.equal((await putDefault({ 'If-Match': tag }, '<urn:x:s> <urn:x:p> 2 .')).status, 412);
    assert.equal((await putDefault({ 'If-Match': '*' }, '')).status, 204);
    assert.equal((await putDefault({ 'If-None-Match': '*' }, '')).status, 412);
    assert.equal((await fetch(`${url}/context?default`, { method: 'DELETE' })).status, 200);
    assert.equal((await putDefault({ 'If-Match': '*' }, '')).status, 204);
  });

  it('PUT creates a graph with 201 and a Location, and replaces it with 204', async () => {
    const first = await put('urn:x:new', THREE);
    assert.equal(first.status, 201);
    assert.equal(first.headers.get('location'), `${BASE}/context?graph=urn%3Ax%3Anew`);
    assert.equal(first.headers.get('etag'), null);
    assert.equal((await put('urn:x:new', THREE)).status, 204);
  });

  it('GET negotiates every format, and the parameter "format" overrides Accept', async () => {
    const name = 'urn:x:formats';
    assert.equal((await put(name, THREE)).status, 201);
    const types: Record<string, string> = {
      'text/turtle': 'text/turtle; charset=utf-8',
      'application/ld+json': 'application/ld+json',
      'application/n-triples': 'application/n-triples',
      'application/rdf+xml': 'application/rdf+xml',
      'text/n3': 'text/n3; charset=utf-8',
      'application/n-quads': 'application/n-quads',
      'application/trig': 'application/trig',
      'application/rdf+json': 'application/rdf+json',
      'application/json': 'application/json',
      '*/*': 'text/turtle; charset=utf-8',
    };
    for (const [accept, type] of Object.entries(types)) {
      const response = await fetch(graph(name), { headers: { Accept: accept } });
      assert.equal(response.status, 200, accept);
      assert.equal(response.headers.get('content-type'), type);
      assert.match(await response.text(), /\bx:b\b/);
    }
    const forced = await fetch(graph(name, '&format=nt'), { headers: { Accept: 'text/turtle' } });
    assert.equal(forced.headers.get('content-type'), 'application/n-triples');
    assert.equal((await fetch(graph(name, '&format=pdf'))).status, 406);
  });

  it('G-54, G-20: a graph that RDF/XML cannot express comes in the next acceptable format', async () => {
    assert.equal((await put('urn:x:nameless', '<urn:x:s> <http://e.org/123> 1 .')).status, 201);
    const read = (accept: string, method = 'GET') =>
      fetch(graph('urn:x:nameless'), { method, headers: { Accept: accept } });
    for (const method of ['GET', 'HEAD']) {
      const browser = await read('text/html, application/xml;q=0.9, */*;q=0.8', method);
      assert.equal(browser.headers.get('content-type'), 'text/turtle; charset=utf-8');
      assert.match(browser.headers.get('etag') ?? '', /-turtle\.2"$/);
      assert.equal((await read('application/rdf+xml', method)).status, 406);
      assert.equal((await fetch(graph('urn:x:nameless', '&format=rdfxml'), { method })).status, 406);
    }
    const problem = (await (await fetch(graph('urn:x:nameless', '&format=rdfxml'))).json()) as {
      detail: string;
      available: string[];
    };
    assert.match(problem.detail, /http:\/\/e\.org\/123/);
    assert.equal(problem.available[0], 'text/turtle');
    assert.ok(!problem.available.includes('application/rdf+xml'));
    assert.equal((await fetch(graph('urn:x:nameless'), { method: 'DELETE' })).status, 200);
  });

  it('HEAD gets 200 for RDF/XML of a graph that RDF/XML can express', async () => {
    assert.equal((await put('urn:x:named-predicates', THREE)).status, 201);
    const head = await fetch(graph('urn:x:named-predicates', '&format=rdfxml'), { method: 'HEAD' });
    assert.deepEqual([head.status, await head.text()], [200, '']);
  });

  it('G-54: a long graph that RDF/XML cannot express gets 406 before the document begins', async () => {
    const long = Array.from({ length: 20_000 }, (_, i) => `<urn:x:s> <urn:x:p> "${i}" .`).join('\n');
    for (const odd of ['<urn:x:z> <http://e.org/123> 1 .', '<urn:x:z> <urn:x:p> "\\u0001" .']) {
      assert.ok((await put('urn:x:long', `${long}\n${odd}`)).ok);
      for (const method of ['GET', 'HEAD']) {
        const headers = { Accept: 'application/rdf+xml' };
        assert.equal((await fetch(graph('urn:x:long'), { method, headers })).status, 406);
      }
    }
    assert.ok((await put('urn:x:long', long)).ok);
    const read = await fetch(graph('urn:x:long'), { headers: { Accept: 'application/rdf+xml' } });
    assert.equal(read.status, 200);
    assert.match(await read.text(), /<\/rdf:RDF>\n$/);
    assert.equal((await fetch(graph('urn:x:long'), { method: 'DELETE' })).status, 200);
  });

  it('a graph written in any format is read back unchanged', async () => {
    const name = 'urn:x:original';
    assert.equal((await put(name, THREE)).status, 201);
    for (const type of ['jsonld', 'nt', 'rdfxml', 'n3', 'nq', 'trig', 'rdfjson', 'turtle']) {
      const written = await fetch(graph(name, `&format=${type}`));
      const headers = { 'Content-Type': written.headers.get('content-type') ?? '' };
      const again = await fetch(graph('urn:x:copy'), { method: 'PUT', headers, body: await written.text() });
      assert.ok(again.ok, `${type}: ${again.status}`);
      const text = await (await fetch(graph('urn:x:copy', '&format=nt'))).text();
      const lines = text
        .trim()
        .split('\n')
        .map((line) => line.replace(/_:\w+/, '_:b'));
      assert.deepEqual(lines.sort(), [
        '<urn:x:a> <urn:x:p> <urn:x:b> .',
        '<urn:x:a> <urn:x:q> "two"@en .',
        '<urn:x:original> <urn:x:r> _:b .',
      ]);
    }
  });

  it('C-10, G-47: one graph is plain triples in JSON-LD, and has its name in TriG and N-Quads', async () => {
    const name = 'urn:x:one';
    assert.equal((await put(name, '<urn:x:a> <urn:x:p> <urn:x:b> .')).status, 201);
    const query = encodeURIComponent(name);
    for (const path of [`/context?graph=${query}`, `/store?graph=${query}`]) {
      const textOf = async (format: string) => (await fetch(`${server.url}${path}&format=${format}`)).text();
      assert.deepEqual(JSON.parse(await textOf('jsonld')), [
        { '@id': 'urn:x:a', 'urn:x:p': [{ '@id': 'urn:x:b' }] },
      ]);
      assert.match(await textOf('trig'), /<urn:x:one> \{/);
      assert.equal(await textOf('nq'), '<urn:x:a> <urn:x:p> <urn:x:b> <urn:x:one> .\n');
    }
    const dataset = await (await fetch(`${server.url}/dataset?format=jsonld`)).json();
    const named = (dataset as Record<string, unknown>[]).find((node) => node['@id'] === name);
    assert.deepEqual(named?.['@graph'], [{ '@id': 'urn:x:a', 'urn:x:p': [{ '@id': 'urn:x:b' }] }]);
  });

  it('an entity tag saves a repeated read, and guards writes as a precondition', async () => {
    const name = 'urn:x:tagged';
    assert.equal((await put(name, THREE)).status, 201);
    const tag = (await fetch(graph(name))).headers.get('etag') ?? '';
    const again = await fetch(graph(name), { headers: { 'If-None-Match': tag } });
    assert.equal(again.status, 304);
    assert.equal((await put(name, '<urn:x:s> <urn:x:p> 1 .', { 'If-Match': '"old-ttl"' })).status, 412);
    assert.equal((await put(name, '<urn:x:s> <urn:x:p> 1 .', { 'If-None-Match': '*' })).status, 412);
    assert.equal((await put(name, '<urn:x:s> <urn:x:p> 1 .', { 'If-Match': tag })).status, 204);
    assert.equal((await put(name, THREE, { 'If-Match': tag })).status, 412);
    assert.notEqual((await fetch(graph(name))).headers.get('etag'), tag);
  });

  it('one of many clients that create the same graph gets 201, and the others get 412', async () => {
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        put('urn:x:race', `<urn:x:s> <urn:x:p> ${i} .`, { 'If-None-Match': '*' }),
      ),
    );
    assert.deepEqual(responses.map(({ status }) => status).sort(), [201, ...Array(19).fill(412)]);
  });

  it('POST merges triples, and returns how many were new', async () => {
    const name = 'urn:x:merged';
    assert.equal((await put(name, '<urn:x:s> <urn:x:p> 1 .')).status, 201);
    const post = (body: string) => fetch(graph(name), { method: 'POST', headers: TURTLE, body });
    const merged = await post('<urn:x:s> <urn:x:p> 1, 2, 3 .');
    assert.equal(merged.status, 200);
    assert.deepEqual(await merged.json(), { uri: name, size: 3, added: 2 });
    assert.equal((await post('')).status, 204);
  });

  it('a POST without a graph name writes the graph of the request URI', async () => {
    const response = await fetch(`${server.url}/context`, {
      method: 'POST',
      headers: TURTLE,
      body: '<> <urn:x:p> 1 .',
    });
    assert.equal(response.status, 201);
    const location = response.headers.get('location') ?? '';
    const read = await fetch(`${location.replace(BASE, server.url)}&format=nt`);
    assert.match(await read.text(), new RegExp(`^<${BASE}/context> `));
    assert.equal((await fetch(`${server.url}/context`, { method: 'DELETE' })).status, 200);
    assert.equal((await fetch(`${server.url}/context`, { method: 'DELETE' })).status, 404);
  });

  it('a path below /context addresses the graph of that name', async () => {
    const target = `${server.url}/context/a%20b`;
    const response = await fetch(target, { method: 'PUT', headers: TURTLE, body: '<> <urn:x:p> 1 .' });
    assert.equal(response.status, 201);
    assert.equal(response.headers.get('location'), `${BASE}/context/a%20b`);
    assert.match(await (await fetch(`${target}?format=nt`)).text(), new RegExp(`^<${BASE}/context/a%20b> `));
    assert.equal((await fetch(target, { method: 'DELETE' })).status, 200);
    assert.equal((await fetch(target)).status, 404);
  });

  it('the list has labels and sizes, and comes in sorted pages', async () => {
    const label = `<urn:x:named> <http://www.w3.org/2000/01/rdf-schema#label> "Ein Name"@de, "A name"@en .`;
    assert.equal((await put('urn:x:named', label)).status, 201);
    assert.equal((await put('urn:x:unnamed', '')).status, 201);
    const entries = (await (await fetch(`${server.url}/context?labels`)).json()) as {
      uri: string;
      label: string;
      size: number;
    }[];
    assert.deepEqual(
      entries.find(({ uri }) => uri === 'urn:x:named'),
      { uri: 'urn:x:named', label: 'A name', size: 2 },
    );
    const uris = entries.map(({ uri }) => uri);
    assert.deepEqual(uris, [...uris].sort());
    const page = await fetch(`${server.url}/context/list?offset=1&limit=2`);
    assert.deepEqual(await page.json(), uris.slice(1, 3));
    assert.deepEqual(await (await fetch(`${server.url}/context/list?filter`)).json(), [
      `${BASE}/context/default`,
    ]);
    assert.equal((await fetch(`${server.url}/context/list?limit=x`)).status, 400);
  });

  it('a client can neither read nor write the system graph, and cannot write a graph below /ldp', async () => {
    const name = 'urn:x-pathpool:system';
    assert.equal((await fetch(graph(name))).status, 404);
    assert.equal((await put(name, THREE)).status, 409);
    assert.equal((await put(`${BASE}/ldp/x`, THREE)).status, 409);
  });

  it('1.10: a malformed body is reported before a graph that cannot be written', async () => {
    for (const name of ['urn:x-pathpool:system', `${BASE}/ldp/x`]) {
      assert.equal((await put(name, '<')).status, 400);
    }
  });

  it('an unsupported method is rejected with the supported ones', async () => {
    const response = await fetch(`${server.url}/context`, { method: 'PATCH', body: 'x' });
    assert.equal(response.status, 405);
    assert.equal(response.headers.get('allow'), 'GET, HEAD, POST, PUT, DELETE, OPTIONS');
    assert.equal((await fetch(`${server.url}/nothing`)).status, 404);
    assert.equal((await fetch(`${server.url}/context`, { method: 'OPTIONS' })).status, 204);
  });

  it('a graph of many chunks arrives complete, and HEAD returns its headers alone', async () => {
    const rows = Array.from({ length: 20_000 }, (_, i) => `<urn:x:s${i}> <urn:x:p> "value ${i}" .`);
    assert.equal((await put('urn:x:big', rows.join('\n'))).status, 201);
    const text = await (await fetch(graph('urn:x:big', '&format=nt'))).text();
    assert.deepEqual(text.trim().split('\n').sort(), rows.sort());
    const head = await fetch(graph('urn:x:big', '&format=nt'), { method: 'HEAD' });
    assert.equal(head.status, 200);
    assert.equal(await head.text(), '');
  });
});
