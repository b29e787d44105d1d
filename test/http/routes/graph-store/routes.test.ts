import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failure } from '../../../../src/errors.ts';
import { graphStoreRoutes } from '../../../../src/http/routes/graph-store/routes.ts';
import type { Handler, HttpResponse } from '../../../../src/http/server/message.ts';
import { Router } from '../../../../src/http/server/router.ts';
import { bodyJson, bodyText, type FakeRequestOptions, fakeRequest, headerOf } from '../../fake-request.ts';
import { base, FakeContexts, G } from '../fake-contexts.ts';

const place = `${base}/store`;
const byG = `/store?graph=${encodeURIComponent(G)}`;
const MAX_BYTES = 50_000;
const turtle = { headers: { 'content-type': 'text/turtle' }, body: '<> a <x:y> .' };

function setUp() {
  const contexts = new FakeContexts();
  const readAll: Handler = ({ method }) => ({ status: 200, headers: [], body: `${method} all` });
  const router = new Router(
    graphStoreRoutes(contexts, { base, maxBytes: MAX_BYTES, earlier: { read: () => undefined } }, readAll),
  );
  const ask = async (method: string, target: string, options?: FakeRequestOptions): Promise<HttpResponse> =>
    router.handle(fakeRequest(method, target, options));
  return { contexts, ask };
}

/** A form with files, as clients send it. */
function form(...parts: readonly string[]): FakeRequestOptions {
  const body = parts.map((part) => `--frontier\r\n${part}\r\n`).join('');
  return {
    headers: { 'content-type': 'multipart/form-data; boundary=frontier' },
    body: `${body}--frontier--\r\n`,
  };
}

