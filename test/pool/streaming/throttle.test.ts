import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { Throttle } from '../../../src/pool/streaming/throttle.ts';

const CHUNK_BYTES = 1024 * 1024;

/** A throttle with a clock that the test advances. */
function setUp(t: TestContext) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  let now = 0;
  const throttle = new Throttle(() => now);
  const pass = async (milliseconds: number) => {
    now += milliseconds;
    t.mock.timers.tick(milliseconds);
    await settled();
  };
  return { throttle, pass, note: () => throttle.note(now) };
}

/** Reads a long document to its end, and counts the chunks so far. */
function read(throttle: Throttle, chunks: number) {
  const document = throttle.apply({ ok: true, value: chunksOf(chunks) });
  assert.ok(document.ok && !(document.value instanceof Uint8Array));
  const stream = document.value;
  const reader = { taken: 0, ended: false };
  void (async () => {
    for await (const _ of stream) reader.taken++;
    reader.ended = true;
  })();
  return reader;
}

async function* chunksOf(count: number): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < count; i++) yield new Uint8Array(CHUNK_BYTES);
}

/** Resolves when everything that does not depend on the clock has happened. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

test('documents are not throttled when no evaluations arrive', async (t) => {
  const { throttle } = setUp(t);
  const reader = read(throttle, 100);
  await settled();
  assert.deepEqual(reader, { taken: 100, ended: true });
});

test('while evaluations arrive, documents together are throttled', async (t) => {
  const { throttle, pass, note } = setUp(t);
  note();
  const first = read(throttle, 100);
  const second = read(throttle, 100);
  await settled();
  const atOnce = first.taken + second.taken;
  assert.ok(atOnce <= 2, `${atOnce} at once`);
  for (let i = 0; i < 20; i++) {
    note();
    await pass(4);
  }
  const taken = first.taken + second.taken - atOnce;
  assert.ok(taken >= 18 && taken <= 22, `${taken} in 80 ms`);
});

test('documents return to full speed when evaluations have stopped', async (t) => {
  const { throttle, pass, note } = setUp(t);
  note();
  const reader = read(throttle, 100);
  await pass(4);
  assert.equal(reader.ended, false);
  await pass(60);
  assert.deepEqual(reader, { taken: 100, ended: true });
});

test('a document of one chunk and an error are passed on unchanged', (t) => {
  const { throttle, note } = setUp(t);
  note();
  const whole = { ok: true, value: new Uint8Array(3) } as const;
  assert.equal(throttle.apply(whole), whole);
  const failed = { ok: false, error: { code: 'cancelled', message: 'No.', details: {} } } as const;
  assert.equal(throttle.apply(failed), failed);
});

test('a reader that stops early closes the source', async (t) => {
  const { throttle } = setUp(t);
  let left = false;
  const source = (async function* () {
    try {
      for (;;) yield new Uint8Array(1);
    } finally {
      left = true;
    }
  })();
  const document = throttle.apply({ ok: true, value: source });
  assert.ok(document.ok && !(document.value instanceof Uint8Array));
  for await (const _ of document.value) break;
  assert.equal(left, true);
});

test('more evaluations are expected for a while after one', async (t) => {
  const { throttle, pass, note } = setUp(t);
  assert.equal(throttle.expectsEvaluations, false);
  note();
  await pass(50);
  assert.equal(throttle.expectsEvaluations, true);
  await pass(1);
  assert.equal(throttle.expectsEvaluations, false);
});
