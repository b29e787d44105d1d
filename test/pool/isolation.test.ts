import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Pool } from '../../src/pool/pool.ts';
import { moduleUrl } from '../support/project.ts';
import {
  evaluation,
  fakePool,
  fast,
  importInfo,
  parseRequest,
  proveFast,
  resultOf,
} from './fixtures/fake-pool.ts';

const strict = { evaluationMs: 100, graceMs: 50, parseMs: 100 };

test('an evaluation that never yields is terminated at its deadline, and the others get results', async (t) => {
  const { pool, gates } = fakePool(t, 1, strict);
  const gate = gates.add();
  const holding = resultOf(pool.evaluate(evaluation(`hold ${gate}`)));
  await gates.entered(gate);
  const microBatch = ['echo a', 'hang', 'echo b', 'echo c'].map((source) =>
    resultOf(pool.evaluate(evaluation(source))),
  );
  gates.open(gate);
  await holding;
  assert.deepEqual(await Promise.all(microBatch), ['echo a', 'time-limit', 'echo b', 'echo c']);
});

test('the other evaluations of a micro-batch with a hanging one run in another thread', async (t) => {
  const { pool, gates } = fakePool(t, 2, { ...strict, evaluationMs: 60_000 });
  await proveFast(pool);
  const first = gates.add();
  const second = gates.add();
  const holds = [first, second].map((gate) => pool.evaluate(fast(`hold ${gate}`)));
  await gates.entered(first);
  await gates.entered(second);
  const microBatch = ['echo a', 'hang', 'echo b'].map((source) => resultOf(pool.evaluate(fast(source))));
  gates.open(first);
  gates.open(second);
  assert.deepEqual(await Promise.all([microBatch[0], microBatch[2]]), ['echo a', 'echo b']);
  await Promise.all(holds);
  await pool.close(0);
  assert.equal(await microBatch[1], 'shutting-down');
});

test('an evaluation that exhausts memory fails alone, and only its thread ends', async (t) => {
  const { pool, gates } = fakePool(t, 1, { heapMegabytes: 32 });
  const gate = gates.add();
  const holding = resultOf(pool.evaluate(evaluation(`hold ${gate}`)));
  await gates.entered(gate);
  const microBatch = ['echo a', 'eat', 'echo b'].map((source) => resultOf(pool.evaluate(evaluation(source))));
  gates.open(gate);
  assert.deepEqual(await Promise.all([holding, ...microBatch]), [
    `hold ${gate}`,
    'echo a',
    'budget-exceeded',
    'echo b',
  ]);
});

test('a thread that exits fails only the evaluation that caused the exit', async (t) => {
  const { pool, gates } = fakePool(t, 1);
  const gate = gates.add();
  const holding = pool.evaluate(evaluation(`hold ${gate}`));
  await gates.entered(gate);
  const microBatch = ['echo a', 'exit', 'echo b'].map((source) =>
    resultOf(pool.evaluate(evaluation(source))),
  );
  gates.open(gate);
  assert.deepEqual(await Promise.all(microBatch), ['echo a', 'internal', 'echo b']);
  await holding;
});

test('a parse that never yields is terminated at its deadline', async (t) => {
  const { pool } = fakePool(t, 2, strict);
  const result = await pool.parse(parseRequest('hang'), importInfo);
  assert.equal(!result.ok && result.error.code, 'time-limit');
  assert.equal(await resultOf(pool.evaluate(evaluation('echo'))), 'echo');
});

test('P-33: slow evaluations on all threads make room for fast ones, and finish later', async (t) => {
  const { pool, gates } = fakePool(t, 2, { graceMs: 50 });
  await proveFast(pool);
  const gate = gates.add();
  const slow = [1, 2].map(() => resultOf(pool.evaluate(fast(`wait ${gate}`))));
  await gates.entered(gate, 2);
  const others = Array.from({ length: 10 }, (_, i) => resultOf(pool.evaluate(fast(`echo ${i}`))));
  await Promise.all(others);
  gates.open(gate);
  assert.deepEqual(await Promise.all(slow), [`wait ${gate}`, `wait ${gate}`]);
});

test('a slow evaluation during a long parse makes room for fast ones, and finishes later', async (t) => {
  const { pool, gates } = fakePool(t, 2);
  await proveFast(pool);
  const [parsing, evaluating] = [gates.add(), gates.add()];
  const parse = pool.parse(parseRequest(`hold ${parsing}`), importInfo);
  await gates.entered(parsing);
  const slow = resultOf(pool.evaluate(evaluation(`wait ${evaluating}`)));
  await gates.entered(evaluating);
  assert.equal(await resultOf(pool.evaluate(fast('echo'))), 'echo');
  await gates.entered(evaluating, 2);
  gates.open(evaluating);
  assert.equal(await slow, `wait ${evaluating}`);
  gates.open(parsing);
  assert.ok((await parse).ok);
});

test('evaluations that hang on all threads make room for fast ones', async (t) => {
  const { pool, gates } = fakePool(t, 2);
  await proveFast(pool);
  await proveFast(pool, evaluation('echo'));
  const gate = gates.add();
  const hanging = [1, 2].map(() => resultOf(pool.evaluate(fast(`enter-hang ${gate}`))));
  await gates.entered(gate, 2);
  assert.equal(await resultOf(pool.evaluate(evaluation('echo'))), 'echo');
  await pool.close(0);
  assert.deepEqual(await Promise.all(hanging), ['shutting-down', 'shutting-down']);
});

test('many concurrent bad evaluations get their errors, and all good ones their results', async (t) => {
  const { pool } = fakePool(t, 2, { evaluationMs: 300, graceMs: 50, heapMegabytes: 32 });
  const sources = Array.from({ length: 60 }, (_, i) =>
    i % 12 === 0 ? `hang ${i}` : i % 12 === 6 ? `exit ${i}` : `echo ${i}`,
  );
  const results = await Promise.all(sources.map((source) => resultOf(pool.evaluate(evaluation(source)))));
  const expected = { hang: 'time-limit', exit: 'internal' };
  assert.deepEqual(
    results,
    sources.map((source) => expected[source.split(' ')[0] as keyof typeof expected] ?? source),
  );
});

test('a document that needs too much memory fails only its own request', async (t) => {
  const { pool } = fakePool(t, 2, { heapMegabytes: 32 });
  const results = await Promise.all(
    ['eat', 'echo'].map((command) => pool.parse(parseRequest(command), importInfo)),
  );
  assert.deepEqual(
    results.map((result) => (result.ok ? 'parsed' : result.error.code)),
    ['budget-exceeded', 'parsed'],
  );
});

test('a pool whose threads cannot start reports the error and rejects its jobs', async (t) => {
  const entry = moduleUrl('test/pool/fixtures/broken-worker');
  let pool: Pool | undefined;
  await new Promise<void>((resolve) => {
    const onInternalError = (_error: Error, left: number) => {
      if (left === 0) resolve();
    };
    pool = fakePool(t, 1, {}, { entry, onInternalError }).pool;
  });
  assert.equal(await resultOf(pool!.evaluate(evaluation('echo'))), 'internal');
});
