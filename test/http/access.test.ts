import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AccessPolicy, type Credential } from '../../src/http/access.ts';
import { fakeRequest } from './fake-request.ts';
import { serve, text } from './test-server.ts';

const credentials: Credential[] = [
  { scheme: 'basic', secret: 'anna:geheim:ü', role: 'write' },
  { scheme: 'bearer', secret: 'read-token', role: 'read' },
  { scheme: 'bearer', secret: 'write-token', role: 'write' },
];
const basic = (secret: string) => `Basic ${Buffer.from(secret).toString('base64')}`;

function check(policy: AccessPolicy, method: string, path: string, authorization?: string, more = {}) {
  const headers = { ...(authorization && { authorization }), ...more };
  return policy.check(fakeRequest(method, path, { headers }))?.code;
}

test('without configured credentials everything is allowed and Authorization is ignored', () => {
  const policy = new AccessPolicy([], false);
  assert.equal(check(policy, 'PUT', '/context'), undefined);
  assert.equal(check(policy, 'PUT', '/context', 'Basic !!!'), undefined);
});

test('with credentials every request needs some that allow it', () => {
  const policy = new AccessPolicy(credentials, false);
  for (const method of ['GET', 'HEAD', 'OPTIONS', 'PUT']) {
    assert.equal(check(policy, method, '/context'), 'unauthorized', method);
    assert.equal(check(policy, method, '/context', basic('anna:geheim:ü')), undefined);
    assert.equal(check(policy, method, '/context', 'bearer write-token'), undefined);
    const asReader = check(policy, method, '/context', 'Bearer read-token');
    assert.equal(asReader, method === 'PUT' ? 'forbidden' : undefined);
  }
});

test('wrong, malformed and mixed-up credentials are none', () => {
  const policy = new AccessPolicy(credentials, false);
  for (const authorization of [
    basic('anna:wrong'),
    basic('read-token'),
    'Bearer anna:geheim',
    `Bearer ${Buffer.from('anna:geheim:ü').toString('base64')}`,
    'Bearer',
    'Bearer read-token extra',
    'Digest read-token',
    'read-token',
  ]) {
    assert.equal(check(policy, 'GET', '/context', authorization), 'unauthorized', authorization);
  }
});

test('POST below /ldpath counts as reading, other POSTs as writing', () => {
  const policy = new AccessPolicy(credentials, true);
  assert.equal(check(policy, 'POST', '/ldpath/program'), undefined);
  assert.equal(check(policy, 'POST', '/ldpathology'), 'unauthorized');
  assert.equal(check(policy, 'POST', '/context', 'Bearer read-token'), 'forbidden');
});

test('reading may be open to everybody', () => {
  const policy = new AccessPolicy(credentials, true);
  assert.equal(check(policy, 'GET', '/context'), undefined);
  assert.equal(check(policy, 'DELETE', '/context'), 'unauthorized');
});

test('a preflight needs no credentials', () => {
  const policy = new AccessPolicy(credentials, false);
  const more = { 'access-control-request-method': 'PUT' };
  assert.equal(check(policy, 'OPTIONS', '/context', undefined, more), undefined);
  assert.equal(check(policy, 'GET', '/context', undefined, more), 'unauthorized');
});

test('a refused request gets 401 with the ways to authenticate, and CORS headers', async (t) => {
  const server = await serve(t, () => text('secret'), { access: new AccessPolicy(credentials, false) });
  const refused = await fetch(server.url);
  assert.equal(refused.status, 401);
  assert.match(refused.headers.get('www-authenticate')!, /^Basic realm=.*Bearer realm=/);
  assert.equal(refused.headers.get('access-control-allow-origin'), '*');
  await refused.text();
  const allowed = await fetch(server.url, { headers: { Authorization: 'Bearer read-token' } });
  assert.equal(await allowed.text(), 'secret');
});
