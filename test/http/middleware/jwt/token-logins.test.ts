import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, it } from 'node:test';
import { fixedKeySet, type KeySet, KeysUnavailable } from '../../../../src/http/middleware/jwt/key-set.ts';
import { TokenLogins, type TokenRules } from '../../../../src/http/middleware/jwt/token-logins.ts';
import { AUDIENCE, ISSUER, issuerKey, keySetOf, type TestClaims } from '../../../support/token-issuer.ts';

const key = await issuerKey('one');
const rsa = await issuerKey('rsa', 'RS256');
const stranger = await issuerKey('one');
const keys = fixedKeySet(keySetOf(key, rsa));
const rules: TokenRules = {
  issuer: ISSUER,
  audience: ['other', AUDIENCE],
  read: [{ claim: 'scope', value: 'pathpool:read' }],
  write: [{ claim: 'scope', value: 'pathpool:write' }],
  noted: [],
};
const READER = { scope: 'pathpool:read' };

function loginsWith(more: { keys?: KeySet; failedLogins?: number; clock?: { now(): number } } = {}) {
  return new TokenLogins(rules, more.keys ?? keys, more.failedLogins ?? 1000, more.clock);
}

async function verify(logins: TokenLogins, token: string, address = '10.0.0.1') {
  const given = logins.read(token);
  assert.ok(given, 'it has the form of a token');
  const result = await logins.verify(given, address);
  return result.ok ? result.value : `${result.error.code}: ${result.error.message}`;
}

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const now = () => Math.floor(Date.now() / 1000);

/** Counts how often a key is needed, which is once for each verification. */
function counted(): KeySet & { count: number } {
  const counting: KeySet & { count: number } = {
    ...keys,
    count: 0,
    find: (header, token) => {
      counting.count++;
      return keys.find(header, token);
    },
  };
  return counting;
}

describe('a token', () => {
  it('has the roles that its claims give it', async () => {
    const logins = loginsWith();
    for (const [scope, role] of [
      ['pathpool:write', 'write'],
      ['openid pathpool:read', 'read'],
      ['openid', undefined],
    ] as const) {
      const principal = await verify(logins, await key.sign({ scope }));
      assert.deepEqual(principal, { kind: 'token', name: 'jwt:anna', role });
    }
  });

  for (const alg of ['RS256', 'PS256', 'ES256', 'ES384', 'EdDSA']) {
    it(`may be signed with ${alg}`, async () => {
      const signing = await issuerKey('k', alg);
      const logins = loginsWith({ keys: fixedKeySet(keySetOf(key, signing)) });
      assert.equal(typeof (await verify(logins, await signing.sign(READER))), 'object');
    });
  }

  for (const [what, claims, message] of [
    ['an expired one', { exp: now() - 31 }, 'The token has expired.'],
    ['one without expiry', { exp: undefined }, 'The claim exp of the token is missing or wrong.'],
    ['one that begins later', { nbf: now() + 60 }, 'The token is not valid yet.'],
    [
      'one of another issuer',
      { iss: `${ISSUER}/` },
      'The token is not from the issuer that this server trusts.',
    ],
    ['one without issuer', { iss: undefined }, 'The token is not from the issuer that this server trusts.'],
    ['one for another service', { aud: ['x'] }, 'The token is not meant for this server.'],
    ['one without audience', { aud: undefined }, 'The token is not meant for this server.'],
    ['one without subject', { sub: undefined }, 'The claim sub of the token is missing or wrong.'],
    ['one with an empty subject', { sub: '' }, 'The subject of the token does not have 1 to 255 characters.'],
    [
      'one with a long subject',
      { sub: 'x'.repeat(256) },
      'The subject of the token does not have 1 to 255 characters.',
    ],
  ] as const satisfies readonly (readonly [string, TestClaims, string])[]) {
    it(`is rejected: ${what}`, async () => {
      assert.equal(await verify(loginsWith(), await key.sign(claims)), `unauthorized: ${message}`);
    });
  }

  it('is not rejected, but cannot be verified now, if the keys are unavailable (G-119)', async () => {
    const find = () => Promise.reject(new KeysUnavailable('No keys.', 7));
    const logins = loginsWith({ keys: { ...keys, find }, failedLogins: 1 });
    for (let i = 0; i < 3; i++)
      assert.equal(await verify(logins, await key.sign({ i })), 'keys-unavailable: No keys.');
  });

  it('is accepted although clocks differ by less than half a minute', async () => {
    const claims = { exp: now() - 20, nbf: now() + 20 };
    assert.equal(typeof (await verify(loginsWith(), await key.sign(claims))), 'object');
  });
});

