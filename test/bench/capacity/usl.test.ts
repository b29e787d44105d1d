import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fitScaling, peak, throughputAt } from '../../../bench/capacity/usl.ts';

const laws = fc.record({
  rate: fc.double({ min: 1, max: 1e6, noNaN: true }),
  contention: fc.oneof(fc.constant(0), fc.double({ min: 0.001, max: 0.9, noNaN: true })),
  coherence: fc.oneof(fc.constant(0), fc.double({ min: 0.0001, max: 0.1, noNaN: true })),
});
const counts = fc.subarray([1, 2, 3, 4, 6, 8, 16, 32, 64], { minLength: 3 });

test('the fit finds the law that throughputs were made by', () => {
  fc.assert(
    fc.property(laws, counts, (law, threads) => {
      const fit = fitScaling(threads.map((n) => ({ threads: n, throughput: throughputAt(law, n) })));
      assert.ok('law' in fit);
      assert.ok(Math.abs(fit.law.rate / law.rate - 1) < 1e-3, JSON.stringify(fit.law));
      assert.ok(Math.abs(fit.law.contention - law.contention) < 1e-3, JSON.stringify(fit.law));
      assert.ok(Math.abs(fit.law.coherence - law.coherence) < 1e-3, JSON.stringify(fit.law));
      assert.equal(fit.caution !== undefined, threads.length === 3);
    }),
  );
});

test('with noise the fit stays near the throughputs, and no parameter is negative', () => {
  const noise = fc.array(fc.double({ min: 0.95, max: 1.05, noNaN: true }), { minLength: 64, maxLength: 64 });
  fc.assert(
    fc.property(laws, counts, noise, (law, threads, factors) => {
      const points = threads.map((n) => ({ threads: n, throughput: throughputAt(law, n) * factors[n - 1]! }));
      const fit = fitScaling(points);
      assert.ok('law' in fit);
      assert.ok(fit.law.rate > 0 && fit.law.contention >= 0 && fit.law.coherence >= 0);
      for (const { threads, throughput } of points) {
        assert.ok(Math.abs(throughputAt(fit.law, threads) / throughput - 1) < 0.5);
      }
    }),
  );
});

test('two numbers of threads are too few, even if they were measured often', () => {
  const points = [1, 2, 2, 1].map((threads) => ({ threads, throughput: threads * 10 }));
  assert.deepEqual(fitScaling(points), {
    none: '2 numbers of threads are too few for a law of three parameters',
  });
});

test('the peak is where one more thread costs more than it brings', () => {
  const law = { rate: 1, contention: 0.1, coherence: 0.01 };
  assert.equal(Math.round(peak(law)), 9);
  assert.ok(throughputAt(law, 9) >= throughputAt(law, 8) && throughputAt(law, 9) >= throughputAt(law, 10));
  assert.equal(peak({ contention: 0.1, coherence: 0 }), Number.POSITIVE_INFINITY);
});
