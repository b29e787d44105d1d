import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Thread } from '../../src/load/parser-threads.ts';
import { startWorker } from '../../src/pool/threads/worker-url.ts';

const bytes = new Uint8Array(new SharedArrayBuffer(0));
const message = {
  bytes,
  mediaType: 'application/n-triples',
  baseIri: 'urn:x:b',
  keepLabels: true,
  isFirst: true,
};

test('a thread that has ended while idle rejects later work', async () => {
  const worker = startWorker('load', { contexts: {} });
  const thread = new Thread(worker);
  assert.equal((await thread.parse(message)).ok, true);
  const exited = once(worker, 'exit');
  await worker.terminate();
  await exited;
  await assert.rejects(thread.parse(message), { message: 'A parsing thread has ended.' });
  await thread.close();
});
