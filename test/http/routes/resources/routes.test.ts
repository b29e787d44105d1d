import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError, type ErrorData, toErrorData } from '../../../../src/errors.ts';
import { MetaLinks, ResourceAddress } from '../../../../src/http/routes/resources/link.ts';
import { chooseRepresentation, isSameType } from '../../../../src/http/routes/resources/negotiation.ts';
import { resourceRoutes } from '../../../../src/http/routes/resources/routes.ts';
import type { Resources } from '../../../../src/http/routes/resources/service.ts';
import { isHostilePath } from '../../../../src/http/routes/resources/target.ts';
import { parseTypedPath } from '../../../../src/http/routes/resources/typed-path.ts';
import { Router } from '../../../../src/http/server/router.ts';
import type { LdpKind } from '../../../../src/ldp/model/kinds.ts';
import { fakeRequest, headerOf } from '../../fake-request.ts';

const notWatched = () => assert.fail('No test watches.');

const base = 'https://data.example.org/store';
const X = 'http://example.org/x';
const byX = `/resource?uri=${encodeURIComponent(X)}`;

/** A resource service that knows one resource. */
class FakeResources implements Resources {
  contentType: string | undefined;
  /** Of the resource, if it is in the LDP space. */
  kind: LdpKind | undefined;
  error: ErrorData | undefined;

  view: Resources['view'] = (resource) =>
    resource.kind === 'uri' && resource.uri === X ? { contentType: this.contentType } : undefined;

  isLdp(): boolean {
    return this.kind !== undefined;
  }

  ldpKind(): LdpKind | undefined {
    return this.kind;
  }

  creationDenial(): ErrorData | undefined {
    return undefined;
  }

  writable(): ErrorData | undefined {
    return undefined;
  }

  freshUri(): string {
    return `${base}/resource/fresh`;
  }

  create: Resources['create'] = (uri) =>
    Promise.resolve(
      this.error ? { ok: false, error: this.error } : { ok: true, value: { created: uri !== X } },
    );

  remove: Resources['remove'] = () =>
    Promise.resolve(this.error ? { ok: false, error: this.error } : { ok: true, value: true });
}

function setUp(putMode: 'redirect' | 'direct' = 'redirect', page = true) {
  const resources = new FakeResources();
  const stored: string[] = [];
  const routes = resourceRoutes(
    resources,
    { base, putMode, defaultRel: 'meta', watch: { follow: notWatched }, page },
    (_request, uri, { rel, mime }) => {
      stored.push(`${uri} ${rel} ${mime}`);
      return { status: 200, headers: [] };
    },
  );
  const router = new Router(routes);
  const send = (method: string, target: string, headers: Record<string, string> = {}) =>
    router.handle(fakeRequest(method, target, { headers }));
  return { resources, stored, send };
}

test('a store that cannot create or remove a resource is reported', async () => {
  const { resources, send } = setUp();
  resources.error = toErrorData(new AppError('writes-disabled', 'The disk is full.'));
  assert.equal((await send('POST', '/resource')).status, 503);
  assert.equal((await send('DELETE', byX)).status, 503);
});

test('R-3: PUT of an LDP resource redirects to its address in both modes', async () => {
  for (const mode of ['redirect', 'direct'] as const) {
    const { resources, send } = setUp(mode);
    const put = async (contentType: string) => {
      const response = await send('PUT', byX, { 'Content-Type': contentType });
      return [response.status, headerOf(response, 'Location')];
    };
    resources.kind = 'basic';
    assert.deepEqual(await put('text/turtle; rel=meta'), [303, X]);
    assert.deepEqual(await put('text/turtle'), [303, X]);
    assert.deepEqual(await put('image/png; rel=content'), [415, undefined]);
    resources.kind = 'binary';
    assert.deepEqual(await put('text/turtle; rel=meta'), [303, `${X}.meta`]);
    assert.deepEqual(await put('image/png; rel=content'), [303, X]);
    assert.deepEqual(await put('image/png'), [415, undefined]);
  }
});

