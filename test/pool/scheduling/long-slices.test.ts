import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LongSlices } from '../../../src/pool/scheduling/long-slices.ts';

test('only one run at a time has the long slice, and keeps it', () => {
  const slices = new LongSlices<string>();
  assert.deepEqual(
    [slices.take('a', 0), slices.take('b', 1), slices.take('a', 1_000_000)],
    [true, false, true],
  );
});

test('after a long slice, no run gets another for a hundred times as long', () => {
  const slices = new LongSlices<string>();
  slices.take('a', 0);
  slices.end('a', 60, 60);
  assert.deepEqual([slices.take('a', 6_059), slices.take('b', 6_060)], [false, true]);
});

test('the end of a run without a long slice does not start a pause', () => {
  const slices = new LongSlices<string>();
  slices.end('b', 0, 1_000);
  assert.equal(slices.take('a', 1), true);
});

test('the pause is bounded for any length of the slice', () => {
  const slices = new LongSlices<string>();
  slices.take('a', 0);
  slices.end('a', 30_000, 30_000);
  assert.equal(slices.take('b', 130_000), true);
});
