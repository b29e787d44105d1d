import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { startWorker } from '../../src/pool/threads/worker-url.ts';
import type { SnapshotDescriptor } from '../../src/snapshot/descriptor.ts';
import { keepInThread, RetiredMemory } from '../../src/store/retired-memory.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Buffers of so many bytes: base, then deltas. */
function snapshotOf(small: SharedArrayBuffer, base: SharedArrayBuffer, ...deltas: SharedArrayBuffer[]) {
  const dictionary = { generation: 0, termCount: 1, arena: small, ends: small, table: small };
  const numbers = { sequence: 1, quadCount: 0, logCount: 0 };
  return { ...numbers, dictionary, base, deltas, log: small } satisfies SnapshotDescriptor;
}

test('large unused memory is kept until the garbage collector has released it', async () => {
  const held: number[] = [];
  let released = 0;
  const memory = new RetiredMemory((buffers) => {
    held.push(...buffers.map(({ byteLength }) => byteLength));
    return () => released++;
  }, 100);
  const small = new SharedArrayBuffer(8);
  const goOver = () => {
    const base = new SharedArrayBuffer(90);
    memory.use(snapshotOf(small, base, new SharedArrayBuffer(40)));
    // Less than is worth a thread.
    memory.use(snapshotOf(small, base, new SharedArrayBuffer(60)));
    assert.deepEqual(held, []);
    memory.use(snapshotOf(small, new SharedArrayBuffer(70)));
    assert.deepEqual(held, [90, 60]);
    assert.equal(released, 0);
  };
  goOver();
  for (let i = 0; i < 100 && released === 0; i++) {
    collectGarbage();
    await turn();
  }
  assert.equal(released, 1);
  assert.deepEqual(held, [90, 60]);
});

test('the thread that keeps memory ends on request', async () => {
  const worker = startWorker('keeper', { buffers: [new SharedArrayBuffer(8)], delay: 0 });
  const exited = once(worker, 'exit');
  worker.postMessage('release');
  assert.deepEqual(await exited, [0]);
});

test('memory is retired without a thread if none can be created', () => {
  const refuse = () => {
    throw Object.assign(new Error('Worker initialization failure: EAGAIN'), {
      code: 'ERR_WORKER_INIT_FAILED',
    });
  };
  let asked = 0;
  const memory = new RetiredMemory((buffers) => {
    asked++;
    return keepInThread(buffers, refuse);
  }, 100);
  const small = new SharedArrayBuffer(8);
  for (let i = 0; i < 3; i++) memory.use(snapshotOf(small, new SharedArrayBuffer(200)));
  assert.equal(asked, 2);
  assert.doesNotThrow(keepInThread([small], refuse));
});