test('direct mode passes the body on with its kind and type after all checks', async () => {
  const { stored, send } = setUp('direct');
  assert.equal((await send('PUT', byX, { 'Content-Type': 'image/png; rel=content' })).status, 200);
  assert.equal((await send('PUT', byX, { 'Content-Type': 'image/png' })).status, 415);
  assert.equal(
    (await send('PUT', '/resource?uri=urn:x:none', { 'Content-Type': 'text/turtle' })).status,
    404,
  );
  assert.deepEqual(stored, [`${X} content image/png`]);
});

test('a cached decision ends with a change of the content', async () => {
  const { resources, send } = setUp();
  const location = async () => headerOf(await send('GET', byX), 'location');
  const query = `?uri=${encodeURIComponent(X)}`;
  assert.equal(await location(), `${base}/meta/text/turtle${query}`);
  resources.contentType = 'text/plain; charset=latin1';
  assert.equal(await location(), `${base}/content/text/plain${query}`);
  resources.contentType = 'image/png';
  assert.equal(await location(), `${base}/content/image/png${query}`);
});

test('the base path of the server is part of every address', async () => {
  const { send } = setUp();
  const response = await send('POST', '/resource/a');
  assert.equal(headerOf(response, 'location'), `${base}/resource/a`);
  assert.equal(response.body, `${base}/resource/a`);
});

test('links to metadata omit only the chosen type', () => {
  const address = new ResourceAddress({ kind: 'blank', label: 'b1' }, base);
  const links = new MetaLinks(base);
  assert.equal(links.of(address, '').length, 8);
  const others = links.of(address, 'text/turtle');
  assert.equal(others.length, 7);
  assert.deepEqual(others[0], [
    'Link',
    `<${base}/meta/application/ld+json?genid=b1>; rel="meta"; type="application/ld+json"`,
  ]);
  assert.equal(links.of(address, 'application/json').length, 8);
});

test('an overlong Accept header gets a response that is not cached', () => {
  const accept = `${'x/y, '.repeat(2000)}text/turtle`;
  const offer = { contentType: undefined, page: true };
  assert.deepEqual(chooseRepresentation(accept, undefined, offer), { rel: 'meta', mime: 'text/turtle' });
});

/** What browsers send when their user opens an address. */
const BROWSER =
  'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8';
const PAGE = `${base}/console/resource?uri=${encodeURIComponent(X)}`;

test('R-27: a browser is led to the page of a resource', async () => {
  const { send } = setUp();
  for (const method of ['GET', 'HEAD']) {
    const response = await send(method, byX, { Accept: BROWSER });
    assert.equal(response.status, 303);
    assert.equal(headerOf(response, 'location'), PAGE);
    assert.equal(headerOf(response, 'vary'), 'Accept');
  }
  const forced = await send('GET', `${byX}&format=turtle`, { Accept: BROWSER });
  assert.equal(headerOf(forced, 'location'), `${base}/meta/text/turtle?uri=${encodeURIComponent(X)}`);
});

test('R-27: the redirect to the page links to all representations', async () => {
  const { resources, send } = setUp();
  resources.contentType = 'image/png';
  const response = await send('GET', byX, { Accept: BROWSER });
  assert.equal(headerOf(response, 'location'), PAGE);
  const links = headerOf(response, 'link') ?? '';
  assert.match(links, /rel="content"; type="image\/png"/);
  assert.match(links, /rel="meta"; type="text\/turtle"/);
});

test('R-27: content wins over the page where the client likes it as much, and as a document for people', async () => {
  const { resources, send } = setUp();
  const cases: [contentType: string, accept: string, isContent: boolean][] = [
    ['image/png', BROWSER, false],
    ['image/webp', BROWSER, true],
    ['application/pdf', BROWSER, false],
    ['text/html; charset=utf-8', BROWSER, true],
    ['application/xhtml+xml', BROWSER, true],
    ['image/png', 'text/html,image/png', true],
    ['image/png', 'text/html;q=0.5,image/*', true],
  ];
  for (const [contentType, accept, isContent] of cases) {
    resources.contentType = contentType;
    const location = headerOf(await send('GET', byX, { Accept: accept }), 'location');
    const [type] = contentType.split(';');
    const expected = isContent ? `${base}/content/${type}?uri=${encodeURIComponent(X)}` : PAGE;
    assert.equal(location, expected, `${contentType} for ${accept}`);
  }
});

