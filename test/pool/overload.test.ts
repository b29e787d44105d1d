import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultPoolSettings } from '../../src/pool/settings.ts';
import { evaluation, fakePool, importInfo, parseRequest, resultOf } from './fixtures/fake-pool.ts';

test('a full queue rejects an evaluation with a time to retry', async (t) => {
  const { pool, gates } = fakePool(t, 1, { depths: { ...defaultPoolSettings.depths, ldpath: 3 } });
  const gate = gates.add();
  const holding = pool.evaluate(evaluation(`hold ${gate}`));
  await gates.entered(gate);
  const waiting = [1, 2, 3].map((i) => resultOf(pool.evaluate(evaluation(`echo ${i}`))));
  const rejected = await pool.evaluate(evaluation('echo 4'));
  assert.ok(!rejected.ok);
  assert.equal(rejected.error.code, 'overloaded');
  assert.ok(rejected.error.details.retryAfter! >= 1 && rejected.error.details.retryAfter! <= 30);
  assert.equal(pool.statistics().ldpath.rejected, 1);
  gates.open(gate);
  assert.deepEqual(await Promise.all(waiting), ['echo 1', 'echo 2', 'echo 3']);
  await holding;
});

test('heavy jobs leave one thread to evaluations', async (t) => {
  const { pool, gates } = fakePool(t, 2);
  const gate = gates.add();
  const parses = [1, 2, 3].map(() => pool.parse(parseRequest(`hold ${gate}`), importInfo));
  await gates.entered(gate);
  assert.equal(await resultOf(pool.evaluate(evaluation('echo'))), 'echo');
  assert.deepEqual(
    [pool.statistics().parse.running, pool.statistics().parse.waiting, gates.count(gate)],
    [1, 2, 1],
  );
  gates.open(gate);
  await Promise.all(parses);
});

test('queues that wait for one thread share its time by weight', async (t) => {
  const weights = { ldpath: 1, parse: 3, serialize: 1, maintenance: 1 };
  const { pool, gates } = fakePool(t, 1, { weights });
  const gate = gates.add();
  const holding = pool.evaluate(evaluation(`hold ${gate}`));
  await gates.entered(gate);
  const order: string[] = [];
  const parses = Array.from({ length: 80 }, () =>
    pool.parse(parseRequest('work 4'), importInfo).then(() => order.push('parse')),
  );
  const compactions = Array.from({ length: 80 }, () =>
    pool.compact({ snapshot: { sequence: 4 } } as never).then(() => order.push('compact')),
  );
  gates.open(gate);
  await Promise.all([...parses, ...compactions, holding]);
  // Enough jobs that occasional waits of a thread for a processor do not change the shares.
  const share = order.slice(0, 80).filter((kind) => kind === 'parse').length;
  assert.ok(share >= 48 && share <= 72, `${share} of the first 80 jobs were parses, 60 is their share`);
});
