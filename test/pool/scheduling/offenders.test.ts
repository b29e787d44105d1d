import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Offenders } from '../../../src/pool/scheduling/offenders.ts';

const MINUTE = 60_000;

function withClock() {
  const clock = { time: 1_000, now: () => clock.time };
  return { clock, offenders: new Offenders(100, clock) };
}

/** Returns how long the client is blocked, in milliseconds. */
function blockedFor({ clock, offenders }: ReturnType<typeof withClock>, client: string): number {
  const before = clock.time;
  while (offenders.mustWait(client)) clock.time++;
  return clock.time - before;
}

test('a client waits longer for each thread that it ends, up to a maximum', () => {
  const parts = withClock();
  const waits = Array.from({ length: 7 }, () => {
    parts.offenders.record('bad', false);
    return blockedFor(parts, 'bad');
  });
  assert.deepEqual(waits, [100, 200, 400, 500, 500, 500, 500]);
  assert.equal(parts.offenders.mustWait('good'), false);
});

test('the record of a client is deleted a minute after it last ended a thread', () => {
  const parts = withClock();
  const { clock, offenders } = parts;
  for (let i = 0; i < 3; i++) offenders.record('bad', true);
  assert.deepEqual([offenders.hasRecords, offenders.isDistrusted('bad')], [true, true]);
  clock.time += MINUTE + 1;
  assert.deepEqual([offenders.hasRecords, offenders.isDistrusted('bad')], [false, false]);
  offenders.record('bad', false);
  assert.equal(blockedFor(parts, 'bad'), 100);
});

test('a client that ends a thread with a fast program is distrusted, and remains so', () => {
  const { offenders } = withClock();
  offenders.record('bad', false);
  assert.equal(offenders.isDistrusted('bad'), false);
  offenders.record('bad', true);
  offenders.record('bad', false);
  assert.equal(offenders.isDistrusted('bad'), true);
  assert.equal(offenders.isDistrusted('good'), false);
});

test('a thread that an unknown client ends is charged to no client, but starts client lookups', () => {
  const { offenders } = withClock();
  assert.equal(offenders.hasRecords, false);
  offenders.record('', true);
  assert.deepEqual(
    [offenders.hasRecords, offenders.mustWait(''), offenders.isDistrusted('')],
    [true, false, false],
  );
});

test('the number of remembered offenders is bounded', () => {
  const { offenders } = withClock();
  for (let i = 0; i <= 10_000; i++) offenders.record(`client ${i}`, true);
  assert.equal(offenders.isDistrusted('client 0'), false);
  assert.equal(offenders.isDistrusted('client 10000'), true);
});
