import assert from 'node:assert/strict';
import { once } from 'node:events';
import { getPriority } from 'node:os';
import { type TestContext, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import {
  callForward,
  lowerPriority,
  ownThread,
  ownThreadIds,
  ProcessorClock,
} from '../../src/base/thread-priority.ts';

const own = ownThread();
const skip =
  own === undefined && 'Threads have no priority of their own here, or it could not be raised again.';

/** A thread that says who it is and then rests. */
const CODE = `
  const { readlinkSync } = require('node:fs');
  require('node:worker_threads').parentPort.postMessage(Number(readlinkSync('/proc/thread-self').split('/').at(-1)));
  setInterval(() => {}, 1_000_000);
`;

async function startThread(t: TestContext): Promise<{ id: number; worker: Worker }> {
  const worker = new Worker(CODE, { eval: true });
  t.after(() => worker.terminate());
  const [id] = (await once(worker, 'message')) as [number];
  return { id, worker };
}

test('a thread at low priority is restored by another thread, and other threads are left alone', {
  skip,
}, async (t) => {
  const { id } = await startThread(t);
  assert.ok(ownThreadIds().includes(id));
  callForward(id);
  assert.equal(getPriority(id), own!.priority);
  lowerPriority({ id, priority: own!.priority });
  assert.ok(getPriority(id) > own!.priority);
  callForward(id);
  assert.equal(getPriority(id), own!.priority);
});

test('a thread that has ended is neither called nor asked for its time', { skip }, async (t) => {
  const { id, worker } = await startThread(t);
  const clock = ProcessorClock.open(id)!;
  t.after(() => clock.close());
  assert.ok(clock.read()!.used > 0);
  await worker.terminate();
  assert.equal(clock.read(), undefined);
  assert.equal(ProcessorClock.open(id), undefined);
  callForward(id);
});
