import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BatchRanges } from '../../../src/pool/batch/ranges.ts';
import { StartCost } from '../../../src/pool/batch/start-cost.ts';

test('ranges cover each start resource once, for any cost of evaluations', () => {
  const costs = fc.array(fc.option(fc.double({ min: 0, max: 1e6, noNaN: true }), { nil: undefined }), {
    minLength: 1,
  });
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5_000 }),
      fc.integer({ min: 1, max: 8 }),
      costs,
      (count, takers, startMs) => {
        const ranges = new BatchRanges(count);
        let next = 0;
        for (let number = 0; next < count; number++) {
          const range = ranges.take(takers, startMs[number % startMs.length])!;
          assert.deepEqual([range.number, range.from], [number, next]);
          assert.ok(range.to > range.from && range.to <= count);
          next = range.to;
        }
        assert.equal(ranges.take(takers, undefined), null);
      },
    ),
  );
});

test('the remaining start resources are divided among the threads, but not into tiny ranges', () => {
  const ranges = new BatchRanges(1_000);
  const sizes: number[] = [];
  for (let range = ranges.take(2, 0.004); range; range = ranges.take(2, 0.004))
    sizes.push(range.to - range.from);
  assert.deepEqual(sizes, [500, 250, 125, 100, 25]);
});

test('one delayed job raises the estimated cost only temporarily', () => {
  const cost = new StartCost();
  cost.record(1_000, 2);
  cost.record(1_000, 900);
  assert.equal(cost.isFast, false);
  for (let i = 0; i < 20; i++) cost.record(500, 1);
  assert.equal(cost.isFast, true);
  assert.ok(cost.milliseconds! < 0.01);
});

test('the cost is unknown before the first job, and after a slow start resource', () => {
  const cost = new StartCost();
  assert.deepEqual([cost.milliseconds, cost.isFast], [undefined, false]);
  cost.record(10, 1);
  assert.deepEqual([cost.milliseconds, cost.isFast], [0.1, true]);
  cost.forget();
  assert.deepEqual([cost.milliseconds, cost.isFast], [undefined, false]);
});
