import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sliceBesideFast, sliceMs } from '../../../src/pool/scheduling/slices.ts';

/** Of an evaluation that was stopped so often. */
const factorAfter = (stops: number) => 4 ** stops;

test('a slice grows with the factor of its evaluation, and is shorter on the last thread', () => {
  assert.deepEqual([sliceMs(1, false), sliceMs(4, false), sliceMs(4, true)], [15, 60, 20]);
});

test('while fast programs wait, every time slice on the last thread is short, after any number of preemptions', () => {
  const slices = [0, 1, 2, 3, 4, 5, 20].map((stops) => sliceBesideFast(factorAfter(stops)));
  assert.deepEqual(slices, [5, 20, 80, 80, 80, 80, 80]);
});
