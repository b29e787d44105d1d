import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { TextStarts } from '../../src/services/ldpath/text-starts.ts';
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

/** How long the test blocks the event loop, in milliseconds. */
const BLOCKED_MS = 20;

test('an invalid message from a thread is an internal error and is reported, and the thread stays in use', async (t) => {
  const internalErrors: unknown[] = [];
  const { pool } = fakePool(
    t,
    1,
    {},
    {
      entry: moduleUrl('test/pool/fixtures/nonsense-worker'),
      onInternalError: (error, left) => internalErrors.push([error instanceof TypeError, left]),
    },
  );
  const results = await Promise.all(['a', 'b'].map((source) => resultOf(pool.evaluate(evaluation(source)))));
  assert.deepEqual(results, ['internal', 'internal']);
  assert.deepEqual(internalErrors.slice(0, 1), [[true, 1]]);
  assert.ok((await pool.parse(parseRequest('anything'), importInfo)).ok);
  assert.deepEqual(pool.tasks(true), []);
});

test('an error in the source of a batch rejects its reader, and ends the batch', async (t) => {
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
  assert.equal(await resultOf(pool.evaluate(evaluation('echo'))), 'echo');
});

test('jobs are sent to their own threads, even to a thread that has just started', async (t) => {
  const { pool } = fakePool(t, 2);
  await proveFast(pool);
  for (let round = 0; round < 5; round++) {
    assert.equal(await resultOf(pool.evaluate(evaluation(`exit ${round}`))), 'internal');
    // When the new thread becomes ready, two jobs almost always wait for the end of the event
    // loop turn.
    for (let together = 0; together < 2; ) {
      await turn();
      const evaluated = resultOf(pool.evaluate(fast('work 2')));
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
