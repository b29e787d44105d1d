import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { MessageChannel } from 'node:worker_threads';
import { ByteBudget } from '../../../src/base/byte-budget.ts';
import { ChunkStream, type ChunkStreamOptions } from '../../../src/pool/streaming/chunk-stream.ts';

const CHUNKS = 3;

test('complete chunks that nobody reads are dropped after a while, and the reader gets an error', async () => {
  const { port1, port2 } = new MessageChannel();
  const buffered = new ByteBudget(CHUNKS);
  const opened = new Promise<Parameters<ChunkStreamOptions['open']>[0]>((open) => {
    const cancel = () => assert.fail('There is no job any more.');
    const stream = new ChunkStream(port1, { open, cancel, contended: () => true, buffered, stallMs: 50 });
    for (let i = 0; i < CHUNKS; i++) {
      port2.postMessage({ memory: null, length: 1, made: new SharedArrayBuffer(1) });
    }
    stream.finish({ ok: true, value: null });
  });
  const document = await opened;
  assert.ok(document.ok && !(document.value instanceof Uint8Array));
  assert.equal(buffered.held, CHUNKS);
  while (buffered.held > 0) await turn();
  await assert.rejects(async () => {
    for await (const _ of document.value) assert.fail('Nothing is left.');
  }, /did not read the rest of the document in time/);
});