test('R-27: clients that do not ask for text/html are not led to the page', async () => {
  const { send } = setUp();
  const locationFor = async (accept?: string) =>
    headerOf(await send('GET', byX, accept === undefined ? {} : { Accept: accept }), 'location');
  const turtle = `${base}/meta/text/turtle?uri=${encodeURIComponent(X)}`;
  for (const accept of [undefined, '*/*', 'text/*', 'text/turtle,text/html', 'text/html;q=0.5,*/*']) {
    assert.equal(await locationFor(accept), turtle, accept);
  }
  for (const accept of ['text/html;rel=meta', 'text/html;rel=content', 'application/xhtml+xml']) {
    assert.equal((await send('GET', byX, { Accept: accept })).status, 406, accept);
  }
});

test('R-27: Java programs that name no type are not led to the page', async () => {
  const { resources, send } = setUp();
  // Those of Java 8 and Java 21.
  for (const rest of ['*; q=.2, */*; q=.2', '*/*; q=0.2']) {
    for (const [contentType, path] of [
      [undefined, 'meta/text/turtle'],
      ['image/png', 'content/image/png'],
    ] as const) {
      resources.contentType = contentType;
      const response = await send('GET', byX, { Accept: `text/html, image/gif, image/jpeg, ${rest}` });
      assert.equal(headerOf(response, 'location'), `${base}/${path}?uri=${encodeURIComponent(X)}`);
    }
  }
});

test('R-27: without the console there is no page', async () => {
  const { send } = setUp('redirect', false);
  const response = await send('GET', byX, { Accept: BROWSER });
  assert.equal(headerOf(response, 'location'), `${base}/meta/application/xml?uri=${encodeURIComponent(X)}`);
  assert.equal((await send('GET', byX, { Accept: 'text/html' })).status, 406);
});

test('3.7, G-13: types in paths are distinguished from names', () => {
  const cases: [rest: string, queried: boolean, mime: string | undefined, name: string][] = [
    ['text/turtle', false, 'text/turtle', ''],
    ['text/turtle/', false, 'text/turtle', ''],
    ['Text/Turtle/a/b', false, 'text/turtle', 'a/b'],
    ['application/rdf%2Bxml', true, 'application/rdf+xml', ''],
    ['chemical/x-pdb', false, undefined, 'chemical/x-pdb'],
    ['chemical/x-pdb', true, 'chemical/x-pdb', ''],
    ['chemical/x-pdb/name', true, undefined, 'chemical/x-pdb/name'],
    ['name', false, undefined, 'name'],
    ['text/%0d%0a', true, undefined, 'text/%0d%0a'],
    ['text/%zz', true, undefined, 'text/%zz'],
    [`text/${'x'.repeat(128)}`, true, undefined, `text/${'x'.repeat(128)}`],
  ];
  for (const [rest, queried, mime, name] of cases) {
    assert.deepEqual(parseTypedPath(rest, queried), { mime, name }, rest);
  }
});

test('ambiguous paths and paths with line breaks are hostile', () => {
  for (const path of ['..', 'a/../b', '%2e%2E/x', 'a/.', '..%2fx', '..%5cx', 'a%00', 'a%0a', '%e0%2e./%2E']) {
    assert.ok(isHostilePath(path), path);
  }
  for (const path of ['a', 'a..b/...', '.hidden', 'a%20b', '%C3%A4', '%e0%a4', '%E4']) {
    assert.ok(!isHostilePath(path), path);
  }
});

test('aliases of RDF types mean the same type, in both directions', () => {
  assert.ok(isSameType('application/x-turtle', 'text/turtle'));
  assert.ok(isSameType('text/turtle', 'application/x-turtle'));
  assert.ok(!isSameType('text/plain', 'application/n-triples'));
  assert.ok(!isSameType('application/json', 'application/rdf+json'));
  assert.ok(isSameType('image/png', 'image/png'));
});
