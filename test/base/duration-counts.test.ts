import assert from 'node:assert/strict';
import { it } from 'node:test';
import { DurationCounts } from '../../src/base/duration-counts.ts';

it('counts each time within the smallest bound that it does not exceed', () => {
  const times = new DurationCounts();
  for (const milliseconds of [0, 0.5, 0.51, 1000, 30_000, 31_000]) times.record(milliseconds);
  const within = (seconds: number) => times.counts[times.bounds.indexOf(seconds)];
  assert.deepEqual([within(0.0005), within(0.001), within(1), within(30)], [2, 1, 1, 1]);
  assert.equal(times.counts[times.bounds.length], 1);
  assert.equal(Math.round(times.sum), 62);
});
