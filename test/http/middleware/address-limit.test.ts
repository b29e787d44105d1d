import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AddressLimit } from '../../../src/http/middleware/address-limit.ts';
import { serve, text } from '../test-server.ts';

function withClock(perSecond: number, burst: number) {
  const clock = { time: 0, now: () => clock.time };
  return { clock, limit: new AddressLimit(perSecond, burst, clock) };
}

test('an address has a burst limit and a rate limit', () => {
  const { clock, limit } = withClock(2, 3);
  assert.deepEqual(
    [1, 2, 3].map(() => limit.take('192.0.2.1')),
    [0, 0, 0],
  );
  assert.equal(limit.take('192.0.2.1'), 0.5);
  assert.equal(limit.take('192.0.2.2'), 0);
  clock.time = 500;
  assert.equal(limit.take('192.0.2.1'), 0);
  assert.ok(limit.take('192.0.2.1') > 0);
  clock.time = 60_000;
  assert.deepEqual(
    [1, 2, 3, 4].map(() => limit.take('192.0.2.1')),
    [0, 0, 0, 0.5],
  );
});

test('returned permits can be taken again, and no more than those', () => {
  const { limit } = withClock(1, 1);
  limit.giveBack('a');
  assert.equal(limit.take('a'), 0);
  limit.giveBack('a');
  assert.equal(limit.take('a'), 0);
  assert.equal(limit.take('a'), 1);
});

test('IPv6 addresses of one /64 network share a limit, and mapped IPv4 addresses do not', () => {
  const { limit } = withClock(1, 1);
  assert.equal(limit.take('2001:0db8:0000:0001:0000:0000:0000:0001'), 0);
  assert.equal(limit.take('2001:0db8:0000:0001:ffff:0000:0000:0002'), 1);
  assert.equal(limit.take('2001:0db8:0000:0002:0000:0000:0000:0001'), 0);
  assert.equal(limit.take('0000:0000:0000:0000:0000:ffff:c000:0201'), 0);
  assert.equal(limit.take('0000:0000:0000:0000:0000:ffff:c000:0202'), 0);
});

test('G-114: a client with too many requests gets 429 with the time to wait', async (t) => {
  const server = await serve(t, () => text('fine'), { requests: new AddressLimit(0.1, 3) });
  const statuses: number[] = [];
  for (let i = 0; i < 3; i++) statuses.push((await fetch(server.url)).status);
  assert.deepEqual(statuses, [200, 200, 200]);
  const forwarded = { 'X-Forwarded-For': '192.0.2.77', Forwarded: 'for=192.0.2.77' };
  const rejected = await fetch(server.url, { headers: forwarded });
  assert.equal(rejected.status, 429);
  assert.match(rejected.headers.get('retry-after')!, /^([1-9]|10)$/);
  assert.equal(((await rejected.json()) as { code: string }).code, 'too-many-requests');
});
