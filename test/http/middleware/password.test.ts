import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashPassword, parsePasswordHash, verifyPassword } from '../../../src/http/middleware/password.ts';

const cheap = { logCost: 4, blockSize: 8, parallelism: 1 };

test('a hash verifies its password and no other', async () => {
  const hash = parsePasswordHash(await hashPassword('grün:1', cheap));
  assert.ok(hash);
  assert.equal(await verifyPassword('grün:1', hash), true);
  assert.equal(await verifyPassword('grün:2', hash), false);
  assert.equal(await verifyPassword('', hash), false);
});

test('the same password has another hash each time', async () => {
  assert.notEqual(await hashPassword('a', cheap), await hashPassword('a', cheap));
});

test('a hash of default cost can be read again', async () => {
  const hash = parsePasswordHash(await hashPassword('a'));
  assert.deepEqual([hash?.logCost, hash?.blockSize, hash?.parallelism], [14, 8, 5]);
});

test('a hash that is truncated, of another kind, or too expensive is invalid', async () => {
  const good = await hashPassword('a', cheap);
  for (const bad of [
    '',
    'secret',
    good.slice(0, -1),
    `${good}A`,
    good.replace('scrypt', 'argon2'),
    good.replace('scrypt:4', 'scrypt:0'),
    good.replace('scrypt:4:8', 'scrypt:24:8'),
    good.replace('scrypt:4:8', 'scrypt:99:99'),
  ]) {
    assert.equal(parsePasswordHash(bad), undefined, bad);
  }
});
