import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { MessageChannel } from 'node:worker_threads';
import { ByteBudget } from '../../src/byte-budget.ts';
import { ChunkStream, WINDOW } from '../../src/pool/chunk-stream.ts';
import type { SerializeMessage } from '../../src/pool/messages.ts';

const BYTES = 10;

test('while others wait, a chunk is held only when the worker would stand still without', async () => {
  const { port1, port2 } = new MessageChannel();
  const held = new ByteBudget(1_000);
  const stream = new ChunkStream(port1, {
    open: () => {},
    cancel: () => {},
    contended: () => true,
    held,
    stallMs: 60_000,
  });
  const send = (memory: number) => {
    const message: SerializeMessage = { memory, length: BYTES, made: new SharedArrayBuffer(BYTES) };
    port2.postMessage(message);
  };
  for (let memory = 0; memory < WINDOW; memory++) send(memory);
  assert.deepEqual(await once(port2, 'message'), [~(WINDOW - 1)]);
  assert.equal(held.held, BYTES);
  await stream.next();
  await stream.next();
  assert.deepEqual(await once(port2, 'message'), [0]);
  send(WINDOW);
  send(WINDOW + 1);
  assert.deepEqual(await once(port2, 'message'), [~(WINDOW + 1)]);
  assert.equal(held.held, 2 * BYTES);
  await stream.return();
  assert.equal(held.held, 0);
  port2.close();
});
