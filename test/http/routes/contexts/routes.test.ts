import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError, failure, toErrorData } from '../../../../src/errors.ts';
import { contextRoutes } from '../../../../src/http/routes/contexts/routes.ts';
import { Router } from '../../../../src/http/server/router.ts';
import { bodyJson, bodyText, type FakeRequestOptions, fakeRequest, headerOf } from '../../fake-request.ts';
import { base, FakeContexts, G } from '../fake-contexts.ts';

const notWatched = () => assert.fail('No test watches.');

const byG = `/context?graph=${encodeURIComponent(G)}`;

function setUp(): { contexts: FakeContexts; ask: Ask } {
  const contexts = new FakeContexts();
  const router = new Router(
    contextRoutes(contexts, {
      base,
      maxBytes: 1000,
      earlier: { read: () => undefined },
      watch: { follow: notWatched },
    }),
  );
  const ask: Ask = async (method, target, options) =>
    await router.handle(fakeRequest(method, target, options));
  return { contexts, ask };
}
type Ask = (
  method: string,
  target: string,
  options?: FakeRequestOptions,
) => Promise<Awaited<ReturnType<Router['handle']>>>;

const turtle = { headers: { 'content-type': 'text/turtle' }, body: '<> a <x:y> .' };
const code = (response: Parameters<typeof bodyJson>[0]) => (bodyJson(response) as { code: string }).code;

test('C-11, C-12, G-55, G-70, G-81: GET gives the graph in Turtle with validators, a file name and its canonical address', async () => {
  const { contexts, ask } = setUp();
  const response = await ask('GET', byG);
  assert.equal(response.status, 200);
  assert.equal(bodyText(response), 'document');
  assert.deepEqual(contexts.reads, [`${G} text/turtle`]);
  const url = `${base}/context?graph=http%3A%2F%2Fexample.org%2Fg1`;
  assert.deepEqual(response.headers, [
    ['ETag', '"s1-turtle.2"'],
    ['Last-Modified', 'Thu, 01 Jan 2026 11:59:58 GMT'],
    ['Vary', 'Accept, Accept-Datetime'],
    ['Cache-Control', 'no-cache'],
    ['Content-Type', 'text/turtle; charset=utf-8'],
    ['Content-Disposition', 'attachment; filename="g1.ttl"'],
    ['Link', `<${url}>; rel="canonical"`],
    ['Link', `<${url}>; rel="original timegate"`],
  ]);
});

test('Accept chooses the type, format overrides it, and JSON means RDF/JSON', async () => {
  const { ask } = setUp();
  const type = async (accept: string, format = '') =>
    headerOf(await ask('GET', `${byG}${format}`, { headers: { accept } }), 'content-type');
  assert.equal(await type('application/rdf+xml'), 'application/rdf+xml');
  assert.equal(await type('text/turtle', '&format=nt'), 'application/n-triples');
  assert.equal(await type('text/turtle', '&format=application/rdf+json'), 'application/rdf+json');
  assert.equal(await type('application/json'), 'application/json');
  assert.equal(headerOf(await ask('GET', `${byG}&format=json`), 'etag'), '"s1-rdfjson"');
});

test('an unsupported type gets 406 with the supported ones', async () => {
  const { contexts, ask } = setUp();
  for (const [target, accept] of [
    [`${byG}&format=pdf`, '*/*'],
    [byG, 'image/png, application/problem+json;q=0.1'],
  ] as const) {
    const response = await ask('GET', target, { headers: { accept } });
    assert.equal(response.status, 406);
    assert.ok((bodyJson(response) as { available: string[] }).available.includes('text/turtle'));
  }
  assert.deepEqual(contexts.reads, []);
});

test('C-3: the request target names the graph', async () => {
  const { contexts, ask } = setUp();
  for (const graph of ['abc', 'a/b/', 'a%20b', 'default']) contexts.graphs.set(`${base}/context/${graph}`, 1);
  contexts.graphs.set(`${base}/context/list`, 1);
  for (const target of [
    byG,
    '/context?default',
    '/context?default=',
    '/context/abc',
    '/context/a/b/',
    '/context/a%20b',
    `/context?graph=${encodeURIComponent(`${base}/context/list`)}`,
    '/context?graph=&default',
  ]) {
    assert.equal((await ask('GET', target)).status, 200, target);
  }
  assert.deepEqual(
    contexts.reads.map((read) => read.split(' ')[0]),
    [
      G,
      ...['default', 'default', 'abc', 'a/b/', 'a%20b', 'list', 'default'].map(
        (name) => `${base}/context/${name}`,
      ),
    ],
  );
});

