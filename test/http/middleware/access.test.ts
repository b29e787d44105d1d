import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AccessPolicy } from '../../../src/http/middleware/access.ts';
import { parseCredential } from '../../../src/http/middleware/credentials.ts';
import { hashPassword } from '../../../src/http/middleware/password.ts';
import type { HttpRequest } from '../../../src/http/server/message.ts';
import { fakeRequest } from '../fake-request.ts';
import { serve, text } from '../test-server.ts';

const cheap = { logCost: 4, blockSize: 8, parallelism: 1 };
const credential = async (role: string, name: string, password: string) =>
  parseCredential(`${role} ${name} ${await hashPassword(password, cheap)}`);
const credentials = await Promise.all([
  credential('write', 'anna', 'geheim:ü'),
  credential('read', 'indexer', 'read-token'),
  credential('write', 'exporter', 'write.token'),
]);
const basic = (login: string) => `Basic ${Buffer.from(login).toString('base64')}`;
const policyWith = (publicRead = false, failedLogins = 100) =>
  new AccessPolicy(credentials, { publicRead, failedLogins });

async function check(policy: AccessPolicy, method: string, path: string, authorization?: string, more = {}) {
  const headers = { ...(authorization && { authorization }), ...more };
  return (await policy.check(fakeRequest(method, path, { headers })))?.code;
}

test('G-4: without configured credentials everything is allowed and Authorization is ignored', async () => {
  const policy = new AccessPolicy([], { publicRead: false, failedLogins: 10 });
  assert.equal(await check(policy, 'PUT', '/context'), undefined);
  assert.equal(await check(policy, 'PUT', '/context', 'Basic !!!'), undefined);
});

test('G-4, G-110, G-111: with configured credentials every request needs credentials that permit it', async () => {
  const policy = policyWith();
  for (const method of ['GET', 'HEAD', 'OPTIONS', 'PUT']) {
    assert.equal(await check(policy, method, '/context'), 'unauthorized', method);
    assert.equal(await check(policy, method, '/context', basic('anna:geheim:ü')), undefined);
    assert.equal(await check(policy, method, '/context', 'bearer exporter.write.token'), undefined);
    assert.equal(await check(policy, method, '/context', basic('exporter:write.token')), undefined);
    const asReader = await check(policy, method, '/context', 'Bearer indexer.read-token');
    assert.equal(asReader, method === 'PUT' ? 'forbidden' : undefined);
  }
});

test('wrong, malformed and mixed-up credentials count as no credentials', async () => {
  const policy = policyWith();
  assert.equal(await check(policy, 'GET', '/context', basic('anna:geheim:ü')), undefined);
  for (const authorization of [
    basic('anna:wrong'),
    basic('anna:'),
    basic('anna'),
    basic('nobody:geheim:ü'),
    basic('indexer:geheim:ü'),
    'Bearer indexer',
    'Bearer anna:geheim',
    'Bearer',
    'Bearer indexer.read-token extra',
    'Digest indexer.read-token',
    'indexer.read-token',
  ]) {
    assert.equal(await check(policy, 'GET', '/context', authorization), 'unauthorized', authorization);
  }
});

test('POST below /ldpath counts as reading, other POSTs as writing', async () => {
  const policy = policyWith(true);
  assert.equal(await check(policy, 'POST', '/ldpath/program'), undefined);
  assert.equal(await check(policy, 'POST', '/ldpathology'), 'unauthorized');
  assert.equal(await check(policy, 'POST', '/context', 'Bearer indexer.read-token'), 'forbidden');
  assert.equal(await check(policy, 'DELETE', '/tasks/LDPath/path', 'Bearer indexer.read-token'), 'forbidden');
});

test('G-116: reading can be open to clients without credentials', async () => {
  const policy = policyWith(true);
  assert.equal(await check(policy, 'GET', '/context'), undefined);
  assert.equal(await check(policy, 'DELETE', '/context'), 'unauthorized');
});

test('a preflight needs no credentials', async () => {
  const policy = policyWith();
  const more = { 'access-control-request-method': 'PUT' };
  assert.equal(await check(policy, 'OPTIONS', '/context', undefined, more), undefined);
  assert.equal(await check(policy, 'GET', '/context', undefined, more), 'unauthorized');
});

