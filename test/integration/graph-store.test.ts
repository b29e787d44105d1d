import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BASE, startServer } from '../support/server-process.ts';

const TURTLE = { 'Content-Type': 'text/turtle' };
const NT = { Accept: 'application/n-triples' };

test('the graph store over HTTP', async (context) => {
  const { url } = await startServer(context, ['--memory', '--threads', '2']);
  const local = (uri: string | null) => (uri ?? '').replace(BASE, url);
  const lines = async (address: string) =>
    (await (await fetch(address, { headers: NT })).text()).split('\n').filter(Boolean).sort();

  await context.test('a graph by its own URL', async () => {
    const address = `${url}/store/people/anna`;
    const put = await fetch(address, { method: 'PUT', headers: TURTLE, body: '<> <urn:p> <x> .' });
    assert.equal(put.status, 201);
    assert.equal(put.headers.get('location'), `${BASE}/store/people/anna`);
    const expected = [`<${BASE}/store/people/anna> <urn:p> <${BASE}/store/people/x> .`];
    assert.deepEqual(await lines(address), expected);
    const name = encodeURIComponent(`${BASE}/store/people/anna`);
    assert.deepEqual(await lines(`${url}/store?graph=${name}`), expected);
    assert.deepEqual(await lines(`${url}/context?graph=${name}`), expected);
    assert.equal((await fetch(address, { method: 'HEAD' })).status, 200);
    assert.equal((await fetch(address, { method: 'DELETE' })).status, 200);
    assert.equal((await fetch(address, { method: 'HEAD' })).status, 404);
  });

  await context.test('a document posted to the store is a new graph', async () => {
    const post = await fetch(`${url}/store`, { method: 'POST', headers: TURTLE, body: '<> <urn:p> 1 .' });
    assert.equal(post.status, 201);
    const location = post.headers.get('location');
    const [line] = await lines(local(location));
    assert.ok(line?.startsWith(`<${location}> <urn:p>`));
  });

  await context.test('the store itself is the whole data set', async () => {
    const [store, dataset] = await Promise.all(['store', 'dataset'].map((path) => fetch(`${url}/${path}`)));
    assert.equal(store?.headers.get('content-type'), 'application/n-quads');
    assert.equal(store?.headers.get('etag'), dataset?.headers.get('etag'));
    assert.equal(await store?.text(), await dataset?.text());
    assert.equal((await fetch(`${url}/store`, { method: 'HEAD' })).status, 200);
  });

  await context.test('the files of a form are one change, each with blank nodes of its own', async () => {
    const form = new FormData();
    form.append('a', new Blob(['_:b <urn:p> "a" .'], { type: 'text/turtle' }), 'a.ttl');
    form.append('b', new Blob(['_:b <urn:p> "b" .']), 'b.nt');
    const address = `${url}/store?graph=urn:x:form`;
    const made = await fetch(address, { method: 'POST', body: form });
    assert.equal(made.status, 201);
    const subjects = (await lines(address)).map((line) => line.split(' ')[0]);
    assert.equal(new Set(subjects).size, 2);
    form.append('c', new Blob(['this is no Turtle'], { type: 'text/turtle' }), 'c.ttl');
    form.append('d', new Blob(['<urn:s> <urn:p> "d" .'], { type: 'text/turtle' }), 'd.ttl');
    const broken = await fetch(address, { method: 'POST', body: form });
    assert.equal(broken.status, 400);
    assert.equal((await lines(address)).length, 2);
    const more = new FormData();
    more.append('a', new Blob(['<urn:s> <urn:p> 1, 2 .'], { type: 'text/turtle' }), 'a.ttl');
    more.append('b', new Blob(['<urn:s> <urn:p> 2, 3 .'], { type: 'text/turtle' }), 'b.ttl');
    const merged = await fetch(address, { method: 'POST', body: more });
    assert.deepEqual(await merged.json(), { uri: 'urn:x:form', size: 5, added: 3 });
  });

  await context.test('what belongs to the LDP space is refused', async () => {
    const address = `${url}/store?graph=${encodeURIComponent(`${BASE}/ldp/x`)}`;
    const put = await fetch(address, { method: 'PUT', headers: TURTLE, body: '<> <urn:p> 1 .' });
    assert.equal(put.status, 409);
    assert.equal(((await put.json()) as { code: string }).code, 'ldp-managed');
  });
});
