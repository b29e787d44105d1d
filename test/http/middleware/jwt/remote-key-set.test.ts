import assert from 'node:assert/strict';
import type { RequestListener } from 'node:http';
import { describe, it, type TestContext } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { KeysUnavailable } from '../../../../src/http/middleware/jwt/key-set.ts';
import { keyUrl, RemoteKeySet } from '../../../../src/http/middleware/jwt/remote-key-set.ts';
import { issuerKey, issuerServer, keySetOf } from '../../../support/token-issuer.ts';

const one = await issuerKey('one');
const two = await issuerKey('two');
const token = { payload: '', signature: '' };

/** Keys of a server that a test changes, with the number of requests and the log. */
async function remote(t: TestContext, listener: RequestListener) {
  const state = { listener, requests: 0 };
  const url = await issuerServer(t, (request, response) => {
    state.requests++;
    state.listener(request, response);
  });
  const events: string[] = [];
  const note = (details: object) => events.push(JSON.stringify(details));
  const log = { warn: note, info: note };
  const keys = new RemoteKeySet({ kind: 'keys', url: new URL(url) }, log);
  const discovered = new RemoteKeySet({ kind: 'discovery', issuer: url }, log);
  t.after(() => {
    keys.close();
    discovered.close();
  });
  return { state, url, events, keys, discovered };
}

async function find(keys: RemoteKeySet, kid: string): Promise<string> {
  try {
    await keys.find({ alg: 'ES256', kid }, token);
    return 'found';
  } catch (error) {
    return error instanceof KeysUnavailable ? `unavailable for ${error.retryAfter} s` : (error as Error).name;
  }
}

const sends =
  (body: string, status = 200): RequestListener =>
  (_request, response) =>
    response.writeHead(status).end(body);

