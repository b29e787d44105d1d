import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ServedDate } from '../../../src/http/headers/served-date.ts';

const NOW = Date.UTC(2026, 0, 1, 12, 0, 0, 700);

/** The time that is reached after these ticks, relative to the first. */
function reachedAfter(...ticks: number[]): number {
  const date = new ServedDate();
  for (const tick of ticks) date.tick(NOW + tick);
  return date.reached() - NOW;
}

test('the time that Date has reached is a renewal before the first tick', () => {
  assert.equal(reachedAfter(0), -1_000);
  assert.equal(reachedAfter(0, 510), -1_000);
});

test('it is then the tick before the last but one', () => {
  assert.equal(reachedAfter(0, 510, 1_020), 0);
  assert.equal(reachedAfter(0, 510, 1_020, 1_530), 510);
});

test('it does not pass a time in which the event loop was blocked before Date has', () => {
  assert.equal(reachedAfter(0, 510, 1_020, 9_000), 510);
  assert.equal(reachedAfter(0, 510, 1_020, 9_000, 9_510), 1_020);
  assert.equal(reachedAfter(0, 510, 1_020, 9_000, 9_510, 10_020), 9_000);
});

test('it goes back at once with the clock, and forward again after a renewal', () => {
  assert.equal(reachedAfter(0, 510, 1_020, -3_600_000), -3_600_000);
  assert.equal(reachedAfter(0, 510, 1_020, 3_600_000), 510);
});
