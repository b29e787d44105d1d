import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { sharedServer } from '../support/shared-server.ts';

const COMPACTED = 'application/ld+json;profile="http://www.w3.org/ns/json-ld#compacted"';
const EXPANDED = 'application/ld+json;profile="http://www.w3.org/ns/json-ld#expanded"';
const FOAF = 'http://xmlns.com/foaf/0.1/';
const NAME = 'urn:x:profiled';
const context = { foaf: FOAF };
const compact = { '@context': context, '@graph': [{ '@id': NAME, 'foaf:name': 'A' }] };

describe('profiles of JSON-LD over HTTP', () => {
  const server = sharedServer();
  const query = encodeURIComponent(NAME);
  const put = () =>
    fetch(`${server.url}/context?graph=${query}`, {
      method: 'PUT',
      headers: { 'Content-Type': 'text/turtle' },
      body: `<> <${FOAF}name> "A" .`,
    });
  const get = (path: string, accept: string) => fetch(server.url + path, { headers: { Accept: accept } });

  it('G-49: are honoured wherever RDF is read, in Accept', async () => {
    assert.ok((await put()).ok);
    const sparql = `/sparql?query=${encodeURIComponent(`CONSTRUCT WHERE { <${NAME}> <${FOAF}name> ?n }`)}`;
    const meta = `/meta/application/ld+json?uri=${query}`;
    for (const path of [`/context?graph=${query}`, `/store?graph=${query}`, meta, sparql]) {
      const response = await get(path, COMPACTED);
      assert.equal(response.headers.get('content-type'), COMPACTED, path);
      assert.match(response.headers.get('vary') ?? '', /Accept/, path);
      assert.deepEqual(await response.json(), compact, path);
      const expanded = await get(path, EXPANDED);
      assert.equal(expanded.headers.get('content-type'), EXPANDED, path);
      assert.deepEqual(await expanded.json(), [{ '@id': NAME, [`${FOAF}name`]: [{ '@value': 'A' }] }], path);
      assert.notEqual(expanded.headers.get('etag'), response.headers.get('etag') ?? 'none', path);
    }
  });

  it('are honoured in the parameter format, for the data set, and for LDP resources', async () => {
    assert.ok((await put()).ok);
    const format = `format=${encodeURIComponent(COMPACTED)}`;
    const graph = await get(`/context?graph=${query}&${format}`, 'text/turtle');
    assert.deepEqual(await graph.json(), compact);
    const dataset = (await (await get(`/dataset?${format}`, '*/*')).json()) as typeof compact;
    assert.deepEqual(dataset['@context'], context);
    assert.deepEqual(dataset['@graph'], [{ '@id': NAME, '@graph': compact['@graph'] }]);
    for (const profile of [COMPACTED, EXPANDED]) {
      const root = await get('/ldp', profile);
      assert.equal(root.headers.get('content-type'), profile);
      const again = await get('/ldp', profile);
      assert.equal(await again.text(), await root.text());
    }
  });

  it('have entity tags of their own', async () => {
    assert.ok((await put()).ok);
    const path = `/context?graph=${query}`;
    const tag = (await get(path, COMPACTED)).headers.get('etag') ?? '';
    const read = (accept: string) =>
      fetch(server.url + path, { headers: { Accept: accept, 'If-None-Match': tag } });
    assert.equal((await read(COMPACTED)).status, 304);
    assert.equal((await read(EXPANDED)).status, 200);
    assert.equal((await read('application/ld+json')).status, 200);
  });
});
