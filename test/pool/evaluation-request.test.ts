import assert from 'node:assert/strict';
import { test } from 'node:test';
import { answer, evaluation, fakePool, fast, proveFast } from './fixtures/fake-pool.ts';

test('an evaluation gets its own bytes of the micro-batch', async (t) => {
  const { pool, gates } = fakePool(t, 1);
  const gate = gates.add();
  const held = answer(pool.evaluate(evaluation(`hold ${gate}`)));
  await gates.entered(gate);
  const others = Array.from({ length: 100 }, (_, i) => answer(pool.evaluate(evaluation(`echo ${i}`))));
  gates.open(gate);
  assert.equal(await held, `hold ${gate}`);
  assert.deepEqual(
    await Promise.all(others),
    Array.from({ length: 100 }, (_, i) => `echo ${i}`),
  );
});

test('evaluations that wait for a thread go to it together', async (t) => {
  const { pool, gates } = fakePool(t, 1);
  await proveFast(pool);
  const runs = () => pool.statistics().ldpath.runningTimes.count;
  const before = runs();
  const gate = gates.add();
  const held = pool.evaluate(fast(`hold ${gate}`));
  await gates.entered(gate);
  const others = Array.from({ length: 20 }, () => pool.evaluate(fast('echo')));
  assert.equal(pool.statistics().ldpath.waiting, 20);
  gates.open(gate);
  await Promise.all([held, ...others]);
  assert.equal(runs() - before, 2);
});

test('an evaluation that fails has its own error and does not touch its neighbours', async (t) => {
  const { pool, gates } = fakePool(t, 1);
  const gate = gates.add();
  const held = answer(pool.evaluate(evaluation(`hold ${gate}`)));
  const others = ['echo a', 'throw', 'echo b'].map((source) => answer(pool.evaluate(evaluation(source))));
  await gates.entered(gate);
  gates.open(gate);
  assert.deepEqual(await Promise.all([held, ...others]), [
    `hold ${gate}`,
    'echo a',
    'bad-arguments',
    'echo b',
  ]);
});

test('evaluations read the snapshot that is newest when they are handed to a thread', async (t) => {
  const asked: number[] = [];
  let sequence = 0;
  const snapshot = () => {
    asked.push(sequence);
    return { sequence } as never;
  };
  const { pool, gates } = fakePool(t, 1, {}, { snapshot });
  const gate = gates.add();
  const held = pool.evaluate(evaluation(`hold ${gate}`));
  await gates.entered(gate);
  const waiting = pool.evaluate(evaluation('echo'));
  sequence = 7;
  gates.open(gate);
  await Promise.all([held, waiting]);
  assert.deepEqual(asked, [0, 7]);
});

test('evaluations do not wait behind a long one of their batch', async (t) => {
  const { pool, gates } = fakePool(t, 2);
  await proveFast(pool);
  const first = gates.add();
  const second = gates.add();
  const long = gates.add();
  const holds = [first, second].map((gate) => pool.evaluate(fast(`hold ${gate}`)));
  await gates.entered(first);
  await gates.entered(second);
  const before = answer(pool.evaluate(fast('echo before')));
  const slow = answer(pool.evaluate(fast(`hold ${long}`)));
  const after = answer(pool.evaluate(fast('echo after')));
  gates.open(first);
  await gates.entered(long);
  gates.open(second);
  assert.deepEqual(await Promise.all([before, after]), ['echo before', 'echo after']);
  gates.open(long);
  assert.equal(await slow, `hold ${long}`);
  await Promise.all(holds);
  assert.equal(gates.count(long), 1);
});
