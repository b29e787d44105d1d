import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakeCaller } from '../support/callers.ts';
import { evaluation, fakePool, importInfo, parseRequest, resultOf } from './fixtures/fake-pool.ts';

test('a waiting evaluation leaves the queue when its client disconnects', async (t) => {
  const { pool, gates } = fakePool(t, 1);
  const gate = gates.add();
  const counted = gates.add();
  const holding = pool.evaluate(evaluation(`hold ${gate}`));
  await gates.entered(gate);
  let leave = () => {};
  const waiting = pool.evaluate(
    evaluation(`hold ${counted}`),
    fakeCaller((listener) => {
      leave = listener;
    }),
  );
  leave();
  assert.equal(await resultOf(waiting), 'cancelled');
  assert.equal(pool.statistics().ldpath.waiting, 0);
  gates.open(gate);
  await holding;
  assert.equal(await resultOf(pool.evaluate(evaluation('echo'))), 'echo');
  assert.equal(gates.count(counted), 0);
});

test('a running evaluation stops on cancellation, and its thread becomes free', async (t) => {
  const { pool, gates } = fakePool(t, 1, { graceMs: 60_000 });
  const gate = gates.add();
  let leave = () => {};
  const running = pool.evaluate(
    evaluation(`wait ${gate}`),
    fakeCaller((listener) => {
      leave = listener;
    }),
  );
  await gates.entered(gate);
  leave();
  assert.equal(await resultOf(running), 'cancelled');
  assert.equal(await resultOf(pool.evaluate(evaluation('echo'))), 'echo');
});

test('the thread of a cancelled evaluation that does not stop is terminated after the grace period', async (t) => {
  const { pool, gates } = fakePool(t, 1, { graceMs: 50 });
  const gate = gates.add();
  let leave = () => {};
  const running = pool.evaluate(
    evaluation(`enter-hang ${gate}`),
    fakeCaller((listener) => {
      leave = listener;
    }),
  );
  await gates.entered(gate);
  leave();
  assert.equal(await resultOf(running), 'cancelled');
  assert.equal(await resultOf(pool.evaluate(evaluation('echo'))), 'echo');
});

test('the evaluation of a client that has already disconnected is cancelled', async (t) => {
  const { pool } = fakePool(t, 1);
  assert.equal(
    await resultOf(
      pool.evaluate(
        evaluation('echo'),
        fakeCaller((listener) => listener()),
      ),
    ),
    'cancelled',
  );
  assert.equal(await resultOf(pool.evaluate(evaluation('echo'))), 'echo');
});

test('a task is cancelled by its group and name', async (t) => {
  const { pool, gates } = fakePool(t, 1);
  const gate = gates.add();
  const running = pool.parse(parseRequest(`wait ${gate}`), importInfo);
  await gates.entered(gate);
  const [task] = pool.tasks(false);
  assert.ok(task);
  assert.equal(pool.cancelTask('Exporter', task.name), false);
  assert.equal(pool.cancelTask(task.group, task.name), true);
  const result = await running;
  assert.equal(!result.ok && result.error.code, 'cancelled');
});
