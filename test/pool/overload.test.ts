import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultPoolSettings } from '../../src/pool/settings.ts';
import { answer, evaluation, fakePool, importInfo, parseRequest } from './fixtures/fake-pool.ts';

test('an evaluation is rejected with a time to retry when its queue is full', async (t) => {
  const { pool, gates } = fakePool(t, 1, { depths: { ...defaultPoolSettings.depths, ldpath: 3 } });
  const gate = gates.add();
  const held = pool.evaluate(evaluation(`hold ${gate}`));
  await gates.entered(gate);
  const waiting = [1, 2, 3].map((i) => answer(pool.evaluate(evaluation(`echo ${i}`))));
  const refused = await pool.evaluate(evaluation('echo 4'));
  assert.ok(!refused.ok);
  assert.equal(refused.error.code, 'overloaded');
  assert.ok(refused.error.details.retryAfter! >= 1 && refused.error.details.retryAfter! <= 30);
  assert.equal(pool.statistics().ldpath.rejected, 1);
  gates.open(gate);
  assert.deepEqual(await Promise.all(waiting), ['echo 1', 'echo 2', 'echo 3']);
  await held;
});

test('heavy jobs leave one thread to the evaluations', async (t) => {
  const { pool, gates } = fakePool(t, 2);
  const gate = gates.add();
  const parses = [1, 2, 3].map(() => pool.parse(parseRequest(`hold ${gate}`), importInfo));
  await gates.entered(gate);
  assert.equal(await answer(pool.evaluate(evaluation('echo'))), 'echo');
  assert.deepEqual(
    [pool.statistics().parse.running, pool.statistics().parse.waiting, gates.count(gate)],
    [1, 2, 1],
  );
  gates.open(gate);
  await Promise.all(parses);
});

test('queues that wait for one thread share its time by their weights', async (t) => {
  const weights = { ldpath: 1, parse: 3, serialize: 1, maintenance: 1 };
  const { pool, gates } = fakePool(t, 1, { weights });
  const gate = gates.add();
  const held = pool.evaluate(evaluation(`hold ${gate}`));
  await gates.entered(gate);
  const order: string[] = [];
  const parses = Array.from({ length: 80 }, () =>
    pool.parse(parseRequest('work 4'), importInfo).then(() => order.push('parse')),
  );
  const compactions = Array.from({ length: 80 }, () =>
    pool.compact({ snapshot: { sequence: 4 } } as never).then(() => order.push('compact')),
  );
  gates.open(gate);
  await Promise.all([...parses, ...compactions, held]);
  // So many that a thread which had to wait for a processor now and then does not tip the scales.
  const share = order.slice(0, 80).filter((kind) => kind === 'parse').length;
  assert.ok(share >= 48 && share <= 72, `${share} of the first 80 jobs were parses, 60 is their share`);
});
