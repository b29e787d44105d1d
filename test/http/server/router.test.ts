import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failure, toErrorData } from '../../../src/errors.ts';
import { Router } from '../../../src/http/server/router.ts';
import { fakeEndpoint } from '../fake-endpoint.ts';
import { bodyJson, fakeRequest, headerOf } from '../fake-request.ts';

const say = (name: string) =>
  fakeEndpoint((_request, rest) => ({ status: 200, headers: [], body: `${name} ${rest}` }));

const router = new Router([
  { path: '/context', methods: { GET: say('contexts'), PUT: say('put') } },
  { path: '/context/list', methods: { GET: say('list') } },
  { path: '/context', tail: 'any', methods: { GET: say('context') } },
  { path: '/tasks', methods: { GET: say('tasks') } },
  { path: '/tasks/byThread', methods: { GET: say('byThread') } },
  { path: '/tasks', tail: 1, methods: { GET: say('group') } },
  { path: '/tasks', tail: 2, methods: { GET: say('task'), DELETE: say('cancel') } },
  { path: '/ldp', tail: 'tree', methods: { GET: say('ldp') }, options: say('ldp options') },
  {
    path: '/own',
    tail: 'tree',
    methods: { GET: say('own') },
    problemHeaders: ({ error, headers = [] }, rest) => [['X-Own', `${error.code} ${rest}`], ...headers],
  },
  { path: '/ldpath/program', methods: { POST: say('program') } },
  {
    path: '/meta',
    tail: 'any',
    methods: { PUT: say('put'), DELETE: say('delete') },
    allow: (_request, rest) => (rest === 'typed' ? 'PUT, OPTIONS' : 'DELETE, OPTIONS'),
  },
]);

async function ask(method: string, path: string, headers: Record<string, string> = {}) {
  return await router.handle(fakeRequest(method, path, { headers }));
}

test('G-10: paths find their routes', async () => {
  for (const [path, expected] of Object.entries({
    '/context': 'contexts ',
    '/context/': 'contexts ',
    '/context/list': 'list ',
    '/context/list/': 'list ',
    '/context/listing': 'context listing',
    '/context/a/b//c/': 'context a/b//c/',
    '/context//': 'context /',
    '/context/a%2Fb+': 'context a%2Fb+',
    '/tasks': 'tasks ',
    '/tasks/byThread': 'byThread ',
    '/tasks/Importer': 'group Importer',
    '/tasks/Importer/': 'group Importer',
    '/tasks/Importer/RDF%20import': 'task Importer/RDF%20import',
    '/ldp': 'ldp ',
    '/ldp/': 'ldp /',
    '/ldp/a/b/': 'ldp /a/b/',
  })) {
    assert.equal((await ask('GET', path)).body, expected, path);
  }
});

test('other paths get 404, whatever the method', async () => {
  for (const path of [
    '/',
    '/Context',
    '/contextual',
    '/tasks/a/b/c',
    '/tasks//b',
    '/ldpath',
    '/ldpathology',
    '//context',
  ]) {
    for (const method of ['GET', 'OPTIONS', 'FROB', 'PUT']) {
      const response = await ask(method, path);
      assert.equal(response.status, 404, `${method} ${path}`);
      assert.equal((bodyJson(response) as { code: string }).code, 'not-found');
    }
  }
});

test('the handler of GET handles HEAD', async () => {
  assert.equal((await ask('HEAD', '/context')).body, 'contexts ');
  assert.equal((await ask('HEAD', '/ldpath/program')).status, 405);
});

test('an unsupported method gets 405 with Allow, and an unknown one gets 501', async () => {
  const rejected = await ask('PATCH', '/context');
  assert.equal(rejected.status, 405);
  assert.equal(headerOf(rejected, 'allow'), 'GET, HEAD, PUT, OPTIONS');
  for (const method of ['TRACE', 'CONNECT', 'DELETE'])
    assert.equal((await ask(method, '/context')).status, 405);
  for (const method of ['FROB', 'get', 'constructor', '__proto__', 'toString']) {
    assert.equal((await ask(method, '/context')).status, 501, method);
  }
});

