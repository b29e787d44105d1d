import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BASE } from '../support/server-process.ts';
import { sharedServer } from '../support/shared-server.ts';

const TURTLE = { 'Content-Type': 'text/turtle' };
const NT = { Accept: 'application/n-triples' };

describe('the graph store over HTTP', () => {
  const server = sharedServer();
  const local = (uri: string | null) => (uri ?? '').replace(BASE, server.url);
  const lines = async (address: string) =>
    (await (await fetch(address, { headers: NT })).text()).split('\n').filter(Boolean).sort();

  it('addresses a graph by its own URL', async () => {
    const address = `${server.url}/store/people/anna`;
    const put = await fetch(address, { method: 'PUT', headers: TURTLE, body: '<> <urn:p> <x> .' });
    assert.equal(put.status, 201);
    assert.equal(put.headers.get('location'), `${BASE}/store/people/anna`);
    const expected = [`<${BASE}/store/people/anna> <urn:p> <${BASE}/store/people/x> .`];
    assert.deepEqual(await lines(address), expected);
    const name = encodeURIComponent(`${BASE}/store/people/anna`);
    assert.deepEqual(await lines(`${server.url}/store?graph=${name}`), expected);
    assert.deepEqual(await lines(`${server.url}/context?graph=${name}`), expected);
    assert.equal((await fetch(address, { method: 'HEAD' })).status, 200);
    assert.equal((await fetch(address, { method: 'DELETE' })).status, 200);
    assert.equal((await fetch(address, { method: 'HEAD' })).status, 404);
  });

  it('makes a new graph of a document posted to the store', async () => {
    const post = await fetch(`${server.url}/store`, {
      method: 'POST',
      headers: TURTLE,
      body: '<> <urn:p> 1 .',
    });
    assert.equal(post.status, 201);
    const location = post.headers.get('location');
    const [line] = await lines(local(location));
    assert.ok(line?.startsWith(`<${location}> <urn:p>`));
  });

  it('returns the data set at the URL of the store', async () => {
    const graph = `${server.url}/store?graph=urn:x:member`;
    await fetch(graph, { method: 'PUT', headers: TURTLE, body: '<urn:x:s> <urn:x:p> 1 .' });
    const [store, dataset] = await Promise.all(
      ['store', 'dataset'].map((path) => fetch(`${server.url}/${path}`)),
    );
    assert.equal(store?.headers.get('content-type'), 'application/n-quads');
    assert.equal(store?.headers.get('etag'), dataset?.headers.get('etag'));
    const text = await store?.text();
    assert.match(text ?? '', /<urn:x:member>/);
    assert.equal(text, await dataset?.text());
    assert.equal((await fetch(`${server.url}/store`, { method: 'HEAD' })).status, 200);
  });

  it('stores the files of a form in one change, each with blank nodes of its own', async () => {
    const form = new FormData();
    form.append('a', new Blob(['_:b <urn:p> "a" .'], { type: 'text/turtle' }), 'a.ttl');
    form.append('b', new Blob(['_:b <urn:p> "b" .']), 'b.nt');
    const address = `${server.url}/store?graph=urn:x:form`;
    const made = await fetch(address, { method: 'POST', body: form });
    assert.equal(made.status, 201);
    const subjects = (await lines(address)).map((line) => line.split(' ')[0]);
    assert.equal(new Set(subjects).size, 2);
  });

  it('stores no file of a form with a malformed file', async () => {
    const form = new FormData();
    form.append('a', new Blob(['<urn:s> <urn:p> "a" .'], { type: 'text/turtle' }), 'a.ttl');
    form.append('b', new Blob(['_:b <urn:p> "b" .']), 'b.nt');
    form.append('c', new Blob(['this is no Turtle'], { type: 'text/turtle' }), 'c.ttl');
    form.append('d', new Blob(['<urn:s> <urn:p> "d" .'], { type: 'text/turtle' }), 'd.ttl');
    const address = `${server.url}/store?graph=urn:x:malformed`;
    const init = { method: 'PUT', headers: TURTLE, body: '<urn:s> <urn:p> "1", "2" .' };
    assert.equal((await fetch(address, init)).status, 201);
    const broken = await fetch(address, { method: 'POST', body: form });
    assert.equal(broken.status, 400);
    assert.equal((await lines(address)).length, 2);
  });

  it('counts a triple that two files of a form contain once', async () => {
    const more = new FormData();
    more.append('a', new Blob(['<urn:s> <urn:p> 1, 2 .'], { type: 'text/turtle' }), 'a.ttl');
    more.append('b', new Blob(['<urn:s> <urn:p> 2, 3 .'], { type: 'text/turtle' }), 'b.ttl');
    const address = `${server.url}/store?graph=urn:x:counted`;
    const init = { method: 'PUT', headers: TURTLE, body: '<urn:s> <urn:p> "a", "b" .' };
    assert.equal((await fetch(address, init)).status, 201);
    const merged = await fetch(address, { method: 'POST', body: more });
    assert.deepEqual(await merged.json(), { uri: 'urn:x:counted', size: 5, added: 3 });
  });

  it('rejects a graph that belongs to an LDP resource', async () => {
    const address = `${server.url}/store?graph=${encodeURIComponent(`${BASE}/ldp/x`)}`;
    const put = await fetch(address, { method: 'PUT', headers: TURTLE, body: '<> <urn:p> 1 .' });
    assert.equal(put.status, 409);
    assert.equal(((await put.json()) as { code: string }).code, 'ldp-managed');
  });
});