describe('an attacker', () => {
  const claims = { iss: ISSUER, aud: AUDIENCE, sub: 'anna', exp: now() + 600, scope: 'pathpool:write' };

  it('gets nowhere with a token without signature', async () => {
    for (const alg of ['none', 'None', 'NONE', '']) {
      const token = `${encode({ alg, kid: 'one' })}.${encode(claims)}.`;
      assert.match(String(await verify(loginsWith(), token)), /^unauthorized/);
    }
  });

  it('gets nowhere with the public key as a shared secret', async () => {
    const secrets = [
      JSON.stringify(rsa.publicKey),
      rsa.publicKey.n!,
      Buffer.from(rsa.publicKey.n!, 'base64url'),
    ];
    for (const secret of secrets) {
      const text = `${encode({ alg: 'HS256', kid: 'rsa' })}.${encode(claims)}`;
      const signature = createHmac('sha256', secret).update(text).digest('base64url');
      const result = await verify(loginsWith(), `${text}.${signature}`);
      assert.equal(result, 'unauthorized: The algorithm of the token is not accepted.');
    }
  });

  it('gets nowhere with a key of his own, named or embedded in the header', async () => {
    const wrong = 'unauthorized: The signature of the token is wrong.';
    for (const header of [
      {},
      { jwk: stranger.publicKey },
      { jku: 'http://127.0.0.1:1/keys' },
      { x5u: 'http://127.0.0.1:1/keys' },
      { x5c: ['MIIB'] },
    ]) {
      assert.equal(await verify(loginsWith(), await stranger.sign(claims, header)), wrong);
    }
  });

  it('gets nowhere with changed claims, extensions that must be understood, or another kind of key', async () => {
    const [header, , signature] = (await key.sign(READER)).split('.');
    const changed = await verify(loginsWith(), `${header}.${encode(claims)}.${signature}`);
    assert.equal(changed, 'unauthorized: The signature of the token is wrong.');
    const critical = `${encode({ alg: 'ES256', kid: 'one', crit: ['exp'], exp: 1 })}.${encode(claims)}.${signature}`;
    assert.equal(await verify(loginsWith(), critical), 'unauthorized: The token is malformed.');
    const unencoded = `${encode({ alg: 'ES256', kid: 'one', crit: ['b64'], b64: false })}.${encode(claims)}.${signature}`;
    assert.match(String(await verify(loginsWith(), unencoded)), /^unauthorized/);
    const mixed = `${encode({ alg: 'RS256', kid: 'one' })}.${encode(claims)}.${signature}`;
    assert.equal(
      await verify(loginsWith(), mixed),
      'unauthorized: The issuer has no key that fits the token.',
    );
  });

  it('cannot make the server parse a huge token', async () => {
    const counting = counted();
    const token = await key.sign({ x: 'x'.repeat(16_000) });
    assert.match(
      String(await verify(loginsWith({ keys: counting }), token)),
      /^unauthorized: The token is longer/,
    );
    assert.equal(counting.count, 0);
  });

  it('has to wait after too many failures, and others do not', async () => {
    const logins = loginsWith({ failedLogins: 3 });
    const known = await key.sign(READER);
    assert.equal(typeof (await verify(logins, known)), 'object');
    const codes: string[] = [];
    for (let i = 0; i < 5; i++)
      codes.push(String(await verify(logins, await stranger.sign({ i }))).split(':')[0]!);
    assert.deepEqual(codes, [...Array(3).fill('unauthorized'), ...Array(2).fill('too-many-requests')]);
    assert.ok(logins.identify(logins.read(known)!), 'a known token is still accepted');
    assert.equal(typeof (await verify(logins, await key.sign(READER), '10.9.9.9')), 'object');
  });

  it('cannot make more than a bounded number of tokens be verified at once', async () => {
    const logins = loginsWith();
    const tokens = await Promise.all(Array.from({ length: 70 }, (_, i) => stranger.sign({ i })));
    const results = await Promise.all(tokens.map((token) => verify(logins, token)));
    assert.equal(results.filter((result) => String(result).startsWith('overloaded')).length, 6);
  });
});

describe('a verified token', () => {
  it('is recognised at once, until it has expired, and is verified again after five minutes', async () => {
    let time = Date.now();
    const counting = counted();
    const logins = loginsWith({ keys: counting, clock: { now: () => time } });
    const token = await key.sign(READER);
    const given = logins.read(token)!;
    assert.equal(logins.identify(given), undefined);
    await verify(logins, token);
    assert.equal(logins.identify(given)?.role, 'read');
    time += 300_000;
    assert.equal(logins.identify(given), undefined);
    await verify(logins, token);
    assert.equal(logins.identify(given)?.role, 'read');
    time += 331_000;
    assert.equal(logins.identify(given), undefined);
    assert.equal(await verify(logins, token), 'unauthorized: The token has expired.');
    assert.equal(counting.count, 2, 'an expired one is not verified again');
  });

  it('is verified again when the keys have changed', async () => {
    const changing = { ...keys, version: 1 };
    const logins = loginsWith({ keys: changing });
    const token = await key.sign(READER);
    const given = logins.read(token)!;
    await verify(logins, token);
    assert.ok(logins.identify(given));
    Object.assign(changing, { version: 2, find: fixedKeySet(keySetOf(rsa)).find });
    assert.equal(logins.identify(given), undefined);
    assert.match(String(await verify(logins, token)), /has no key that fits/);
  });

  it('is not remembered if the keys change while it is verified', async () => {
    const changing: KeySet & { version: number } = {
      ...keys,
      version: 1,
      find: (header, token) => {
        changing.version++;
        return keys.find(header, token);
      },
    };
    const logins = loginsWith({ keys: changing });
    const token = await key.sign(READER);
    assert.equal(typeof (await verify(logins, token)), 'object');
    assert.equal(logins.identify(logins.read(token)!), undefined);
  });

  it('is verified once when it arrives on many connections', async () => {
    const counting = counted();
    const logins = loginsWith({ keys: counting, failedLogins: 1 });
    const token = await key.sign(READER);
    await Promise.all(Array.from({ length: 100 }, () => verify(logins, token)));
    assert.equal(counting.count, 1);
  });

  it('does not count as a failed login after its expiry', async () => {
    const logins = loginsWith({ failedLogins: 1 });
    const token = await key.sign({ exp: now() - 60 });
    for (let i = 0; i < 3; i++)
      assert.equal(await verify(logins, token), 'unauthorized: The token has expired.');
    assert.equal(typeof (await verify(logins, await key.sign(READER))), 'object');
  });
});
