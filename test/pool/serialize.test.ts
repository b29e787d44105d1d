import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Caller } from '../../src/base/caller.ts';
import type { Result } from '../../src/errors.ts';
import { fakeCaller } from '../support/callers.ts';
import { evaluation, type FakePool, fakePool, noSnapshot } from './fixtures/fake-pool.ts';

/** A time limit that no test reaches, in milliseconds. */
const NEVER = Number.POSITIVE_INFINITY;

const info = { group: 'Exporter', label: 'RDF export', detail: { format: 'text/turtle' } };

function serialize({ pool }: FakePool, chunks: number, onAbort?: Caller['onAbort']) {
  return pool.serialize(
    { snapshot: noSnapshot, source: { graph: String(chunks) }, mediaType: 'text/turtle' },
    info,
    fakeCaller(onAbort),
  );
}

function streamOf(result: Result<Uint8Array | AsyncIterable<Uint8Array>>): AsyncIterable<Uint8Array> {
  assert.ok(result.ok && !(result.value instanceof Uint8Array));
  return result.value;
}

test('a document of one chunk is sent as a whole', async (t) => {
  const fake = fakePool(t, 1);
  assert.deepEqual(await serialize(fake, 1), { ok: true, value: new Uint8Array([0]) });
  assert.deepEqual(await serialize(fake, 0), { ok: true, value: new Uint8Array(0) });
});

test('a long document is sent in chunks, in order', async (t) => {
  const fake = fakePool(t, 1);
  const seen: number[] = [];
  for await (const chunk of streamOf(await serialize(fake, 200))) seen.push(chunk[0]!);
  assert.deepEqual(
    seen,
    Array.from({ length: 200 }, (_, i) => i),
  );
});

test('the worker is at most a few chunks ahead of the client if the buffer has no more room', async (t) => {
  const fake = fakePool(t, 1, { bufferedBytes: 0 });
  const stream = streamOf(await serialize(fake, 1000))[Symbol.asyncIterator]();
  for (let taken = 1; taken <= 50; taken++) {
    await stream.next();
    assert.ok(fake.gates.count(0) <= taken + 4, `${fake.gates.count(0)} chunks made, ${taken} taken`);
  }
  await stream.return?.();
});

test('a slow client does not block the thread while the buffer has room for its document', async (t) => {
  const fake = fakePool(t, 1, { bufferedBytes: 1_000 });
  const slow = streamOf(await serialize(fake, 600));
  const other = streamOf(await serialize(fake, 300));
  assert.ok((await fake.pool.evaluate(evaluation('echo'))).ok);
  const chunksOf = async (stream: AsyncIterable<Uint8Array>) => {
    let count = 0;
    for await (const _ of stream) count++;
    return count;
  };
  assert.deepEqual([await chunksOf(other), await chunksOf(slow)], [300, 600]);
  assert.equal(await chunksOf(streamOf(await serialize(fake, 1_000))), 1_000);
});

test('reserved memory is released for every way in which a document can end', async (t) => {
  const fake = fakePool(t, 1, { bufferedBytes: 300 });
  for (let i = 0; i < 3; i++) {
    for await (const _ of streamOf(await serialize(fake, 250))) if (i === 1) break;
    let leave = () => {};
    const left = streamOf(await serialize(fake, 1_000, (listener) => (leave = listener)));
    await left[Symbol.asyncIterator]().next();
    leave();
  }
  const slow = streamOf(await serialize(fake, 250));
  assert.ok((await fake.pool.evaluate(evaluation('echo'))).ok);
  await slow[Symbol.asyncIterator]().return?.();
});

test('the job of a client that reads nothing is aborted soon if others wait for the thread', async (t) => {
  const fake = fakePool(t, 1, { bufferedBytes: 0, stallMs: NEVER, serializeMs: NEVER });
  const hostile = streamOf(await serialize(fake, 1_000));
  const other = await serialize(fake, 1);
  assert.ok(other.ok);
  await assert.rejects(async () => {
    for await (const _ of hostile);
  }, /did not read the rest of the document in time/);
});

test('the job ends when its client disconnects early', async (t) => {
  const fake = fakePool(t, 1, { bufferedBytes: 0 });
  for await (const chunk of streamOf(await serialize(fake, 1000))) if (chunk[0] === 3) break;
  const next = await fake.pool.evaluate(evaluation('echo'));
  assert.ok(next.ok);
  assert.ok(fake.gates.count(0) < 20);
});

test('the job ends when its client disconnects before the first byte', async (t) => {
  const fake = fakePool(t, 1);
  const result = await serialize(fake, 1000, (listener) => listener());
  assert.equal(!result.ok && result.error.code, 'cancelled');
  assert.ok((await fake.pool.evaluate(evaluation('echo'))).ok);
});

test('the job of a client that reads nothing is aborted after a while, with an error about the missing rest', async (t) => {
  const fake = fakePool(t, 1, { stallMs: 50, bufferedBytes: 0 });
  const stream = streamOf(await serialize(fake, 1000));
  assert.ok((await fake.pool.evaluate(evaluation('echo'))).ok);
  await assert.rejects(async () => {
    for await (const _ of stream);
  }, /did not read the rest of the document in time/);
});
