import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StartCost } from '../../../src/pool/batch/start-cost.ts';

test('the cost of a selection that never ran is unknown', () => {
  const cost = new StartCost();
  assert.equal(cost.milliseconds, undefined);
  assert.equal(cost.isFast, false);
});

test('start resources are fast if they take less than half a millisecond on average', () => {
  for (const [starts, milliseconds, fast] of [
    [100, 49, true],
    [100, 50, false],
    [1, 0, true],
  ] as const) {
    const cost = new StartCost();
    cost.record(starts, milliseconds);
    assert.equal(cost.milliseconds, milliseconds / starts);
    assert.equal(cost.isFast, fast);
  }
});

test('newer jobs have a higher weight than older ones', () => {
  const cost = new StartCost();
  cost.record(100, 100);
  cost.record(100, 0);
  assert.equal(cost.milliseconds, 75 / 175);
});

test('an evicted program is measured again from the beginning', () => {
  const cost = new StartCost();
  cost.record(100, 10_000);
  cost.forget();
  assert.equal(cost.milliseconds, undefined);
  assert.equal(cost.isFast, false);
  cost.record(100, 10);
  assert.equal(cost.milliseconds, 0.1);
  assert.equal(cost.isFast, true);
});
