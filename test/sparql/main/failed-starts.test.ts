import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { TaskMap } from '../../../src/pool/tasks/map.ts';
import { FailedStarts } from '../../../src/sparql/main/failed-starts.ts';
import type { SparqlSettings } from '../../../src/sparql/main/settings.ts';
import { moduleUrl } from '../../support/project.ts';
import { FaultyThreads, SLOW } from './faulty-threads.ts';
import { type Fixture, LIGHT, query, resultOf, sparqlPool, taskThat } from './fixture.ts';

interface Faulty extends Fixture {
  readonly faulty: FaultyThreads;
  /** The messages of logged internal errors. */
  readonly internalErrors: string[];
}

async function setUp(t: TestContext, settings: Partial<SparqlSettings>): Promise<Faulty> {
  const faulty = new FaultyThreads();
  const internalErrors: string[] = [];
  const fixture = await sparqlPool(t, settings, {
    entry: moduleUrl('test/sparql/main/faulty-worker'),
    changeFeed: faulty.buffer,
    onInternalError: ({ message }) => internalErrors.push(message),
  });
  return { ...fixture, faulty, internalErrors };
}

test('a thread that hangs before its first query is replaced, and the query gets its result', async (t) => {
  const { pool, faulty, internalErrors, kills } = await setUp(t, { stallMs: 1000 });
  faulty.hangs = 1;
  assert.equal(await resultOf(pool.query(query(LIGHT))), 'done');
  assert.deepEqual(
    kills.map(({ thread, reason, task }) => [thread, reason, task]),
    [['sparql-1', 'time-limit', undefined]],
  );
  assert.equal(internalErrors.length, 1);
  assert.match(internalErrors[0]!, /no progress for 1 s while it was filling, after 0 quads/);
});

for (const kind of ['hangs', 'crashes', 'throws'] as const) {
  test(`threads that fail repeatedly are not restarted for a while, and the error says why: ${kind}`, async (t) => {
    const { pool, faulty, internalErrors, kills } = await setUp(t, { stallMs: 1000 });
    faulty[kind] = 100;
    const asked = await Promise.all([LIGHT, 'ASK {}'].map((text) => pool.query(query(text))));
    for (const result of [...asked, await pool.query(query(LIGHT))]) {
      assert.ok(!result.ok && result.error.code === 'sparql-unavailable');
      assert.match(
        result.error.message,
        /failed 2 times in a row: A thread (made no progress|died|could not take in the data: No term)/,
      );
      assert.ok(result.error.details.retryAfter! > 0);
    }
    assert.deepEqual([kills.length, internalErrors.length, faulty.starts], [2, 2, 2]);
  });
}

test('a query waits for loading for the maximum wait at most, and later queries use the loaded data', async (t) => {
  const { pool, faulty, kills } = await setUp(t, { waitMs: 1000 });
  faulty.filling = true;
  const [first, second] = await Promise.all([LIGHT, 'ASK {}'].map((text) => pool.query(query(text))));
  for (const result of [first, second]) {
    assert.ok(!result?.ok && result?.error.code === 'sparql-unavailable');
    assert.match(result.error.message, /still loading the data: [0-9]+ of 0 quads/);
  }
  const third = await pool.query(query(LIGHT));
  assert.ok(!third.ok && third.error.details.retryAfter! > 0);
  faulty.filling = false;
  assert.equal(await resultOf(pool.query(query(LIGHT))), 'done');
  assert.deepEqual([kills.length, faulty.starts], [0, 2]);
});

const evaluatesOn = (name: string) => (task: TaskMap) =>
  task.thread === name && task.message === 'evaluating';

/** Makes the second thread evaluate a slow query; the first has an instance, and is idle. */
async function whileSlow({ pool, faulty }: Faulty): Promise<{ slow: Promise<string> }> {
  faulty.images = true;
  assert.equal(await resultOf(pool.query(query(LIGHT))), 'done');
  faulty.slow = true;
  const slow = resultOf(pool.query(query(SLOW)));
  await taskThat(pool, evaluatesOn('sparql-2'));
  assert.equal(await resultOf(pool.query(query(LIGHT))), 'done');
  return { slow };
}

test('after the thread for quick queries has failed, they do not wait for the end of a slow one', async (t) => {
  const fixture = await setUp(t, { quickMs: 100, timeMs: 30_000 });
  const { pool, faulty } = fixture;
  const { slow } = await whileSlow(fixture);
  faulty.crashes = 1;
  const ends: string[] = [];
  const quick = resultOf(pool.query(query(LIGHT))).then((end) => ends.push(`quick: ${end}`));
  const slowEnd = slow.then((end) => ends.push(`slow: ${end}`));
  await quick;
  faulty.slow = false;
  await slowEnd;
  assert.deepEqual(ends, ['quick: done', 'slow: done']);
});

test('quick queries do not wait longer than the maximum while their new thread loads the data', async (t) => {
  const fixture = await setUp(t, { quickMs: 100, timeMs: 30_000, waitMs: 5000 });
  const { pool, faulty } = fixture;
  const { slow } = await whileSlow(fixture);
  faulty.crashes = 1;
  faulty.filling = true;
  const late = await pool.query(query(LIGHT));
  assert.ok(!late.ok && late.error.code === 'sparql-unavailable');
  assert.match(late.error.message, /still loading the data/);
  faulty.filling = false;
  assert.equal(await resultOf(pool.query(query(LIGHT))), 'done');
  faulty.slow = false;
  assert.equal(await slow, 'done');
});

test('after a failed thread, a thread with an instance evaluates, and another waits for the image', async (t) => {
  const fixture = await setUp(t, { threads: 3, quickMs: 100, timeMs: 30_000 });
  const { pool, faulty } = fixture;
  const { slow } = await whileSlow(fixture);
  faulty.crashes = 1;
  faulty.filling = true;
  const quick = resultOf(pool.query(query(LIGHT)));
  await taskThat(pool, ({ thread, progress }) => thread === 'sparql-1' && progress > 0);
  faulty.slow = false;
  assert.equal(await slow, 'done');
  faulty.slow = true;
  const others = [1, 2].map(() => resultOf(pool.query(query(SLOW))));
  await taskThat(pool, evaluatesOn('sparql-2'));
  assert.equal(pool.started, 2);
  faulty.filling = false;
  assert.equal(await quick, 'done');
  await taskThat(pool, evaluatesOn('sparql-3'));
  faulty.slow = false;
  assert.deepEqual(await Promise.all(others), ['done', 'done']);
});

test('threads are restarted after a pause, and a completed job resets the number of failures', () => {
  let now = 0;
  const starts = new FailedStarts(() => now);
  starts.record('First.');
  assert.equal(starts.rejection, null);
  starts.record('Second.');
  assert.match(starts.rejection!.message, /2 times in a row: Second\./);
  assert.equal(starts.rejection!.details.retryAfter, 30);
  now = 30_000;
  assert.equal(starts.rejection, null);
  starts.record('Third.');
  assert.match(starts.rejection!.message, /3 times in a row: Third\./);
  starts.forget();
  starts.record('Fourth.');
  assert.equal(starts.rejection, null);
});
