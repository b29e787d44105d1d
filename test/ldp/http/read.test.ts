import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { HttpResponse } from '../../../src/http/server/message.ts';
import { Router } from '../../../src/http/server/router.ts';
import { ldpRoutes } from '../../../src/ldp/http/routes.ts';
import type { Ldp, LiveEntry } from '../../../src/ldp/http/service.ts';
import { bodyText, fakeRequest, headerOf } from '../../http/fake-request.ts';
import { plainVariants } from '../../http/no-prefixes.ts';

const base = 'http://example.org';

/** A space with resources that tests set, and documents that count how often they are written. */
function setUp() {
  const entries = new Map<string, LiveEntry | 'gone'>();
  const asked = { entries: 0, documents: 0 };
  let version = 1;
  let long = false;
  const never = () => Promise.reject(new Error('not here'));
  const ldp: Ldp = {
    space: {
      root: `${base}/ldp`,
      get version() {
        return version;
      },
      entry(uri) {
        asked.entries++;
        return entries.get(uri);
      },
      shown(uri) {
        return this.entry(uri);
      },
      isShown: () => true,
      content: () => undefined,
      state: ({ sequence }) => `s${sequence}`,
    },
    documents: {
      shown: never,
      read({ uri }, mediaType) {
        asked.documents++;
        // As threads give them: in a buffer that is longer.
        const bytes = Buffer.concat([Buffer.from(`${uri} as ${mediaType}`), Buffer.alloc(65_536)]).subarray(
          0,
          -65_536,
        );
        const value = long
          ? (async function* () {
              yield bytes;
            })()
          : bytes;
        return Promise.resolve({ ok: true, value });
      },
    },
    writes: { post: never, put: never, patch: never, remove: never },
    content: { read: never },
  };
  const options = {
    base,
    maxDocument: 100,
    maxContent: 100,
    maxPatch: 100,
    variants: plainVariants,
    watch: { follow: never },
  };
  const router = new Router(ldpRoutes(ldp, options));
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    router.handle(fakeRequest(method, path, { headers }));
  const at = (path: string, sequence: number, modified = 1_000_000) =>
    entries.set(`${base}${path}`, { kind: 'rdf-source', sequence, modified });
  at('/ldp/x', 1);
  return {
    entries,
    asked,
    get,
    at,
    /** Another snapshot is there. */
    publish() {
      version++;
    },
    streamAll() {
      long = true;
    },
  };
}

/** The response, which must be there at once. */
function atOnce(response: HttpResponse | Promise<HttpResponse>): HttpResponse {
  assert.ok(!(response instanceof Promise));
  return response;
}

test('L-60, 5.2: an unsupported method is rejected with the links and methods of the resource', async () => {
  const { get, entries } = setUp();
  entries.set(`${base}/ldp/old`, 'gone');
  const rel = 'http://www.w3.org/ns/ldp#constrainedBy';
  const all = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS';
  for (const [path, allow, isThere] of [
    ['/ldp/x', 'GET, HEAD, PUT, PATCH, DELETE, OPTIONS', true],
    ['/ldp/x/', all, false],
    ['/ldp/none', all, false],
    ['/ldp/old', all, false],
    ['/ldp//', all, false],
  ] as const) {
    for (const [method, status] of [
      ['TRACE', 405],
      ['FROB', 501],
    ] as const) {
      const response = await get(path, {}, method);
      assert.equal(response.status, status, path);
      assert.equal(headerOf(response, 'Allow'), status === 405 ? allow : undefined);
      const link = headerOf(response, 'Link') ?? '';
      assert.ok(link.includes(`<${base}/constraints/ldp>; rel="${rel}"`), link);
      assert.equal(link.includes('ldp#RDFSource'), isThere, path);
    }
  }
});