test('a route may add headers to its problems and to those of the router', async () => {
  const wrong = await ask('PUT', '/own/x');
  assert.equal(wrong.status, 405);
  assert.equal(headerOf(wrong, 'x-own'), 'method-not-allowed /x');
  assert.equal(headerOf(wrong, 'allow'), 'GET, HEAD, OPTIONS');
  const unknown = await ask('FROB', '/own/x');
  assert.equal(unknown.status, 501);
  assert.equal(headerOf(unknown, 'x-own'), 'unknown-method /x');
  assert.equal(headerOf(unknown, 'allow'), undefined);
});

const notFound = {
  ...failure('resource-not-found', 'No.', { uri: 'u' }),
  headers: [['X-Why', 'w']],
} as const;
const internal = { ok: false, error: toErrorData(new Error('boom')) } as const;

test('an error that a handler returns becomes a problem, at once if the handler returned it at once', async () => {
  const failing = new Router([
    { path: '/error', methods: { GET: fakeEndpoint(() => notFound) } },
    { path: '/later', methods: { GET: fakeEndpoint(() => Promise.resolve(notFound)) } },
  ]);
  const sync = failing.handle(fakeRequest('GET', '/error'));
  assert.ok(!(sync instanceof Promise));
  for (const response of [sync, await failing.handle(fakeRequest('GET', '/later'))]) {
    assert.equal(response.status, 404);
    assert.equal(response.code, 'resource-not-found');
    assert.equal(headerOf(response, 'x-why'), 'w');
    assert.equal((bodyJson(response) as { uri: string }).uri, 'u');
  }
});

test('an internal error that a handler returns is thrown, so that it is logged', async () => {
  const failing = new Router([
    { path: '/sync', methods: { GET: fakeEndpoint(() => internal) } },
    { path: '/later', methods: { GET: fakeEndpoint(() => Promise.resolve(internal)) } },
  ]);
  assert.throws(() => failing.handle(fakeRequest('GET', '/sync')), /boom/);
  await assert.rejects(async () => failing.handle(fakeRequest('GET', '/later')), /boom/);
});

test('OPTIONS of a routed path gets 204 with Allow', async () => {
  const response = await ask('OPTIONS', '/tasks/a/b');
  assert.equal(response.status, 204);
  assert.equal(headerOf(response, 'allow'), 'GET, HEAD, DELETE, OPTIONS');
});

test('G-21, G-22, G-32: a route whose paths differ in their methods names those of the path', async () => {
  for (const [path, allow] of [
    ['/meta/typed', 'PUT, OPTIONS'],
    ['/meta/name', 'DELETE, OPTIONS'],
  ] as const) {
    const preflight = await ask('OPTIONS', path, { 'Access-Control-Request-Method': 'PUT' });
    assert.equal(headerOf(await ask('OPTIONS', path), 'allow'), allow);
    assert.equal(headerOf(await ask('PATCH', path), 'allow'), allow);
    assert.equal(headerOf(preflight, 'access-control-allow-methods'), allow);
  }
});

test('a route may handle OPTIONS itself, but not preflights', async () => {
  assert.equal((await ask('OPTIONS', '/ldp/x')).body, 'ldp options /x');
  const preflight = await ask('OPTIONS', '/ldp/x', { 'Access-Control-Request-Method': 'PUT' });
  assert.equal(preflight.status, 204);
});

test('a preflight gets the methods of the route, the requested headers, and a lifetime', async () => {
  const asked = { 'Access-Control-Request-Method': 'PUT', 'Access-Control-Request-Headers': 'x-a, x-b' };
  const response = await ask('OPTIONS', '/context', asked);
  assert.equal(response.status, 204);
  assert.equal(headerOf(response, 'access-control-allow-methods'), 'GET, HEAD, PUT, OPTIONS');
  assert.equal(headerOf(response, 'access-control-allow-headers'), 'x-a, x-b');
  assert.equal(headerOf(response, 'access-control-max-age'), '86400');
  const plain = await ask('OPTIONS', '/context', { 'Access-Control-Request-Method': 'PUT' });
  assert.equal(
    headerOf(plain, 'access-control-allow-headers'),
    'Accept, Content-Type, If-Match, If-None-Match, Link, Pathpool-Commit, Prefer, Slug',
  );
});

test('G-22: OPTIONS * is about the server, and counted under a name of its own', async () => {
  const request = fakeRequest('OPTIONS', '*');
  const response = await router.handle(request);
  assert.deepEqual([response.status, request.route], [204, '*']);
});
