import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { hashPassword } from '../../src/http/middleware/password.ts';
import { suiteScope } from '../support/scope.ts';
import { runPathpool, startServer } from '../support/server-process.ts';
import { sharedServer } from '../support/shared-server.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import {
  AUDIENCE,
  ISSUER,
  type IssuerKey,
  issuerKey,
  issuerServer,
  keySetOf,
} from '../support/token-issuer.ts';

const GRAPH = '/context?graph=urn:x:g';
const key = await issuerKey('one');
const password = await hashPassword('t0ken', { logCost: 4, blockSize: 8, parallelism: 1 });
const trust = ['--jwt-issuer', ISSUER, '--jwt-audience', AUDIENCE];

async function request(url: string, method: string, token: string | undefined) {
  const headers = { 'Content-Type': 'text/turtle', ...(token && { Authorization: `Bearer ${token}` }) };
  const body = method === 'PUT' ? { body: '<urn:x:s> <urn:x:p> 1 .' } : {};
  const response = await fetch(url + GRAPH, { method, headers, ...body });
  await response.text();
  return response;
}

describe('a server that knows the keys of an issuer', () => {
  const server = sharedServer(async (scope) => {
    const file = join(await temporaryDirectory(scope), 'keys.json');
    writeFileSync(file, keySetOf(key));
    const rules = ['--jwt-write', '/realm_access/roles=editor', '--jwt-read', 'sub'];
    const own = ['--credential', `read indexer ${password}`];
    return ['--memory', '--threads', '1', ...trust, '--jwt-jwks', file, ...rules, ...own];
  });
  const status = async (method: string, token?: string) => (await request(server.url, method, token)).status;

  it('accepts what the claims of a token allow, beside passwords (G-117)', async () => {
    const editor = await key.sign({ realm_access: { roles: ['editor'] } });
    const reader = await key.sign();
    assert.deepEqual([await status('PUT', editor), await status('PUT', editor)], [201, 204]);
    assert.deepEqual([await status('GET', reader), await status('PUT', reader)], [200, 403]);
    assert.deepEqual([await status('GET', 'indexer.t0ken'), await status('GET')], [200, 401]);
  });

  it('says what is wrong with a token (G-118)', async () => {
    const expired = await request(server.url, 'GET', await key.sign({ exp: 1 }));
    assert.equal(expired.status, 401);
    const challenge = expired.headers.get('www-authenticate')!;
    assert.match(challenge, /^Basic .*, Bearer realm="pathpool", error="invalid_token", error_desc.*expired/);
    const forbidden = await request(server.url, 'PUT', await key.sign());
    assert.match(forbidden.headers.get('www-authenticate')!, /^Bearer .*error="insufficient_scope"/);
    const stranger = await issuerKey('one');
    assert.equal((await request(server.url, 'GET', await stranger.sign())).status, 401);
  });

  it('lets the subject of a token see its own requests in the list of tasks', async () => {
    const headers = { Authorization: `Bearer ${await key.sign()}` };
    assert.equal((await fetch(`${server.url}/tasks`, { headers })).status, 200);
  });
});

describe('a server that fetches the keys of an issuer', () => {
  const scope = suiteScope();
  let url = '';
  let key: IssuerKey;
  before(async () => {
    let keys = '';
    const issuer: string = await issuerServer(scope, ({ url: path }, response) => {
      const configuration = { issuer, jwks_uri: `${issuer}/keys` };
      response.end(path === '/keys' ? keys : JSON.stringify(configuration));
    });
    key = await issuerKey('one', 'ES256', issuer);
    keys = keySetOf(key);
    const args = ['--memory', '--threads', '1', '--jwt-issuer', issuer, '--jwt-audience', AUDIENCE];
    ({ url } = await startServer(scope, args));
  });

  it('accepts tokens that scopes allow (G-117)', async () => {
    const writer = await key.sign({ scope: 'openid pathpool:write' });
    assert.equal((await request(url, 'PUT', writer)).status, 201);
    const reader = await key.sign({ scope: 'pathpool:read' });
    assert.equal((await request(url, 'GET', reader)).status, 200);
    assert.equal((await request(url, 'GET', await key.sign())).status, 403);
  });
});

describe('a server whose issuer is down', () => {
  it('rejects tokens with 503 until it has fetched the keys, and accepts passwords (G-119)', async (t) => {
    let isDown = true;
    let keys = '';
    const issuer = await issuerServer(t, ({ url: path }, response) => {
      const configuration = { issuer, jwks_uri: `${issuer}/keys` };
      if (isDown) response.destroy();
      else response.end(path === '/keys' ? keys : JSON.stringify(configuration));
    });
    const key = await issuerKey('one', 'ES256', issuer);
    keys = keySetOf(key);
    const args = [
      '--memory',
      '--threads',
      '1',
      '--log-level',
      'info',
      '--credential',
      `read anna ${password}`,
    ];
    const trustIt = ['--jwt-issuer', issuer, '--jwt-audience', AUDIENCE, '--jwt-read', 'sub'];
    const server = await startServer(t, [...args, ...trustIt]);
    const token = await key.sign();
    const rejected = await fetch(`${server.url}/context/list`, {
      headers: { Authorization: `Bearer ${token}` },
    });
    const seconds = Number(rejected.headers.get('retry-after'));
    const { code } = (await rejected.json()) as { code: string };
    assert.deepEqual([rejected.status, code, seconds >= 1 && seconds <= 10], [503, 'keys-unavailable', true]);
    assert.notEqual((await request(server.url, 'GET', 'anna.t0ken')).status, 503);
    assert.match(server.errors, /"event":"keys-unavailable"/);
    isDown = false;
    // As the response says: no other fetch is made before.
    await setTimeout(1000 * seconds);
    assert.equal((await request(server.url, 'GET', token)).status, 404);
    assert.match(server.errors, /"event":"keys-fetched"/);
  });
});

describe('a start', () => {
  for (const [what, args, words] of [
    ['an issuer without audience', ['--jwt-issuer', ISSUER], /needs --jwt-audience/],
    ['an audience without issuer', ['--jwt-audience', 'x'], /need --jwt-issuer/],
    [
      'a rule for reading without issuer',
      ['--jwt-read', 'sub'],
      /--jwt-read and --jwt-write need --jwt-issuer/,
    ],
    [
      'a rule for writing without issuer',
      ['--jwt-write', 'sub'],
      /--jwt-read and --jwt-write need --jwt-issuer/,
    ],
    ['keys at an unprotected place', [...trust, '--jwt-jwks', 'http://192.0.2.1/'], /--jwt-jwks must be/],
    [
      'an issuer at an unprotected place',
      ['--jwt-issuer', 'http://a.example', '--jwt-audience', 'x'],
      /https/,
    ],
    ['a missing file of keys', [...trust, '--jwt-jwks', '/nowhere/keys'], /can't be read/],
    ['a malformed rule', [...trust, '--jwt-read', '=x'], /CLAIM=VALUE/],
  ] as const) {
    it(`fails with one line and status 2 for ${what}`, async () => {
      const { status, err } = await runPathpool(['--memory', '--port', '0', ...args]);
      assert.equal(status, 2);
      assert.match(err, words);
      assert.equal(err.trimEnd().split('\n').length, 1);
    });
  }
});
