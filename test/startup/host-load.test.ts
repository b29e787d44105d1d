import assert from 'node:assert/strict';
import { test } from 'node:test';
import { HostLoad } from '../../src/startup/host-load.ts';

const SECOND = 1_000;

/** A process with two threads on two processors. What it gets each second is up to the test. */
function host() {
  const waited = new Map([
    [1, 0],
    [2, 0],
  ]);
  const state = { now: 0, used: 0, throttled: 0 };
  const changes: boolean[] = [];
  const view = {
    waited: () => new Map(waited),
    used: () => state.used,
    throttled: () => state.throttled,
    processors: 2,
  };
  const load = new HostLoad((busy) => changes.push(busy), view, 0);
  /** A second in which the process used so much, and its second thread waited so long. */
  const pass = (used: number, wait: number) => {
    state.now += SECOND;
    state.used += used;
    waited.set(2, waited.get(2)! + wait);
    load.look(state.now);
    return changes.at(-1) ?? false;
  };
  return { pass, changes, waited, state };
}

test('the host is busy when a thread gets no processor though the process uses hardly any', () => {
  const { pass, changes } = host();
  assert.equal(pass(200, 100), false);
  assert.equal(pass(100, 950), true);
  assert.deepEqual(changes, [true]);
});

test('it is not while other threads wait for our own, or no thread waits', () => {
  const { pass, changes } = host();
  assert.equal(pass(1_900, 950), false);
  assert.equal(pass(600, 950), false);
  assert.equal(pass(100, 0), false);
  assert.equal(pass(100, 700), false);
  assert.deepEqual(changes, []);
});

test('it is not while our own quota delays the threads', () => {
  const { pass, changes, state } = host();
  state.throttled += 700;
  assert.equal(pass(100, 950), false);
  state.throttled += 1;
  assert.equal(pass(100, 950), false);
  assert.deepEqual(changes, []);
  assert.equal(pass(100, 950), true);
});

test('it is tried again after ten seconds whether it is busy still', () => {
  const { pass, changes } = host();
  pass(100, 1_000);
  for (let second = 1; second < 10; second++) assert.equal(pass(1_000, 0), true);
  assert.equal(pass(1_000, 0), false);
  assert.equal(pass(100, 1_000), true);
  assert.deepEqual(changes, [true, false, true]);
});

test('the time that a thread waited before it was first seen does not count', () => {
  const { pass, waited } = host();
  waited.set(3, 60_000);
  assert.equal(pass(100, 0), false);
  assert.equal(pass(100, 0), false);
});