test('C-1, G-15: a graph name that is not an absolute IRI, or given twice, gets 400', async () => {
  const { ask } = setUp();
  for (const method of ['GET', 'PUT', 'POST', 'DELETE']) {
    assert.equal(code(await ask(method, '/context?graph=foo')), 'bad-iri');
    assert.equal(code(await ask(method, '/context?graph=http%3A%2F%2Fa%2F%20b')), 'bad-iri');
    assert.equal(code(await ask(method, '/context/a%zz')), 'bad-iri');
    assert.equal(code(await ask(method, `${byG}&default`)), 'bad-query');
    assert.equal(code(await ask(method, '/context?graph=%FF')), 'bad-query');
  }
});

test('GET and DELETE of a missing graph get 404', async () => {
  const { ask } = setUp();
  for (const method of ['GET', 'HEAD', 'DELETE']) {
    const response = await ask(method, '/context?graph=urn:x:none');
    assert.equal(response.status, 404);
    assert.deepEqual(
      [code(response), (bodyJson(response) as { uri: string }).uri],
      ['graph-not-found', 'urn:x:none'],
    );
  }
});

test('HEAD returns the headers of GET and serialises no document', async () => {
  const { contexts, ask } = setUp();
  const head = await ask('HEAD', byG);
  assert.deepEqual(head.headers, (await ask('GET', byG)).headers);
  assert.equal(contexts.reads.length, 1);
});

test('a client with the current representation gets 304 with its validators', async () => {
  const { contexts, ask } = setUp();
  const response = await ask('GET', byG, { headers: { 'if-none-match': '"s1-turtle.2"' } });
  assert.equal(response.status, 304);
  assert.deepEqual(
    response.headers.map(([name]) => name),
    ['ETag', 'Last-Modified', 'Vary', 'Cache-Control'],
  );
  const other = { 'if-none-match': '"s1-turtle.2"', accept: 'application/n-triples' };
  assert.equal((await ask('GET', byG, { headers: other })).status, 200);
  assert.equal((await ask('GET', byG, { headers: { 'if-match': '"s0-nt"' } })).status, 412);
  assert.equal(contexts.reads.length, 1);
});

test('C-14, G-2: a new graph gets 201 with a Location below the configured base', async () => {
  const { contexts, ask } = setUp();
  for (const [target, location] of [
    ['/context?graph=urn:x:g', `${base}/context?graph=urn%3Ax%3Ag`],
    ['/context/new', `${base}/context/new`],
    ['/context', `${base}/context?graph=${encodeURIComponent(`${base}/context`)}`],
    ['/context?default', `${base}/context?graph=${encodeURIComponent(`${base}/context/default`)}`],
  ] as const) {
    for (const method of ['PUT', 'POST']) {
      contexts.graphs.clear();
      const response = await ask(method, target, { ...turtle, headers: { ...turtle.headers, host: 'evil' } });
      assert.equal(response.status, 201);
      assert.equal(headerOf(response, 'location'), location);
      contexts.graphs.set(G, 3);
      assert.equal((await ask('GET', new URL(location).href.slice(base.length))).status, 200);
    }
  }
});

test('C-15: PUT of an existing graph gets 204, POST gets 200 with counts, or 204 for an empty payload', async () => {
  const { contexts, ask } = setUp();
  assert.equal((await ask('PUT', byG, turtle)).status, 204);
  const merged = await ask('POST', byG, turtle);
  assert.equal(merged.status, 200);
  assert.deepEqual(bodyJson(merged), { uri: G, size: 5, added: 2 });
  contexts.payloadSize = 0;
  assert.equal((await ask('POST', byG, turtle)).status, 204);
  assert.deepEqual(
    contexts.written.map(({ kind }) => kind),
    ['replace', 'merge', 'merge'],
  );
});