describe('the keys of a URL', () => {
  it('are fetched once for many tokens', async (t) => {
    const { state, keys } = await remote(t, sends(keySetOf(one)));
    const found = await Promise.all(Array.from({ length: 50 }, () => find(keys, 'one')));
    assert.deepEqual(new Set(found), new Set(['found']));
    assert.equal(await find(keys, 'one'), 'found');
    assert.equal(state.requests, 1);
  });

  it('are fetched again at most once in half a minute for unknown keys, so that new keys are found', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
    const { state, keys } = await remote(t, sends(keySetOf(one)));
    assert.equal(await find(keys, 'one'), 'found');
    state.listener = sends(keySetOf(one, two));
    const flood = await Promise.all(Array.from({ length: 100 }, (_, i) => find(keys, `unknown ${i}`)));
    assert.deepEqual(new Set(flood), new Set(['JWKSNoMatchingKey']));
    assert.equal(state.requests, 1);
    t.mock.timers.tick(31_000);
    assert.equal(await find(keys, 'two'), 'found');
    await Promise.all(Array.from({ length: 100 }, (_, i) => find(keys, `unknown ${i}`)));
    assert.equal(state.requests, 2);
  });

  it('are unavailable for ten seconds after a failed fetch, however many tokens come', async (t) => {
    const { state, keys, events } = await remote(t, sends('down', 500));
    for (let i = 0; i < 20; i++) assert.equal(await find(keys, 'one'), 'unavailable for 10 s');
    assert.equal(state.requests, 1);
    assert.equal(events.length, 1);
    assert.match(events[0]!, /keys-unavailable.*status 500/);
  });

  it('are used on while they cannot be fetched again', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() });
    const { state, keys } = await remote(t, sends(keySetOf(one)));
    assert.equal(await find(keys, 'one'), 'found');
    state.listener = sends('down', 500);
    t.mock.timers.tick(31_000);
    assert.equal(await find(keys, 'two'), 'unavailable for 10 s');
    assert.equal(await find(keys, 'one'), 'found');
    t.mock.timers.tick(3_600_000);
    assert.equal(await find(keys, 'one'), 'unavailable for 10 s', 'for an hour at most');
  });

  it('are found as soon as they are fetched again', async (t) => {
    const { state, keys, events } = await remote(t, sends(keySetOf(one)));
    assert.equal(await find(keys, 'one'), 'found');
    state.listener = sends(keySetOf(two));
    keys.refresh();
    while ((await find(keys, 'two')) !== 'found') await setImmediate();
    assert.equal(await find(keys, 'one'), 'JWKSNoMatchingKey', 'a key that was withdrawn');
    assert.deepEqual(events, []);
  });

  it('have another version only when they have changed, and are in use', async (t) => {
    const { state, keys } = await remote(t, sends(keySetOf(one)));
    assert.equal(await find(keys, 'one'), 'found');
    await setImmediate();
    const { version } = keys;
    keys.refresh();
    while (state.requests === 1) await setImmediate();
    assert.equal(await find(keys, 'one'), 'found');
    assert.equal(keys.version, version);
  });

  it('have another version as soon as those that were withdrawn are not accepted', async (t) => {
    const { state, keys } = await remote(t, sends(keySetOf(one)));
    assert.equal(await find(keys, 'one'), 'found');
    const { version } = keys;
    state.listener = sends(keySetOf(two));
    keys.refresh();
    while ((await find(keys, 'one')) === 'found') await setImmediate();
    assert.notEqual(keys.version, version);
  });

  for (const [what, listener, reason] of [
    ['a huge document', sends(`{"keys":[],"x":"${'x'.repeat(600_000)}"}`), 'more than 524288 bytes'],
    ['a redirect', (_, response) => response.writeHead(302, { Location: '/' }).end(), 'status 302'],
    ['another document', sends('<html>'), 'it is not JSON'],
    ['a document without keys', sends('{"keys":[]}'), 'not a JSON Web Key Set'],
    [
      'an interrupted response',
      (_, response) => response.writeHead(200, { 'Content-Length': 9 }).write('x', () => response.destroy()),
      'terminated',
    ],
  ] as const satisfies readonly (readonly [string, RequestListener, string])[]) {
    it(`are unavailable if there is ${what}`, async (t) => {
      const { keys, events } = await remote(t, listener);
      assert.match(await find(keys, 'one'), /^unavailable/);
      assert.ok(events[0]!.includes(reason), events[0]);
    });
  }

  it('are not waited for when the server closes', async (t) => {
    const { keys, events, state } = await remote(t, () => keys.close());
    assert.match(await find(keys, 'one'), /^unavailable/);
    assert.deepEqual([state.requests, events], [1, []]);
  });
});

describe('the keys of an issuer', () => {
  it('are where its configuration says', async (t) => {
    const { state, url, discovered } = await remote(t, (request, response) => {
      const isKeys = request.url === '/keys';
      response.end(isKeys ? keySetOf(one) : JSON.stringify({ issuer: url, jwks_uri: `${url}/keys` }));
    });
    assert.equal(await find(discovered, 'one'), 'found');
    assert.equal(state.requests, 2);
  });

  for (const [what, configuration] of [
    ['is of another issuer', { issuer: 'https://other.example', jwks_uri: 'https://other.example/keys' }],
    ['names keys at an unprotected place', { jwks_uri: 'http://192.0.2.1/keys' }],
    ['names a local file', { jwks_uri: 'file:///etc/passwd' }],
    ['names no keys', {}],
  ] as const) {
    it(`are unavailable if its configuration ${what}`, async (t) => {
      const { url, discovered, state } = await remote(t, (_, response) =>
        response.end(JSON.stringify({ issuer: url, ...configuration })),
      );
      assert.match(await find(discovered, 'one'), /^unavailable/);
      assert.equal(state.requests, 1);
    });
  }
});

describe('a URL of keys', () => {
  it('is https, or http on loopback', () => {
    for (const url of ['https://a.example/k?x', 'http://127.0.0.1:1/', 'http://localhost/k', 'http://[::1]/'])
      assert.ok(keyUrl(url), url);
    for (const url of [
      'http://a.example/',
      'ftp://localhost/',
      'https://u:p@a.example/',
      'https://:p@a.example/',
      'x',
      'http://127.0.0.1.a.example/',
    ])
      assert.equal(keyUrl(url), undefined, url);
  });
});
