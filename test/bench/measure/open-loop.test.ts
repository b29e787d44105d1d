import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Arrivals } from '../../../bench/measure/arrivals.ts';
import { OpenLoop } from '../../../bench/measure/open-loop.ts';

test('requests are due at equal intervals, whatever the interval of the timer', () => {
  const looks = fc.array(fc.integer({ min: 1, max: 500 }), { maxLength: 50 });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 2_000 }), looks, (perSecond, steps) => {
      const arrivals = new Arrivals(perSecond, 1, 0);
      const taken: number[] = [];
      let now = 0;
      for (const step of [...steps, 1000]) {
        now += step;
        for (let due = arrivals.take(now); due !== undefined; due = arrivals.take(now)) {
          assert.ok(due <= now);
          taken.push(due);
        }
      }
      assert.equal(taken.length, perSecond);
      assert.equal(arrivals.left, 0);
      for (const [i, due] of taken.entries()) assert.ok(Math.abs(due - (i * 1000) / perSecond) < 1e-6);
    }),
  );
});

/** A server in a clock of our own: it answers after a millisecond, but stands still for a while. */
function simulate(stall: { readonly from: number; readonly to: number }, connections: number) {
  let now = 0;
  let made = 0;
  const answers: { at: number; done: (ok: boolean) => void }[] = [];
  const loop = new OpenLoop<number>({
    arrivals: new Arrivals(100, 10, 0),
    now: () => now,
    connect: () => (made < connections ? ++made : undefined),
    send: (_, done) => {
      const stalled = now >= stall.from && now < stall.to;
      answers.push({ at: (stalled ? stall.to : now) + 1, done });
    },
  });
  for (; !loop.finished && now < 60_000; now++) {
    loop.advance();
    for (const { done } of answers.filter(({ at }) => at <= now)) done(true);
    answers.splice(0, answers.length, ...answers.filter(({ at }) => at > now));
  }
  return loop;
}

for (const connections of [1, 1000]) {
  test(`a server that stops for a second raises p99 (${connections} connections)`, () => {
    const { latencies, failures } = simulate({ from: 5_000, to: 6_000 }, connections);
    assert.equal(latencies.count, 1_000);
    assert.equal(failures, 0);
    // The last 10 of the 100 requests that were due meanwhile determine the overall p99, if waiting
    // counts.
    assert.ok(latencies.quantile(0.99) >= 890_000, String(latencies.quantile(0.99)));
    assert.ok(latencies.quantile(0.5) <= 2_000);
    assert.ok(latencies.max >= 1_000_000);
  });
}

test('a request without response at the end of the load is a failure that took until then', () => {
  let now = 0;
  const loop = new OpenLoop<number>({
    arrivals: new Arrivals(10, 1, 0),
    now: () => now,
    connect: (() => {
      let made = 0;
      return () => (made++ === 0 ? 1 : undefined);
    })(),
    send: () => {},
  });
  for (; now <= 1_000; now += 100) loop.advance();
  assert.equal(loop.finished, false);
  assert.ok(loop.behind >= 900);
  assert.equal(loop.abandon(), 10);
  assert.equal(loop.failures, 10);
  assert.equal(loop.finished, true);
  assert.ok(loop.latencies.max >= 1_000_000);
});