test('the service gets the payload with its canonical type and the graph name as base', async () => {
  const { contexts, ask } = setUp();
  const send = async (contentType: string, more: Record<string, string> = {}) => {
    await ask('PUT', byG, { headers: { 'content-type': contentType, ...more }, body: 'x' });
    const { body: _, ...head } = contexts.written.at(-1)!.payload;
    return head;
  };
  assert.deepEqual(await send('application/x-turtle; charset=UTF-8'), {
    mediaType: 'text/turtle',
    gzip: false,
    baseIri: G,
  });
  assert.deepEqual(await send('text/turtle;charset="ISO-8859-1"', { 'content-encoding': 'gzip' }), {
    mediaType: 'text/turtle',
    charset: 'windows-1252',
    gzip: true,
    baseIri: G,
  });
  assert.equal((await send('text/plain; charset=latin1')).charset, undefined, 'N-Triples are always UTF-8');
  assert.equal((await send('application/json')).mediaType, 'application/rdf+json');
});

test('C-13, G-104: unsupported types, charsets and codings get 415', async () => {
  const { contexts, ask } = setUp();
  const put = (headers: Record<string, string>) => ask('PUT', byG, { headers, body: 'x' });
  for (const type of [
    'text/csv',
    'multipart/form-data; boundary=x',
    'nonsense',
    'text/turtle; charset=klingon',
  ]) {
    assert.equal(code(await put({ 'content-type': type })), 'unsupported-media-type', type);
  }
  const missing = await put({});
  assert.equal(missing.status, 415);
  assert.match(headerOf(missing, 'accept')!, /text\/turtle/);
  const unknownCharset = await put({ 'content-type': 'text/turtle; charset=klingon' });
  assert.match(headerOf(unknownCharset, 'accept')!, /text\/turtle/, 'G-105');
  assert.ok((bodyJson(unknownCharset) as { available: string[] }).available.includes('text/turtle'), 'G-105');
  const coded = await put({ 'content-type': 'text/turtle', 'content-encoding': 'br' });
  assert.equal(coded.status, 415);
  assert.equal(headerOf(coded, 'accept-encoding'), 'gzip, identity');
  assert.equal(contexts.written.length, 0);
});

test('C-22, G-78: a failed precondition gets 412 before the body is read, and otherwise the store checks it', async () => {
  const { contexts, ask } = setUp();
  const put = (target: string, headers: Record<string, string>) =>
    ask('PUT', target, { headers: { ...turtle.headers, ...headers }, body: 'x'.repeat(2000) });
  assert.equal((await put(byG, { 'if-none-match': '*' })).status, 412);
  assert.equal((await put(byG, { 'if-match': '"s0-turtle"' })).status, 412);
  assert.equal((await put('/context?graph=urn:new', { 'if-match': '*' })).status, 412);
  assert.equal(
    (await put(byG, { 'if-match': '"s1-nt"' })).status,
    413,
    'the condition holds, the body is too large',
  );
  await ask('PUT', byG, { ...turtle, headers: { ...turtle.headers, 'if-match': '"s1-nt"' } });
  assert.deepEqual(contexts.written[0]!.precondition, { graph: G, match: ['s1'] });
  contexts.writeError = toErrorData(new AppError('precondition-failed', 'Changed meanwhile.'));
  assert.equal((await ask('POST', byG, turtle)).status, 412);
});

test('errors are reported in the order of the specification', async () => {
  const { contexts, ask } = setUp();
  contexts.forbidden = toErrorData(new AppError('server-managed', 'No.'));
  const put = async (headers: Record<string, string>, body = 'x') =>
    (await ask('PUT', byG, { headers, body })).status;
  assert.equal(await put({ 'content-type': 'text/csv', 'if-none-match': '*' }), 415);
  assert.equal(await put({ 'content-type': 'text/turtle', 'if-none-match': '*' }), 412);
  assert.equal(await put({ 'content-type': 'text/turtle' }, 'x'.repeat(2000)), 413);
  assert.equal(await put({ 'content-type': 'text/turtle' }), 409);
  contexts.forbidden = toErrorData(new AppError('writes-disabled', 'The disk is full.'));
  assert.equal(await put({ 'content-type': 'text/csv' }), 503);
  assert.equal(contexts.written.length, 0);
});