function part(disposition: string, type: string | undefined, body: string): string {
  const lines = [
    `Content-Disposition: form-data; ${disposition}`,
    ...(type ? [`Content-Type: ${type}`] : []),
  ];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

test('a graph is named by parameter, or is the request URI itself', async () => {
  const { contexts, ask } = setUp();
  const graphs = [G, `${base}/context/default`, `${place}/a/b%20c`];
  for (const graph of graphs) contexts.graphs.set(graph, 1);
  for (const target of [byG, '/store?default', '/store/a/b%20c']) {
    assert.equal((await ask('GET', target)).status, 200, target);
    assert.equal((await ask('HEAD', target)).status, 200, target);
  }
  assert.deepEqual(
    contexts.reads.map((read) => read.split(' ')[0]),
    graphs,
  );
  for (const target of [byG, '/store?default', '/store/a/b%20c']) {
    assert.equal((await ask('PUT', target, turtle)).status, 204);
    assert.equal((await ask('DELETE', target)).status, 200);
  }
  assert.deepEqual(contexts.removed, graphs);
  assert.deepEqual(
    contexts.written.map(({ kind, graph, payload }) => [kind, graph, payload.baseIri]),
    graphs.map((graph) => ['replace', graph, graph]),
  );
});

test('a created graph is found at its Location', async () => {
  const { ask } = setUp();
  const byParameter = await ask('PUT', '/store?graph=urn:x:new', turtle);
  assert.equal(byParameter.status, 201);
  assert.equal(headerOf(byParameter, 'location'), `${place}?graph=urn%3Ax%3Anew`);
  const direct = await ask('PUT', '/store/new', turtle);
  assert.equal(headerOf(direct, 'location'), `${place}/new`);
});

test('a document posted to the store creates a graph', async () => {
  const { contexts, ask } = setUp();
  const locations = new Set<string | undefined>();
  for (let i = 0; i < 2; i++) {
    const response = await ask('POST', '/store', turtle);
    assert.equal(response.status, 201);
    const location = headerOf(response, 'location');
    locations.add(location);
    assert.match(location!, /^https:\/\/data\.example\.org\/store\/store\/[0-9a-f-]{36}$/);
    assert.equal(contexts.written.at(-1)?.graph, location);
    assert.equal(contexts.written.at(-1)?.payload.baseIri, location);
  }
  assert.equal(locations.size, 2);
});

test('GET of the store itself returns all graphs', async () => {
  const { contexts, ask } = setUp();
  for (const target of ['/store', '/store?format=nq']) {
    assert.equal(bodyText(await ask('GET', target)), 'GET all');
    assert.equal((await ask('HEAD', target)).status, 200);
  }
  assert.deepEqual(contexts.reads, []);
});

test('a request without a graph or with an invalid graph name is rejected', async () => {
  const { contexts, ask } = setUp();
  for (const [method, target, status, code] of [
    ['PUT', '/store', 400, 'missing-parameter'],
    ['DELETE', '/store', 400, 'missing-parameter'],
    ['GET', '/store?graph=relative', 400, 'bad-iri'],
    ['GET', `${byG}&default`, 400, 'bad-query'],
    ['GET', '/store/a%zz', 400, 'bad-iri'],
    ['GET', '/store?graph=', 400, 'bad-iri'],
    ['PUT', '/store/a?graph=urn:x:b', 400, 'bad-query'],
    ['DELETE', '/store/a?default', 400, 'bad-query'],
    ['PUT', '/store?graph=%20&default', 400, 'bad-iri'],
    ['POST', '/store?graph=', 400, 'bad-iri'],
    ['POST', '/store?graph', 400, 'bad-iri'],
    ['PUT', `${byG}&graph=urn:x:other`, 400, 'bad-query'],
    ['GET', '/store/none', 404, 'graph-not-found'],
    ['DELETE', '/store/none', 404, 'graph-not-found'],
    ['PATCH', byG, 405, 'method-not-allowed'],
    ['PUT', byG, 415, 'unsupported-media-type'],
  ] as const) {
    const response = await ask(method, target);
    assert.deepEqual([response.status, response.code], [status, code], `${method} ${target}`);
  }
  assert.deepEqual(contexts.written, []);
});

test('entity tags and preconditions work as for /context', async () => {
  const { contexts, ask } = setUp();
  const response = await ask('GET', byG, { headers: { 'if-none-match': '"s1-turtle.2"' } });
  assert.equal(response.status, 304);
  const headers = { ...turtle.headers, 'if-match': '"s0-turtle"' };
  assert.equal((await ask('PUT', byG, { ...turtle, headers })).status, 412);
  const create = { ...turtle.headers, 'if-none-match': '*' };
  assert.equal((await ask('PUT', byG, { ...turtle, headers: create })).status, 412);
  assert.deepEqual(contexts.written, []);
});

test('the files of a form are merged into the graph', async () => {
  const { contexts, ask } = setUp();
  const response = await ask(
    'POST',
    byG,
    form(
      part('name="a"; filename="a.ttl"', 'text/turtle; charset=utf-8', '<> a <x:é> .'),
      part('name="b"; filename="b.nt"', 'application/octet-stream', '<x:s> <x:p> "1" .'),
      part('name="c"', 'application/rdf+xml', '<r/>\r\n'),
      part('name="d"; filename="d.TTL"', 'text/plain', ''),
    ),
  );
  assert.equal(response.status, 200);
  assert.deepEqual(
    contexts.written.map(({ kind, graph, payload }) => [
      kind,
      graph,
      payload.mediaType,
      payload.baseIri,
      Buffer.from(payload.body).toString(),
    ]),
    [
      ['merge', G, 'text/turtle', G, '<> a <x:é> .'],
      ['merge', G, 'application/n-triples', G, '<x:s> <x:p> "1" .'],
      ['merge', G, 'application/rdf+xml', G, '<r/>\r\n'],
      ['merge', G, 'text/turtle', G, ''],
    ],
  );
  const one = await ask('POST', '/store', form(part('name="a"', 'text/turtle', '<> a <x:y> .')));
  assert.equal(one.status, 201);
  assert.equal(contexts.written.at(-1)?.graph, headerOf(one, 'location'));
});

test('the files of a form may have charsets (G-61)', async () => {
  const { contexts, ask } = setUp();
  const folded = 'text/turtle;\r\n charset="Windows-1252"';
  const named = form(
    part('name="a"', folded, ''),
    part('name="b"', 'text/turtle', ''),
    part('name="c"', 'application/rdf+xml; charset=latin1', ''),
    part('name="d"', 'application/trig; charset=latin1', ''),
    part('name="e"; filename="e.nt"', 'text/plain; charset=latin1', ''),
  );
  assert.equal((await ask('POST', byG, named)).status, 200);
  const charsets = contexts.written.map(({ payload }) => payload.charset);
  assert.deepEqual(charsets, ['windows-1252', undefined, 'windows-1252', undefined, undefined]);
  const unknown = await ask('POST', byG, form(part('name="a"', 'text/turtle; charset=x', '')));
  assert.deepEqual([unknown.status, unknown.code], [415, 'unsupported-media-type']);
});

test('a malformed form is rejected, and stores nothing', async () => {
  const { contexts, ask } = setUp();
  const whole = form(part('name="a"', 'text/turtle', 'x'));
  const png = await ask('POST', byG, form(part('name="a"; filename="a.png"', 'image/png', 'x')));
  assert.equal(png.code, 'unsupported-media-type');
  const cut = await ask('POST', byG, { ...whole, body: String(whole.body).slice(0, -20) });
  assert.equal(cut.code, 'parse-error');
  const noBoundary = { ...whole, headers: { 'content-type': 'multipart/form-data' } };
  assert.equal((await ask('POST', byG, noBoundary)).code, 'parse-error');
  const many = form(...Array.from({ length: 101 }, (_, i) => part(`name="p${i}"`, 'text/turtle', '')));
  assert.equal((await ask('POST', byG, many)).code, 'too-large');
  const long = form(part('name="a"', 'text/turtle', 'x'.repeat(MAX_BYTES)));
  assert.equal((await ask('POST', byG, long)).code, 'too-large');
  assert.equal((await ask('PUT', byG, whole)).status, 415);
  assert.deepEqual(contexts.written, []);
  contexts.forbidden = failure('ldp-managed', 'Not here.').error;
  assert.equal((await ask('POST', byG, whole)).status, 409);
});

test('forms are listed as accepted for POST and not for PUT', async () => {
  const { ask } = setUp();
  const pdf = { headers: { 'content-type': 'application/pdf' }, body: 'x' };
  for (const target of [byG, '/store', '/store/a']) {
    const post = await ask('POST', target, pdf);
    assert.equal(post.status, 415);
    assert.match(headerOf(post, 'accept') ?? '', /text\/turtle.*multipart\/form-data/);
  }
  assert.doesNotMatch(headerOf(await ask('PUT', byG, pdf), 'accept') ?? '', /multipart/);
});

test('a form with an ignored or mistyped part is rejected', async () => {
  const { contexts, ask } = setUp();
  const good = part('name="a"', 'text/turtle', '<> a <x:y> .');
  const type = 'Content-Type: text/turtle';
  for (const bad of [
    `${type}\r\n\r\n<> a <x:z> .`,
    `Content-Disposition: attachment; filename="b.ttl"\r\n${type}\r\n\r\n<> a <x:z> .`,
    `Content-Disposition: form-data; name="b"\r\nX: ${'x'.repeat(20_000)}\r\n${type}\r\n\r\n<> a <x:z> .`,
    '\r\n<> a <x:z> .',
  ]) {
    for (const boundary of ['frontier', '"frontier"', 'frontier; charset=utf-8']) {
      const headers = { 'content-type': `multipart/form-data; boundary=${boundary}` };
      const response = await ask('POST', byG, { ...form(good, bad, good), headers });
      assert.deepEqual([response.status, response.code], [400, 'parse-error'], bad.slice(0, 80));
      assert.equal((await ask('POST', byG, { ...form(good, good), headers })).status, 200);
    }
  }
  const fields = Array.from({ length: 200 }, (_, n) => `X-${n}: x\r\n`).join('');
  assert.equal((await ask('POST', byG, form(fields + good))).status, 200);
  assert.ok(contexts.written.every(({ payload }) => Buffer.from(payload.body).toString() === '<> a <x:y> .'));
});

test('a store with disabled writes rejects a document before it reads the body', async () => {
  const { contexts, ask } = setUp();
  contexts.forbidden = failure('writes-disabled', 'The disk is full.').error;
  const response = await ask('POST', '/store', turtle);
  assert.equal(response.status, 503);
  assert.equal((bodyJson(response) as { code: string }).code, 'writes-disabled');
});