test('a cached document is returned at once with the same headers, without a lookup', async () => {
  const { get, asked } = setUp();
  const first = await get('/ldp/x');
  assert.equal(bodyText(first), `${base}/ldp/x as text/turtle`);
  const before = { ...asked };
  const second = atOnce(get('/ldp/x'));
  const third = atOnce(get('/ldp/x', { Accept: '*/*' }));
  assert.equal(second.body, first.body);
  assert.equal((second.body as Uint8Array).buffer.byteLength, bodyText(first).length);
  assert.equal(second.headers, third.headers);
  assert.equal(second.lines, third.lines);
  assert.deepEqual(asked, before);
  const head = atOnce(get('/ldp/x', {}, 'HEAD'));
  assert.equal(head.headers, second.headers);
  assert.equal(head.lines, second.lines);
});

test('a 304 is returned at once, even if the document was never requested', async () => {
  const { get, asked } = setUp();
  const head = await get('/ldp/x', {}, 'HEAD');
  const condition = { 'If-None-Match': headerOf(head, 'ETag') ?? '' };
  const [first, second] = [atOnce(get('/ldp/x', condition)), atOnce(get('/ldp/x', condition))];
  assert.deepEqual([first.status, second.status], [304, 304]);
  assert.equal(first.headers, second.headers);
  assert.ok(first.lines !== undefined && first.lines === second.lines);
  assert.equal(asked.documents, 0);
  assert.equal((await get('/ldp/x', { 'If-None-Match': '"other"' })).status, 200);
});

test('other spellings of a path use the cache, and a path with a final slash never does', async () => {
  const { get, asked } = setUp();
  const first = await get('/ldp/%78');
  assert.equal(bodyText(first), `${base}/ldp/x as text/turtle`);
  for (const path of ['/ldp/x', '/ldp/%78']) assert.equal(atOnce(get(path)).body, first.body);
  assert.equal(asked.documents, 1);
  assert.notEqual(atOnce(get('/ldp/x/')).status, 200);
});

test('a new snapshot costs one lookup, and only a new state costs the document', async () => {
  const { get, at, asked, publish } = setUp();
  await get('/ldp/x');
  publish();
  const before = { ...asked };
  atOnce(get('/ldp/x'));
  atOnce(get('/ldp/x'));
  assert.deepEqual(asked, { entries: before.entries + 1, documents: before.documents });
  at('/ldp/x', 2);
  publish();
  const changed = await get('/ldp/x');
  assert.equal(headerOf(changed, 'ETag'), '"s2-turtle.2"');
  assert.equal(asked.documents, 2);
});

test('a deleted resource is not served from the cache', async () => {
  const { get, entries, publish } = setUp();
  await get('/ldp/x');
  entries.set(`${base}/ldp/x`, 'gone');
  publish();
  assert.equal((await get('/ldp/x')).status, 410);
});

test('types, aliases and preferences are cached separately', async () => {
  const { get, asked } = setUp();
  const include =
    'return=representation; include="http://www.w3.org/ns/ldp#PreferContainment http://www.w3.org/ns/ldp#PreferMembership"';
  const asks: Record<string, string>[] = [
    {},
    { Accept: 'application/x-turtle' },
    { Accept: 'application/ld+json' },
    { Accept: 'application/json' },
    { Prefer: include },
  ];
  for (let round = 0; round < 2; round++) {
    const responses = await Promise.all(asks.map((headers) => get('/ldp/x', headers)));
    assert.deepEqual(
      responses.map((response) => headerOf(response, 'Content-Type')?.split(';')[0]),
      ['text/turtle', 'application/x-turtle', 'application/ld+json', 'application/json', 'text/turtle'],
    );
    assert.deepEqual(
      responses.map((response) => headerOf(response, 'Preference-Applied') !== undefined),
      [false, false, false, false, true],
    );
  }
  assert.equal(asked.documents, asks.length);
});

test('streamed documents are not cached', async () => {
  const { get, asked, streamAll } = setUp();
  streamAll();
  await get('/ldp/x');
  await get('/ldp/x');
  assert.equal(asked.documents, 2);
});

test('If-Match on GET is checked against the cached state', async () => {
  const { get } = setUp();
  await get('/ldp/x');
  assert.equal((await get('/ldp/x', { 'If-Match': '"s1-turtle.2"' })).status, 200);
  assert.equal((await get('/ldp/x', { 'If-Match': '"s2-turtle.2"' })).status, 412);
});
