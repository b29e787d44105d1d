import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { AccessPolicy } from '../../../src/http/middleware/access.ts';
import { parseCredential } from '../../../src/http/middleware/credentials.ts';
import { fixedKeySet } from '../../../src/http/middleware/jwt/key-set.ts';
import { TokenLogins } from '../../../src/http/middleware/jwt/token-logins.ts';
import { hashPassword } from '../../../src/http/middleware/password.ts';
import { GraphRules, parseGraphRules } from '../../../src/http/middleware/permissions/graph-rules.ts';
import type { HttpRequest } from '../../../src/http/server/message.ts';
import { AUDIENCE, ISSUER, issuerKey, keySetOf } from '../../support/token-issuer.ts';
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
  new AccessPolicy({ credentials }, { publicRead, failedLogins });

async function check(policy: AccessPolicy, method: string, path: string, authorization?: string, more = {}) {
  const headers = { ...(authorization && { authorization }), ...more };
  return (await policy.check(fakeRequest(method, path, { headers })))?.code;
}

test('G-4: without configured credentials everything is allowed and Authorization is ignored', async () => {
  const policy = new AccessPolicy({ credentials: [] }, { publicRead: false, failedLogins: 10 });
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

test('T-61: reading the console needs no credentials, and wrong ones are not verified', async () => {
  const policy = policyWith(false, 1);
  for (const path of ['/', '/console', '/console/', '/console/tasks', '/console/assets/main.js']) {
    for (const method of ['GET', 'HEAD', 'OPTIONS']) {
      for (const authorization of [undefined, basic('anna:wrong'), 'Bearer anna.wrong']) {
        assert.equal(await check(policy, method, path, authorization), undefined, `${method} ${path}`);
      }
    }
    assert.equal(await check(policy, 'PUT', path), 'unauthorized', path);
    assert.equal(await check(policy, 'POST', path), 'unauthorized', path);
  }
  for (const path of ['/consoles', '//', '/console.js', '/Console/']) {
    assert.equal(await check(policy, 'GET', path), 'unauthorized', path);
  }
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
  const guesses = Array.from({ length: 100 }, (_, i) => check(policy, 'GET', '/context', basic(`anna:${i}`)));
  const codes = await Promise.all(guesses);
  assert.equal(codes.filter((code) => code === 'unauthorized').length, 16);
  assert.equal(codes.filter((code) => code === 'overloaded').length, 84);
});

test('G-111: a rejected request gets 401 with the authentication schemes and CORS headers', async (t) => {
  const server = await serve(t, () => text('secret'), { access: policyWith(), allowOrigins: ['*'] });
  const url = `${server.url}/context`;
  const rejected = await fetch(url);
  assert.equal(rejected.status, 401);
  assert.match(rejected.headers.get('www-authenticate')!, /^Basic realm=.*Bearer realm=/);
  assert.equal(rejected.headers.get('access-control-allow-origin'), '*');
  await rejected.text();
  const wrong = await fetch(url, { headers: { Authorization: 'Bearer indexer.wrong' } });
  assert.equal(wrong.status, 401);
  await wrong.text();
  for (let i = 0; i < 2; i++) {
    const allowed = await fetch(url, { headers: { Authorization: 'Bearer indexer.read-token' } });
    assert.equal(await allowed.text(), 'secret');
  }
});

test('T-62: a script of a page gets no challenge that makes the browser ask for a password', async (t) => {
  const server = await serve(t, () => text('secret'), { access: policyWith() });
  const headers = { 'X-Requested-With': 'XMLHttpRequest' };
  const rejected = await fetch(`${server.url}/context`, { headers });
  assert.equal(rejected.status, 401);
  assert.match(rejected.headers.get('www-authenticate')!, /^Bearer realm="pathpool"$/);
  await rejected.text();
});

test('T-61: the console needs no credentials', async (t) => {
  const server = await serve(t, () => text('the page'), { access: policyWith() });
  for (const path of ['/', '/console', '/console/tasks', '/console/assets/main.js']) {
    assert.equal(await (await fetch(server.url + path)).text(), 'the page', path);
  }
  for (const path of ['/consoles', '/context', '/console%2F']) {
    const rejected = await fetch(server.url + path);
    assert.equal(rejected.status, 401, path);
    await rejected.text();
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

describe('tokens of an issuer', async () => {
  const key = await issuerKey('one');
  const rules = {
    issuer: ISSUER,
    audience: [AUDIENCE],
    read: [{ claim: 'scope', value: 'pathpool:read' }],
    write: [{ claim: 'scope', value: 'pathpool:write' }],
    noted: [],
  };
  const loginsWith = (text: string) => new TokenLogins(rules, fixedKeySet(text), 100);
  const tokens = loginsWith(keySetOf(key));
  const both = new AccessPolicy({ credentials, tokens }, { publicRead: false, failedLogins: 100 });
  const alone = new AccessPolicy({ credentials: [], tokens }, { publicRead: false, failedLogins: 100 });
  const bearer = async (scope: string) => `Bearer ${await key.sign({ scope })}`;
  const challengesOf = async (policy: AccessPolicy, authorization?: string) => {
    const request = fakeRequest('PUT', '/context', { headers: authorization ? { authorization } : {} });
    return (await policy.check(request))?.details.challenges;
  };

  it('are accepted beside passwords (G-117)', async () => {
    for (const policy of [both, alone]) {
      assert.equal(await check(policy, 'PUT', '/context', await bearer('pathpool:write')), undefined);
      const reader = await bearer('openid pathpool:read');
      assert.equal(await check(policy, 'GET', '/context', reader), undefined);
      assert.equal(await check(policy, 'PUT', '/context', reader), 'forbidden');
      assert.equal(await check(policy, 'GET', '/context', await bearer('openid')), 'forbidden');
      assert.equal(await check(policy, 'GET', '/context'), 'unauthorized');
    }
    assert.equal(await check(both, 'PUT', '/context', 'Bearer exporter.write.token'), undefined);
    assert.equal(await check(alone, 'PUT', '/context', basic('anna:geheim:ü')), 'unauthorized');
    assert.equal(await check(alone, 'PUT', '/context', 'Bearer exporter.write.token'), 'unauthorized');
  });

  it('name their user, whose name no password has', async () => {
    const headers = { authorization: await bearer('pathpool:write') };
    const first = fakeRequest('PUT', '/context', { headers });
    assert.ok(both.check(first) instanceof Promise);
    await both.check(first);
    const second = fakeRequest('PUT', '/context', { headers });
    assert.equal(both.check(second), undefined, 'recognised at once');
    assert.deepEqual([first.user, second.user], ['jwt:anna', 'jwt:anna']);
  });

  it('are challenged with the reason (G-118)', async () => {
    const plain = 'Bearer realm="pathpool"';
    const password = 'Basic realm="pathpool", charset="UTF-8"';
    assert.deepEqual(await challengesOf(both), [password, plain]);
    assert.deepEqual(await challengesOf(alone), [plain]);
    const expired = `Bearer ${await key.sign({ exp: 1 })}`;
    const invalid = `${plain}, error="invalid_token", error_description="The token has expired."`;
    assert.deepEqual(await challengesOf(both, expired), [password, invalid]);
    assert.deepEqual(await challengesOf(alone, expired), [invalid]);
    const insufficient = `${plain}, error="insufficient_scope", error_description="This token does not allow writing.", scope="pathpool:write"`;
    assert.deepEqual(await challengesOf(both, await bearer('pathpool:read')), [insufficient]);
  });

  it('are read from no other place than Authorization', async () => {
    const token = await key.sign({ scope: 'pathpool:write' });
    assert.equal(await check(alone, 'GET', `/context?access_token=${token}`), 'unauthorized');
    const more = { 'x-access-token': token, cookie: `access_token=${token}` };
    assert.equal(await check(alone, 'GET', '/context', undefined, more), 'unauthorized');
  });

  it('are recognised, and ignored if wrong, where reading is open', async () => {
    const tokens = loginsWith(keySetOf(key));
    const policy = new AccessPolicy({ credentials: [], tokens }, { publicRead: true, failedLogins: 100 });
    assert.equal(await check(policy, 'GET', '/context', `Bearer ${await key.sign({ exp: 1 })}`), undefined);
    assert.equal(await check(policy, 'GET', '/context', await bearer('openid')), undefined);
    assert.equal(await check(policy, 'PUT', '/context', await bearer('openid')), 'forbidden');
  });

  it('are recognised only if they allow something, where reading is open (G-116)', async () => {
    const tokens = loginsWith(keySetOf(key));
    const policy = new AccessPolicy({ credentials: [], tokens }, { publicRead: true, failedLogins: 100 });
    for (const [scope, user] of [
      ['openid', undefined],
      ['pathpool:read', 'jwt:anna'],
    ] as const) {
      const authorization = await bearer(scope);
      assert.equal(await check(policy, 'PUT', '/context', authorization), 'forbidden');
      const request = fakeRequest('GET', '/tasks', { headers: { authorization } });
      assert.equal(policy.check(request), undefined);
      assert.equal(request.user, user);
    }
  });
});

describe('a replacement of credentials', () => {
  it('holds for the next request, and verified passwords that stay right are not verified again', async () => {
    const policy = policyWith();
    const anna = basic('anna:geheim:ü');
    const indexer = 'Bearer indexer.read-token';
    for (const each of [anna, indexer]) assert.equal(await check(policy, 'GET', '/context', each), undefined);
    const changed = await credential('read', 'anna', 'geheim:ü');
    policy.replace({ credentials: [{ ...credentials[0]!, role: 'read' }] });
    const request = fakeRequest('PUT', '/context', { headers: { authorization: anna } });
    const verdict = policy.check(request);
    assert.ok(!(verdict instanceof Promise));
    assert.equal(verdict?.code, 'forbidden');
    assert.equal(await check(policy, 'GET', '/context', indexer), 'unauthorized');
    policy.replace({ credentials: [changed] });
    const again = policy.check(fakeRequest('GET', '/context', { headers: { authorization: anna } }));
    assert.ok(again instanceof Promise, 'another hash is verified');
    assert.equal(await again, undefined);
  });

  it('does not accept an old password that is being verified meanwhile', async () => {
    const policy = policyWith();
    const anna = basic('anna:geheim:ü');
    const before = check(policy, 'GET', '/context', anna);
    policy.replace({ credentials: [await credential('write', 'anna', 'new')] });
    const after = check(policy, 'GET', '/context', anna);
    assert.equal(await before, undefined, 'it came before');
    assert.equal(await after, 'unauthorized');
    assert.equal(await check(policy, 'GET', '/context', anna), 'unauthorized');
    assert.equal(await check(policy, 'GET', '/context', basic('anna:new')), undefined);
  });
});

describe('rules about graphs', () => {
  const rules = () =>
    new GraphRules(parseGraphRules('read public /open/*\nwrite user:anna /a/*\nread role:read *'));

  it('give a request what its client may do (G-160)', async () => {
    const policy = new AccessPolicy({ credentials, rules: rules() }, { publicRead: true, failedLogins: 100 });
    policy.useBase('http://example.org');
    const accessOf = async (authorization?: string) => {
      const request = fakeRequest('GET', '/context', { headers: authorization ? { authorization } : {} });
      assert.equal(await policy.check(request), undefined);
      return request.access;
    };
    assert.deepEqual((await accessOf())?.read.prefixes, ['http://example.org/open/']);
    const anna = await accessOf(basic('anna:geheim:ü'));
    assert.deepEqual(anna?.write.names, ['http://example.org/a']);
    assert.deepEqual((await accessOf('Bearer indexer.read-token'))?.read.prefixes, [
      '',
      'http://example.org/open/',
    ]);
  });

  it('deny everything until the base is known, and are replaced at once', async () => {
    const policy = new AccessPolicy(
      { credentials: [], rules: rules() },
      { publicRead: false, failedLogins: 1 },
    );
    const request = fakeRequest('GET', '/context');
    assert.equal(await policy.check(request), undefined);
    assert.deepEqual(request.access?.read.prefixes, []);
    policy.useBase('http://example.org');
    policy.replace({ credentials: [], rules: new GraphRules(parseGraphRules('write public *')) });
    assert.equal(await policy.check(request), undefined);
    assert.equal(request.access, undefined, 'everything is allowed');
  });

  it('verify credentials also where reading is open, and refuse wrong ones', async () => {
    const policy = new AccessPolicy({ credentials, rules: rules() }, { publicRead: true, failedLogins: 100 });
    assert.equal(await check(policy, 'GET', '/context', basic('anna:wrong')), 'unauthorized');
  });
});