test('credentials are verified once and then recognised at once', async () => {
  const policy = policyWith();
  const request = fakeRequest('GET', '/context', { headers: { authorization: basic('anna:geheim:ü') } });
  const first = policy.check(request);
  assert.ok(first instanceof Promise);
  assert.equal(await first, undefined);
  assert.equal(policy.check(request), undefined);
  const other = fakeRequest('PUT', '/context', { headers: { authorization: 'Bearer indexer.read-token' } });
  assert.equal((await policy.check(other))?.code, 'forbidden');
  assert.ok(!(policy.check(other) instanceof Promise));
});

test('a request names its user once its credentials are verified', async () => {
  for (const publicRead of [false, true]) {
    const policy = policyWith(publicRead);
    const userOf = async (method: string, authorization: string) => {
      const request = fakeRequest(method, '/context', { headers: { authorization } });
      await policy.check(request);
      return request.user;
    };
    const anna = basic('anna:geheim:ü');
    assert.equal(await userOf('GET', anna), publicRead ? undefined : 'anna');
    assert.equal(await userOf('PUT', anna), 'anna');
    assert.equal(await userOf('GET', anna), 'anna', 'recognised also where none are needed');
    assert.equal(await userOf('GET', basic('anna:wrong')), undefined);
    assert.equal(await userOf('PUT', basic('anna:wrong')), undefined);
    assert.equal(await userOf('PUT', 'Bearer indexer.read-token'), 'indexer', 'rejected, but known');
  }
});

test('wrong credentials are not verified for a read that needs none', async () => {
  const policy = policyWith(true, 1);
  for (let i = 0; i < 100; i++) assert.equal(await check(policy, 'GET', '/', basic(`anna:${i}`)), undefined);
  assert.equal(await check(policy, 'PUT', '/', basic('anna:geheim:ü')), undefined);
});

test('G-112: an address with too many failed logins is rejected, except for verified credentials', async () => {
  const policy = policyWith(false, 3);
  assert.equal(await check(policy, 'GET', '/context', basic('anna:geheim:ü')), undefined);
  const guesses = ['a', 'b', 'c', 'd', 'e'].map((guess) => basic(`exporter:${guess}`));
  const codes = await Promise.all(guesses.map((guess) => check(policy, 'GET', '/context', guess)));
  assert.equal(codes.filter((code) => code === 'unauthorized').length, 3);
  assert.equal(codes.filter((code) => code === 'too-many-requests').length, 2);
  const right = await check(policy, 'GET', '/context', basic('exporter:write.token'));
  assert.equal(right, 'too-many-requests');
  assert.equal(await check(policy, 'GET', '/context', basic('anna:geheim:ü')), undefined);
});

test('the same credentials on many connections at once are verified once', async () => {
  const policy = policyWith(false, 3);
  const many = Array.from({ length: 100 }, () => check(policy, 'GET', '/context', basic('anna:geheim:ü')));
  assert.deepEqual(new Set(await Promise.all(many)), new Set([undefined]));
});

test('G-113: the number of logins verified at the same time is limited', async () => {
  const policy = policyWith(false, 1000);
  const guesses = Array.from({ length: 100 }, (_, i) => check(policy, 'GET', '/', basic(`anna:${i}`)));
  const codes = await Promise.all(guesses);
  assert.equal(codes.filter((code) => code === 'unauthorized').length, 16);
  assert.equal(codes.filter((code) => code === 'overloaded').length, 84);
});

test('G-111: a rejected request gets 401 with the authentication schemes and CORS headers', async (t) => {
  const server = await serve(t, () => text('secret'), { access: policyWith(), allowOrigins: ['*'] });
  const rejected = await fetch(server.url);
  assert.equal(rejected.status, 401);
  assert.match(rejected.headers.get('www-authenticate')!, /^Basic realm=.*Bearer realm=/);
  assert.equal(rejected.headers.get('access-control-allow-origin'), '*');
  await rejected.text();
  const wrong = await fetch(server.url, { headers: { Authorization: 'Bearer indexer.wrong' } });
  assert.equal(wrong.status, 401);
  await wrong.text();
  for (let i = 0; i < 2; i++) {
    const allowed = await fetch(server.url, { headers: { Authorization: 'Bearer indexer.read-token' } });
    assert.equal(await allowed.text(), 'secret');
  }
});

test('the body of a request whose credentials are being verified is not lost', async (t) => {
  const handle = async (request: HttpRequest) => {
    const body = await request.readBody(1000);
    return text(body.ok ? new TextDecoder().decode(body.value) : body.error.code);
  };
  const server = await serve(t, handle, { access: policyWith() });
  const headers = { Authorization: 'Bearer exporter.write.token' };
  const response = await fetch(server.url, { method: 'PUT', headers, body: 'the body' });
  assert.equal(await response.text(), 'the body');
});
