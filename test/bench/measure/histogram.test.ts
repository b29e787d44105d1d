import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Histogram } from '../../../bench/measure/histogram.ts';

const values = fc.array(fc.oneof(fc.nat(300), fc.nat(100_000), fc.integer({ min: 0, max: 2 ** 32 - 1 })), {
  minLength: 1,
  maxLength: 300,
});

test('a quantile is the value of that rank, rounded up by less than a 128th', () => {
  fc.assert(
    fc.property(values, fc.double({ min: 0, max: 1, noNaN: true }), (numbers, share) => {
      const histogram = new Histogram();
      for (const number of numbers) histogram.record(number);
      const sorted = [...numbers].sort((a, b) => a - b);
      const exact = sorted[Math.max(1, Math.ceil(share * sorted.length)) - 1]!;
      const found = histogram.quantile(share);
      assert.ok(found >= exact && found <= exact + exact / 128, `${found} for ${exact}`);
    }),
  );
});

test('the greatest value and the count are exact', () => {
  fc.assert(
    fc.property(values, (numbers) => {
      const histogram = new Histogram();
      for (const number of numbers) histogram.record(number);
      assert.equal(histogram.max, Math.max(...numbers));
      assert.equal(histogram.quantile(1), histogram.max);
      assert.equal(histogram.count, numbers.length);
    }),
  );
});

test('values beyond the range count at its ends, and an empty histogram has no quantiles', () => {
  const histogram = new Histogram();
  assert.ok(Number.isNaN(histogram.quantile(0.5)));
  histogram.record(-5);
  histogram.record(2 ** 40);
  assert.equal(histogram.quantile(0), 0);
  assert.equal(histogram.max, 2 ** 32 - 1);
});
