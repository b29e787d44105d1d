import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { median, quantile, ratioSpread, spread } from '../../../bench/measure/statistics.ts';

test('quantiles lie between the values, in order', () => {
  assert.equal(median([3, 1, 2]), 2);
  assert.equal(median([4, 1, 2, 3]), 2.5);
  assert.deepEqual(spread([1, 2, 3, 4, 5]), { median: 3, low: 2, high: 4 });
  assert.ok(Number.isNaN(quantile([], 0.5)));
});

test('the ratio of pairs does not move when the machine slows both of a pair down alike', () => {
  const pair = fc.record({
    reference: fc.double({ min: 1, max: 1e6, noNaN: true }),
    slowness: fc.double({ min: 0.01, max: 100, noNaN: true }),
  });
  fc.assert(
    fc.property(
      fc.array(pair, { minLength: 1 }),
      fc.double({ min: 0.1, max: 10, noNaN: true }),
      (pairs, factor) => {
        const references = pairs.map(({ reference, slowness }) => reference * slowness);
        const found = ratioSpread(
          references.map((value) => value * factor),
          references,
        );
        for (const value of Object.values(found)) assert.ok(Math.abs(value / factor - 1) < 1e-9);
      },
    ),
  );
});

test('values without a partner each are compared by their medians', () => {
  assert.deepEqual(ratioSpread([10, 20, 30], [10]), { median: 2, low: 2, high: 2 });
});
