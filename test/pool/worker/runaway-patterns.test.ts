/**
 * Regular expressions that would occupy a thread forever, in a pool that would wait a minute before
 * terminating it.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Result } from '../../../src/errors.ts';
import type { Evaluation } from '../../../src/pool/evaluation-request.ts';
import type { Pool } from '../../../src/pool/pool.ts';
import { fakeCaller } from '../../support/callers.ts';
import { realPool, snapshotOf } from './real-pool.ts';

const patient = { graceMs: 60_000 };

const people = snapshotOf(`
  @prefix ex: <http://example.org/> .
  ex:anna ex:name "Anna" ; ex:short "${'a'.repeat(40)}!" ; ex:long "${'a'.repeat(100_000)}!" ; ex:blanks "${' '.repeat(100_000)}x" .
`);

function path(source: string): Evaluation {
  return { mode: 'path', source, start: 'http://example.org/anna', known: false };
}

function code(result: Result<unknown>): string {
  return result.ok ? 'ok' : result.error.code;
}

/** Returns the number of threads that start during `work`. */
async function startedDuring(pool: Pool, work: () => Promise<void>): Promise<number> {
  await Promise.all([1, 2].map(() => pool.evaluate(path('ex:name'))));
  let started = 0;
  const count = () => started++;
  process.on('worker', count);
  await work();
  process.off('worker', count);
  return started;
}

/** The counter makes each program a new one. */
const linear = (i: number) => [
  `fn:replace(ex:short, "^(a+)+$x${i}", "b")`,
  `fn:replace(ex:long, "^(a+)+$x${i}", "b")`,
  `fn:replace(ex:long, "(a|a)*b${i}", "b")`,
  `fn:replace(ex:long, "(a|aa)+$${i}", "b")`,
  `fn:split(ex:long, "([a-z]+)*=${i}")`,
  `fn:replace(ex:long, "a*a*a*a*b${i}", "b")`,
  `fn:replace(ex:blanks, "\\s+${i}$", "b")`,
  `.[fn:matches(ex:long, "(x+x+)+y|(.*b)*${i}")]`,
  `fn:css("p:matches((a|aa)+b${i})", ex:long)`,
];

const endless = (i: number) => [
  `fn:replace(ex:long, "(a|aa)*(a)\\2b${i}", "b")`,
  `fn:replace(ex:long, "(?>a+)b${i}", "b")`,
  `fn:replace(ex:long, "a(?=a*)b${i}", "b")`,
  `.[fn:matches(ex:long, "(a*)*\\1(a|aa)*b${i}")]`,
];

test('patterns that backtrack get a result or an error, and no thread ends', async (t) => {
  const pool = realPool(t, people, patient);
  const started = await startedDuring(pool, async () => {
    for (let i = 0; i < 3; i++) {
      for (const source of linear(i)) assert.equal(code(await pool.evaluate(path(source))), 'ok', source);
    }
  });
  assert.equal(started, 0);
});

test('patterns that cannot run in linear time end at their budget, and no thread ends', async (t) => {
  const pool = realPool(t, people, { ...patient, evaluationMs: 300 });
  const started = await startedDuring(pool, async () => {
    for (const source of [...endless(0), ...endless(1)]) {
      const ending = code(await pool.evaluate(path(source)));
      assert.ok(['time-limit', 'budget-exceeded'].includes(ending), `${source}: ${ending}`);
      assert.equal(code(await pool.evaluate(path('ex:name'))), 'ok');
    }
  });
  assert.equal(started, 0);
});

test('a pattern stops when its client disconnects', async (t) => {
  const pool = realPool(t, people, { ...patient, evaluationMs: 600_000, evaluationSteps: 2 ** 50 });
  const started = await startedDuring(pool, async () => {
    for (const source of endless(2).slice(0, 2)) {
      let leave = () => {};
      const result = pool.evaluate(
        path(source),
        fakeCaller((listener) => {
          leave = listener;
        }),
      );
      while (pool.tasks(false).length === 0) await new Promise((resolve) => setImmediate(resolve));
      leave();
      assert.equal(code(await result), 'cancelled');
    }
    assert.equal(code(await pool.evaluate(path('ex:name'))), 'ok');
  });
  assert.equal(started, 0);
});
