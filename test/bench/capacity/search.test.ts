import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findCapacity, isGood, type LoadPoint } from '../../../bench/capacity/search.ts';

/** A queue: latency grows without end as the load comes near to what the server can do. */
function queue(serves: number) {
  return (offered: number): Promise<LoadPoint> => {
    const answered = Math.min(offered, serves);
    const p99 = offered < serves ? 4000 / (serves - offered) : 2_000;
    return Promise.resolve({ offered, answered, p50: p99 / 4, p99, failures: 0, lateness: 0 });
  };
}

const plan = { shares: [0.1, 0.3, 0.5, 0.7, 0.9, 1], refinements: 6, retries: 1, bound: 50 };

test('the search approaches the greatest load within the bound, and never exceeds it', async () => {
  const serving = fc.integer({ min: 500, max: 100_000 });
  const mistaken = fc.double({ min: 0.5, max: 1.9, noNaN: true });
  await fc.assert(
    fc.asyncProperty(serving, mistaken, async (serves, factor) => {
      const limit = serves - 4000 / plan.bound;
      const most = serves * factor;
      const { requestsPerSecond } = await findCapacity(most, plan, queue(serves));
      assert.ok(requestsPerSecond <= limit + 1e-6, `${requestsPerSecond} above ${limit}`);
      const reachable = Math.min(limit, most);
      assert.ok(requestsPerSecond >= reachable * 0.95 - 1, `${requestsPerSecond} far below ${reachable}`);
    }),
  );
});

test('a server that never keeps the bound has no capacity, and the search ends', async () => {
  let asked = 0;
  const { requestsPerSecond, points } = await findCapacity(1_000, plan, (offered) => {
    asked++;
    return Promise.resolve({ offered, answered: offered, p50: 90, p99: 99, failures: 0, lateness: 0 });
  });
  assert.equal(requestsPerSecond, 0);
  assert.ok(asked < 40);
  assert.ok(points.every((point) => !isGood(point, plan.bound)));
});

test('a moment of the machine is measured again', async () => {
  let asked = 0;
  const slowOnce = async (offered: number) => ({
    ...(await queue(1_000)(offered)),
    ...(++asked === 2 && { p99: 400 }),
  });
  const { points } = await findCapacity(1_000, plan, slowOnce);
  assert.ok(points.find(({ offered }) => offered === 300)!.p99 < plan.bound);
});

test('failures and growing queues are bad, whatever the latency', () => {
  const good = { offered: 100, answered: 100, p50: 1, p99: 2, failures: 0, lateness: 0 };
  assert.equal(isGood(good, 50), true);
  assert.equal(isGood({ ...good, failures: 1 }, 50), false);
  assert.equal(isGood({ ...good, answered: 90 }, 50), false);
  assert.equal(isGood({ ...good, p99: 51 }, 50), false);
});
