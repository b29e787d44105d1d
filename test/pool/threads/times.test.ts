import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type TestContext, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { ownThreadId } from '../../../src/base/thread-priority.ts';
import { ThreadBoard } from '../../../src/pool/threads/status-board.ts';
import { Stopwatch, ThreadTimes } from '../../../src/pool/threads/times.ts';

const skip = ownThreadId() === 0 && 'The system does not tell what threads have had.';
const SEAT = 1;

/** Starts a thread that reports its id, and then works or rests until the test ends. */
const CODE = `
  const { parentPort, workerData } = require('node:worker_threads');
  const { readlinkSync } = require('node:fs');
  parentPort.postMessage(Number(readlinkSync('/proc/thread-self').split('/').at(-1)));
  if (workerData === 'works') for (;;);
  else Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
`;

async function timesOf(t: TestContext, workerData: 'works' | 'rests'): Promise<ThreadTimes> {
  const worker = new Worker(CODE, { eval: true, workerData });
  t.after(() => worker.terminate());
  const [id] = (await once(worker, 'message')) as [number];
  const board = ThreadBoard.forThreads(2);
  board.announce(SEAT, id);
  const times = new ThreadTimes(board);
  t.after(() => times.close());
  return times;
}

test('the time of a working thread advances', { skip }, async (t) => {
  const times = await timesOf(t, 'works');
  const watch = times.start(SEAT);
  while (watch.elapsed < 30);
  assert.ok(times.read(SEAT)!.used >= 30);
});

test('the time of a thread without a processor advances at a twentieth of the clock', {
  skip,
}, async (t) => {
  const times = await timesOf(t, 'rests');
  const watch = times.start(SEAT);
  const before = performance.now();
  while (performance.now() < before + 200);
  const { elapsed } = watch;
  assert.ok(elapsed >= 10 && elapsed < (performance.now() - before) / 2, `${elapsed} ms`);
});

test('the time of a thread that has ended or has no known id is that of the clock', async () => {
  const board = ThreadBoard.forThreads(1);
  const times = new ThreadTimes(board);
  assert.equal(times.read(0), undefined);
  board.announce(0, 0x7ffffff0);
  assert.equal(times.read(0), undefined);
  const watch = times.start(0);
  const before = performance.now();
  while (performance.now() < before + 20);
  assert.ok(watch.elapsed >= 19);
});

test('the time of a thread is never longer than the elapsed time, and never negative', () => {
  let used = 1_000;
  const before = performance.now();
  const watch = new Stopwatch(() => used);
  used = 0;
  assert.ok(watch.elapsed >= 0);
  used = 1e9;
  assert.ok(watch.elapsed <= performance.now() - before);
});
