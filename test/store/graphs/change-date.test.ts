import assert from 'node:assert/strict';
import { test } from 'node:test';
import { changeDate } from '../../../src/store/graphs/change-date.ts';

test('G-73: a change has the time of the clock, or is a second after the one before it', () => {
  assert.equal(changeDate(5_000), 5_000);
  assert.equal(changeDate(5_000, 4_999), 5_000);
  assert.equal(changeDate(5_000, 5_000), 5_000);
  assert.equal(changeDate(5_000, 5_001), 6_001);
  assert.equal(changeDate(5_000, 9_000), 10_000);
});
