import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { TextStarts } from '../../src/services/ldpath/text-starts.ts';
import {
  answer,
  evaluation,
  fakePool,
  fast,
  importInfo,
  parseRequest,
  proveFast,
} from './fixtures/fake-pool.ts';

/** How long the test keeps the event loop from turning. */
const BLOCKED_MS = 20;

test('an invalid message from a thread is an internal error and is reported, and the thread stays in use', async (t) => {
  const faults: unknown[] = [];
  const { pool } = fakePool(
    t,
    1,
    {},
    {
      entry: new URL('./fixtures/nonsense-worker.ts', import.meta.url),
      onInternalError: (error, left) => faults.push([error instanceof TypeError, left]),
    },
  );
  const answers = await Promise.all(['a', 'b'].map((source) => answer(pool.evaluate(evaluation(source)))));
  assert.deepEqual(answers, ['internal', 'internal']);
  assert.deepEqual(faults.slice(0, 1), [[true, 1]]);
  assert.ok((await pool.parse(parseRequest('anything'), importInfo)).ok);
  assert.deepEqual(pool.tasks(true), []);
});

test('an error in the source of a batch is thrown to its reader, and ends the batch', async (t) => {
  const { pool } = fakePool(t, 2);
  const batch = pool.batch({
    selection: { mode: 'path', source: 'start' },
    starts: new TextStarts(['echo 1', 'alone', 'echo 2']),
    lenient: false,
    known: () => {
      throw new TypeError('As asked.');
    },
    ordered: false,
  });
  assert.ok(batch.ok);
  await assert.rejects(async () => {
    for await (const _ of batch.value);
  }, new TypeError('As asked.'));
  assert.deepEqual(pool.tasks(true), []);
  assert.equal(await answer(pool.evaluate(evaluation('echo'))), 'echo');
});

test('jobs are sent to the threads they are meant for, even to one that has just started', async (t) => {
  const { pool } = fakePool(t, 2);
  await proveFast(pool);
  for (let round = 0; round < 5; round++) {
    assert.equal(await answer(pool.evaluate(evaluation(`exit ${round}`))), 'internal');
    // Nearly whenever the new thread becomes ready, two jobs wait for the end of the event loop
    // turn.
    for (let together = 0; together < 2; ) {
      await turn();
      const evaluated = answer(pool.evaluate(fast('work 2')));
      const read = pool.parse({ ...parseRequest('work 2'), gzip: false }, importInfo);
      const end = performance.now() + BLOCKED_MS;
      while (performance.now() < end);
      await turn();
      await turn();
      together = pool.tasks(false).length;
      assert.deepEqual([await evaluated, (await read).ok], ['work 2', true]);
    }
  }
});
