import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { LoopLag } from '../../src/metrics/loop-lag.ts';

const BLOCKED_MS = 200;

/** Blocks the event loop, until the lag shows it. */
async function block(lag: LoopLag): Promise<void> {
  while (lag.quantile(1) < BLOCKED_MS / 2000) {
    const end = performance.now() + BLOCKED_MS;
    while (performance.now() < end);
    await delay(1);
  }
}

it('the lag of the event loop does not depend on how often it is asked for', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const lag = new LoopLag();
  t.after(() => lag.close());
  await block(lag);
  const first = lag.quantile(1);
  assert.ok(lag.quantile(1) >= first);
  assert.ok(lag.quantile(0.5) <= lag.quantile(0.99));
});

it('a lag of the event loop is shown for at least a window, and forgotten after two', async (t) => {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const lag = new LoopLag();
  t.after(() => lag.close());
  t.mock.timers.tick(30_000);
  await block(lag);
  t.mock.timers.tick(30_000);
  const kept = lag.quantile(1);
  assert.ok(kept >= BLOCKED_MS / 2000, `${kept}`);
  // The other histogram, which was empty when it was blocked, has nothing of it.
  t.mock.timers.tick(30_000);
  assert.equal(lag.quantile(1), 0);
});