test('C-18 to C-20: DELETE gets 200, and /context alone means the graph of that name', async () => {
  const { contexts, ask } = setUp();
  assert.equal((await ask('DELETE', byG)).status, 200);
  assert.equal((await ask('DELETE', byG)).status, 404);
  assert.equal((await ask('DELETE', '/context')).status, 404);
  contexts.graphs.set(`${base}/context`, 1);
  assert.equal((await ask('DELETE', '/context')).status, 200);
  assert.equal((await ask('DELETE', '/context?default')).status, 200);
  assert.deepEqual(contexts.removed, [G, `${base}/context`, contexts.defaultGraph]);
});

test('DELETE of a missing graph gets 404 whatever its preconditions, and of a managed graph 409', async () => {
  const { contexts, ask } = setUp();
  const missing = '/context?graph=urn:x:none';
  assert.equal((await ask('DELETE', missing, { headers: { 'if-match': '"s0"' } })).status, 404);
  assert.equal((await ask('DELETE', byG, { headers: { 'if-match': '"s0"' } })).status, 412);
  contexts.forbidden = toErrorData(new AppError('server-managed', 'No.'));
  assert.equal((await ask('DELETE', missing)).status, 409);
  assert.equal((await ask('DELETE', byG)).status, 409);
  assert.deepEqual(contexts.removed, []);
});

test('C-32: the list is at both its addresses, without an entity tag', async () => {
  const { contexts, ask } = setUp();
  for (const target of ['/context', '/context/list', '/context/list/', '/context?graph=']) {
    const response = await ask('GET', target);
    assert.deepEqual(bodyJson(response), [contexts.defaultGraph, G], target);
    assert.equal(headerOf(response, 'content-type'), 'application/json');
    assert.equal(headerOf(response, 'content-location'), `${base}/context/list`);
    assert.equal(headerOf(response, 'etag'), undefined);
  }
});

test('the list has the parameters labels, filter, offset and limit', async () => {
  const { contexts, ask } = setUp();
  await ask('GET', '/context/list');
  assert.deepEqual(contexts.listed, { labels: false, onlyLocal: false, offset: 0, limit: undefined });
  const labelled = await ask('GET', '/context?labels&filter=no&offset=2&limit=10');
  assert.deepEqual(contexts.listed, { labels: true, onlyLocal: true, offset: 2, limit: 10 });
  assert.deepEqual(bodyJson(labelled), [{ uri: G, label: 'g1', size: 3 }]);
  for (const bad of ['offset=-1', 'limit=x', 'limit=1.5', 'offset=1e3', 'limit=99999999999999999999']) {
    assert.equal((await ask('GET', `/context/list?${bad}`)).status, 400, bad);
  }
});

test('a list that cannot be started gets its error', async () => {
  const { contexts, ask } = setUp();
  contexts.listError = failure('overloaded', 'Too much to do.', { retryAfter: 1 });
  const response = await ask('GET', '/context/list?labels');
  assert.deepEqual([response.status, code(response)], [503, 'overloaded']);
});

test('C-30: a client that does not accept JSON gets 406 for the list', async () => {
  const { ask } = setUp();
  assert.equal((await ask('GET', '/context', { headers: { accept: 'text/turtle' } })).status, 406);
  assert.equal((await ask('GET', '/context', { headers: { accept: 'text/html, */*;q=0.1' } })).status, 200);
});

test('C-23: Allow names the methods of each path', async () => {
  const { ask } = setUp();
  for (const [path, allow] of [
    ['/context', 'GET, HEAD, POST, PUT, DELETE, OPTIONS'],
    ['/context/abc', 'GET, HEAD, POST, PUT, DELETE, OPTIONS'],
    ['/context/list', 'GET, HEAD, OPTIONS'],
  ] as const) {
    assert.equal(headerOf(await ask('OPTIONS', path), 'allow'), allow);
    const patch = await ask('PATCH', path);
    assert.equal(patch.status, 405);
    assert.equal(headerOf(patch, 'allow'), allow);
  }
});
