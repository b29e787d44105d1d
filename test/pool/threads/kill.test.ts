import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ThreadKill } from '../../../src/pool/threads/kill.ts';
import { fakeCaller } from '../../support/callers.ts';
import { evaluation, fakePool, resultOf } from '../fixtures/fake-pool.ts';

for (const [source, reason, settings] of [
  ['hang', 'time-limit', { evaluationMs: 100, graceMs: 50 }],
  ['exit', 'crash', {}],
  ['eat', 'heap', { heapMegabytes: 32 }],
] as const) {
  test(`the end of a thread by '${source}' is reported with the task and client, without the program`, async (t) => {
    const kills: ThreadKill[] = [];
    const { pool } = fakePool(t, 1, settings, { onKill: (kill) => kills.push(kill) });
    const caller = { ...fakeCaller(undefined, '198.51.100.7'), user: 'anna' };
    await resultOf(pool.evaluate(evaluation(source), caller));
    assert.equal(kills.length, 1);
    const { task = '', duration, ...kill } = kills[0]!;
    assert.deepEqual(kill, { thread: 'worker-1', reason, client: '198.51.100.7', user: 'anna' });
    assert.match(task, /^path \d+$/);
    assert.ok(duration >= 0);
    assert.doesNotMatch(JSON.stringify(kills), new RegExp(source));
    assert.equal(await resultOf(pool.evaluate(evaluation('echo'))), 'echo');
    assert.equal(kills.length, 1);
  });
}

test('threads that end with the pool are not reported', async (t) => {
  const kills: ThreadKill[] = [];
  const { pool, gates } = fakePool(t, 1, {}, { onKill: (kill) => kills.push(kill) });
  const gate = gates.add();
  const hanging = resultOf(pool.evaluate(evaluation(`enter-hang ${gate}`)));
  await gates.entered(gate, 1);
  await pool.close(0);
  assert.equal(await hanging, 'shutting-down');
  assert.deepEqual(kills, []);
});
