import assert from 'node:assert/strict';
import { test } from 'node:test';
import { evaluation, fakePool, resultOf } from './fixtures/fake-pool.ts';

test('closing completes submitted jobs, and rejects new ones', async (t) => {
  const { pool, gates } = fakePool(t, 1);
  const gate = gates.add();
  const running = resultOf(pool.evaluate(evaluation(`hold ${gate}`)));
  const waiting = resultOf(pool.evaluate(evaluation('echo')));
  await gates.entered(gate);
  const closed = pool.close(60_000);
  assert.equal(await resultOf(pool.evaluate(evaluation('late'))), 'shutting-down');
  gates.open(gate);
  assert.deepEqual(await Promise.all([running, waiting]), [`hold ${gate}`, 'echo']);
  await closed;
});

test('closing terminates jobs that exceed the grace period', async (t) => {
  const { pool, gates } = fakePool(t, 1);
  const gate = gates.add();
  const running = resultOf(pool.evaluate(evaluation(`enter-hang ${gate}`)));
  const waiting = resultOf(pool.evaluate(evaluation('echo')));
  await gates.entered(gate);
  await pool.close(20);
  assert.deepEqual(await Promise.all([running, waiting]), ['shutting-down', 'shutting-down']);
});
