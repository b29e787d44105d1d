import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { ChangeService } from '../../../src/services/changes/service.ts';
import { TaskFeed, type TaskStream } from '../../../src/services/tasks/live-feed.ts';

const caller = { onAbort: () => {} };

/** A feed whose states are counted, and places without a limit. */
function setUp(t: TestContext) {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const counts = { states: 0, freed: 0 };
  const live = () => {
    counts.states++;
    return [];
  };
  const tasks = { live, begun: () => [] };
  const openStream: ChangeService['openStream'] = async (_since, _caller, begin) => {
    const value = await begin(0, undefined as never, () => counts.freed++);
    return { ok: true, value };
  };
  const feed = new TaskFeed({ tasks, readThreads: () => [] }, { openStream, newest: 0 });
  const follow = async (): Promise<TaskStream> => {
    const stream = await feed.follow(caller);
    assert.ok(stream.ok);
    return stream.value;
  };
  return { counts, feed, follow, tick: () => t.mock.timers.tick(250) };
}

test('nothing is read while nobody follows, and once for all who do', async (t) => {
  const { counts, feed, follow, tick } = setUp(t);
  tick();
  assert.equal(counts.states, 0);
  const streams = [await follow(), await follow(), await follow()];
  assert.deepEqual([counts.states, feed.open], [1, 3]);
  tick();
  assert.equal(counts.states, 2);
  const [first, ...others] = await Promise.all(streams.map((stream) => stream.next()));
  assert.ok(others.every((state) => state === first));
  for (const stream of streams) stream.stop();
  tick();
  assert.deepEqual([counts.states, counts.freed, feed.open], [2, 3, 0]);
});

test('T-44: a client that does not keep up gets the newest state only', async (t) => {
  const { follow, tick } = setUp(t);
  const [slow, quick] = [await follow(), await follow()];
  tick();
  await quick.next();
  tick();
  const newest = await quick.next();
  assert.equal(await slow.next(), newest);
  const waiting = slow.next();
  tick();
  assert.equal(await waiting, await quick.next());
});

test('F-9: a stream that waits ends when it is stopped, and frees its place once', async (t) => {
  const { counts, follow } = setUp(t);
  const stream = await follow();
  const waiting = stream.next();
  stream.stop();
  stream.stop();
  assert.equal(await waiting, 'stopped');
  assert.equal(await stream.next(), 'stopped');
  assert.equal(counts.freed, 1);
});

test('who follows again after all have left gets a state of now', async (t) => {
  const { counts, follow } = setUp(t);
  (await follow()).stop();
  (await follow()).stop();
  assert.equal(counts.states, 2);
});
