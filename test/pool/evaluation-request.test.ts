import assert from 'node:assert/strict';
import { test } from 'node:test';
import { evaluation, fakePool, fast, proveFast, resultOf } from './fixtures/fake-pool.ts';

test('an evaluation receives only its own bytes of the micro-batch', async (t) => {
  const { pool, gates } = fakePool(t, 1);
  const gate = gates.add();
  const holding = resultOf(pool.evaluate(evaluation(`hold ${gate}`)));
  await gates.entered(gate);
  const others = Array.from({ length: 100 }, (_, i) => resultOf(pool.evaluate(evaluation(`echo ${i}`))));
  gates.open(gate);
  assert.equal(await holding, `hold ${gate}`);
  assert.deepEqual(
    await Promise.all(others),
    Array.from({ length: 100 }, (_, i) => `echo ${i}`),
  );
});

test('evaluations that wait for a thread are sent to it together', async (t) => {
  const { pool, gates } = fakePool(t, 1);
  await proveFast(pool);
  const runs = () => pool.statistics().ldpath.runningTimes.count;
  const before = runs();
  const gate = gates.add();
  const holding = pool.evaluate(fast(`hold ${gate}`));
  await gates.entered(gate);
  const others = Array.from({ length: 20 }, () => pool.evaluate(fast('echo')));
  assert.equal(pool.statistics().ldpath.waiting, 20);
  gates.open(gate);
  await Promise.all([holding, ...others]);
  assert.equal(runs() - before, 2);
});

test('a failed evaluation gets its own error, and the others of its micro-batch get results', async (t) => {
  const { pool, gates } = fakePool(t, 1);
  const gate = gates.add();
  const holding = resultOf(pool.evaluate(evaluation(`hold ${gate}`)));
  const others = ['echo a', 'throw', 'echo b'].map((source) => resultOf(pool.evaluate(evaluation(source))));
  await gates.entered(gate);
  gates.open(gate);
  assert.deepEqual(await Promise.all([holding, ...others]), [
    `hold ${gate}`,
    'echo a',
    'bad-arguments',
    'echo b',
  ]);
});

test('evaluations read the newest snapshot at the time of their dispatch', async (t) => {
  const asked: number[] = [];
  let sequence = 0;
  const snapshot = () => {
    asked.push(sequence);
    return { sequence } as never;
  };
  const { pool, gates } = fakePool(t, 1, {}, { snapshot });
  const gate = gates.add();
  const holding = pool.evaluate(evaluation(`hold ${gate}`));
  await gates.entered(gate);
  const waiting = pool.evaluate(evaluation('echo'));
  sequence = 7;
  gates.open(gate);
  await Promise.all([holding, waiting]);
  assert.deepEqual(asked, [0, 7]);
});

test('evaluations do not wait for a long one of their micro-batch', async (t) => {
  const { pool, gates } = fakePool(t, 2);
  await proveFast(pool);
  const first = gates.add();
  const second = gates.add();
  const long = gates.add();
  const holds = [first, second].map((gate) => pool.evaluate(fast(`hold ${gate}`)));
  await gates.entered(first);
  await gates.entered(second);
  const before = resultOf(pool.evaluate(fast('echo before')));
  const slow = resultOf(pool.evaluate(fast(`hold ${long}`)));
  const after = resultOf(pool.evaluate(fast('echo after')));
  gates.open(first);
  await gates.entered(long);
  gates.open(second);
  assert.deepEqual(await Promise.all([before, after]), ['echo before', 'echo after']);
  gates.open(long);
  assert.equal(await slow, `hold ${long}`);
  await Promise.all(holds);
  assert.equal(gates.count(long), 1);
});
