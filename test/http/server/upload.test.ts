import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { ByteBudget } from '../../../src/base/byte-budget.ts';
import { Upload } from '../../../src/http/server/upload.ts';
import { UploadWatch } from '../../../src/http/server/upload-watch.ts';

function chunk(text: string): ArrayBuffer {
  return new TextEncoder().encode(text).buffer;
}

/** An upload with a clock that the test advances, and the calls that pause its connection. */
function setUp(t: TestContext, { declared, maxHeld = 1000 }: { declared?: number; maxHeld?: number } = {}) {
  t.mock.timers.enable({ apis: ['setInterval', 'Date'] });
  const calls: string[] = [];
  const inflow = { pause: () => calls.push('pause'), resume: () => calls.push('resume') };
  const store = new ByteBudget(maxHeld);
  const upload = new Upload(inflow, declared, { store, watch: new UploadWatch(30_000), timeoutMs: 30_000 });
  return { upload, store, calls, pass: (ms: number) => t.mock.timers.tick(ms) };
}

test('bytes that arrive before the body is read are buffered, and the rest is paused until then', async (t) => {
  const { upload, calls } = setUp(t);
  upload.receive(chunk('ab'), false);
  upload.receive(chunk('cd'), false);
  assert.deepEqual(calls, ['pause']);
  const body = upload.read(100);
  assert.deepEqual(calls, ['pause', 'resume']);
  upload.receive(chunk('ef'), true);
  assert.deepEqual(await body, { ok: true, value: new TextEncoder().encode('abcdef') });
});

test('the returned bytes fill their buffer, so that it can be transferred', async (t) => {
  for (const declared of [undefined, 40_000]) {
    const { upload } = setUp(t, { maxHeld: 50_000, ...(declared && { declared }) });
    const body = upload.read(50_000);
    for (let i = 0; i < 4; i++) upload.receive(chunk('x'.repeat(10_000)), i === 3);
    const result = await body;
    assert.ok(result.ok && result.value.length === 40_000 && result.value.buffer.byteLength === 40_000);
    t.mock.timers.reset();
  }
});

test('a fast body yields to the event loop, so that other requests proceed', async (t) => {
  const length = 4 * 1024 * 1024;
  const { upload, calls } = setUp(t, { declared: length, maxHeld: length });
  const body = upload.read(length);
  for (let left = length; left > 0; left -= 512 * 1024) {
    assert.deepEqual(calls, []);
    upload.receive(new ArrayBuffer(512 * 1024), left === 512 * 1024);
    if (left > 512 * 1024) assert.deepEqual(calls.splice(0), ['pause']);
    await new Promise(setImmediate);
    if (left > 512 * 1024) assert.deepEqual(calls.splice(0), ['resume']);
  }
  const result = await body;
  assert.ok(result.ok && result.value.length === length);
});

test('an aborted upload is not resumed', async (t) => {
  const { upload, calls, store } = setUp(t, { declared: 2_000_000, maxHeld: 2_000_000 });
  const body = upload.read(2_000_000);
  upload.receive(new ArrayBuffer(1_000_000), false);
  upload.abort();
  await new Promise(setImmediate);
  assert.deepEqual(calls, ['pause']);
  assert.equal((await body).ok, false);
  assert.equal(store.held, 0);
});

test('a slow body may take forever while bytes keep arriving, and uWebSockets.js does not close it', async (t) => {
  const { upload, calls, pass } = setUp(t, { declared: 100 });
  const body = upload.read(100);
  for (let i = 0; i < 100; i++) {
    upload.receive(chunk('x'), i === 99);
    if (i < 99) pass(20_000);
  }
  assert.ok((await body).ok);
  const refreshes = calls.filter((call) => call === 'resume').length;
  assert.ok(refreshes >= 1980 / 8 - 1, `${refreshes} in 1980 s`);
});

test('a body without progress for the allowed time fails, and frees its memory', async (t) => {
  const { upload, store, pass } = setUp(t);
  const body = upload.read(100);
  upload.receive(chunk('abc'), false);
  assert.equal(store.held, 3);
  pass(29_000);
  assert.equal(store.held, 3);
  pass(2_000);
  const result = await body;
  assert.equal(!result.ok && result.error.code, 'body-timeout');
  assert.equal(store.held, 0);
});

test('an unread body does not time out, because it is paused', async (t) => {
  const { upload, pass } = setUp(t, { declared: 10 });
  upload.receive(chunk('abc'), false);
  pass(100_000);
  const body = upload.read(100);
  upload.receive(chunk('defghij'), true);
  assert.ok((await body).ok);
});

test('draining ends with the body, without progress, or after five seconds', async (t) => {
  const ending: Record<string, (setup: ReturnType<typeof setUp>) => void> = {
    body: ({ upload }) => upload.receive(chunk('x'), true),
    silence: ({ pass }) => pass(500),
    time: ({ upload, pass }) => {
      for (let i = 0; i < 60; i++) {
        upload.receive(chunk('x'), false);
        pass(100);
      }
    },
    abort: ({ upload }) => upload.abort(),
  };
  for (const [name, end] of Object.entries(ending)) {
    const setup = setUp(t, { declared: 1000 });
    const rejected = await setup.upload.read(10);
    assert.equal(!rejected.ok && rejected.error.code, 'too-large');
    let drained = false;
    const draining = setup.upload.drain().then(() => {
      drained = true;
    });
    await Promise.resolve();
    assert.equal(drained, false, name);
    end(setup);
    await draining;
    assert.equal(setup.store.held, 0, 'what is drained is not kept');
    t.mock.timers.reset();
  }
});

test('draining ends at once for a complete or an aborted body', async (t) => {
  const ends: ((upload: Upload) => void)[] = [
    (upload) => upload.receive(chunk('x'), true),
    (upload) => upload.abort(),
  ];
  for (const end of ends) {
    const { upload } = setUp(t);
    end(upload);
    let drained = false;
    void upload.drain().then(() => {
      drained = true;
    });
    await Promise.resolve();
    assert.equal(drained, true);
    t.mock.timers.reset();
  }
});

test('an abort of the client fails the read, whether it waits or comes later', async (t) => {
  const { upload, store } = setUp(t);
  const body = upload.read(100);
  upload.receive(chunk('abc'), false);
  upload.abort();
  const result = await body;
  assert.equal(!result.ok && result.error.code, 'cancelled');
  assert.equal(store.held, 0);
  t.mock.timers.reset();
  const late = setUp(t).upload;
  late.receive(chunk('abc'), false);
  late.abort();
  const lateResult = await late.read(100);
  assert.equal(!lateResult.ok && lateResult.error.code, 'cancelled');
});

test('a body beyond the memory limit is rejected, before or during the read', async (t) => {
  const { upload, store } = setUp(t, { maxHeld: 5 });
  upload.receive(chunk('abcdef'), false);
  const early = await upload.read(100);
  assert.equal(!early.ok && early.error.code, 'overloaded');
  t.mock.timers.reset();
  const second = setUp(t, { maxHeld: 5 });
  const body = second.upload.read(100);
  second.upload.receive(chunk('abc'), false);
  second.upload.receive(chunk('def'), true);
  const result = await body;
  assert.equal(!result.ok && result.error.code, 'overloaded');
  assert.equal(store.held + second.store.held, 0);
});

test('memory is freed once, at the end of the exchange', async (t) => {
  const { upload, store } = setUp(t);
  upload.receive(chunk('abc'), true);
  await upload.read(100);
  assert.equal(store.held, 3);
  upload.release();
  upload.release();
  assert.equal(store.held, 0);
});

test('data derived from a body count in the same budget until the end of the exchange', async (t) => {
  const { upload, store } = setUp(t, { maxHeld: 10 });
  upload.receive(chunk('abc'), true);
  await upload.read(100);
  assert.deepEqual([upload.reserve(4), upload.reserve(4), upload.reserve(3)], [true, false, true]);
  assert.equal(store.held, 10);
  upload.release();
  assert.deepEqual([upload.reserve(1), store.held], [false, 0]);
});

/** Reads a stream to its end; a piece is copied, for its buffer is used again. */
async function gather(stream: AsyncIterable<Uint8Array>): Promise<string> {
  let text = '';
  for await (const piece of stream) text += Buffer.from(piece).toString();
  return text;
}

/** Takes pieces until they have that many bytes. */
async function take(stream: AsyncIterator<Uint8Array>, bytes: number): Promise<void> {
  for (let taken = 0; taken < bytes; ) taken += (await stream.next()).value?.length ?? 0;
}

test('a streamed body comes in chunks, buffered bytes first', async (t) => {
  const { upload, store, calls } = setUp(t);
  upload.receive(chunk('ab'), false);
  const text = gather(upload.stream(100));
  upload.receive(chunk('cd'), false);
  upload.receive(chunk('ef'), true);
  assert.equal(await text, 'abcdef');
  assert.equal(store.held, 0);
  assert.deepEqual(calls.slice(0, 1), ['pause']);
});

test('a complete buffered body can be streamed', async (t) => {
  const { upload } = setUp(t);
  upload.receive(chunk('abc'), true);
  assert.equal(await gather(upload.stream(100)), 'abc');
});

test('a slow reader pauses the client, which is not a timeout', async (t) => {
  const { upload, store, calls, pass } = setUp(t, { maxHeld: 2 ** 21 });
  const stream = upload.stream(2 ** 21)[Symbol.asyncIterator]();
  upload.receive(new ArrayBuffer(600_000), false);
  assert.deepEqual(calls, ['pause']);
  assert.equal(store.held, 600_000);
  pass(120_000);
  await take(stream, 600_000);
  assert.deepEqual(calls, ['pause', 'resume']);
  const next = stream.next();
  pass(31_000);
  await assert.rejects(next, { code: 'body-timeout' });
});

test('a paused connection resumes after the last chunk', async (t) => {
  const { upload, calls } = setUp(t, { maxHeld: 2 ** 21 });
  const stream = upload.stream(2 ** 21)[Symbol.asyncIterator]();
  upload.receive(new ArrayBuffer(600_000), true);
  assert.deepEqual(calls, ['pause', 'resume']);
  await take(stream, 600_000);
  assert.equal((await stream.next()).done, true);
});

test('uWebSockets.js does not close a resumed connection until the response is sent', async (t) => {
  for (const resumedBy of ['last byte', 'discarding', 'waiting'] as const) {
    const { upload, calls, pass } = setUp(t, { declared: 1_000_000, maxHeld: 2_000_000 });
    if (resumedBy === 'waiting') upload.watch();
    else if (resumedBy === 'discarding') {
      upload.discard();
      upload.watch();
    } else {
      const body = upload.read(2_000_000);
      upload.receive(new ArrayBuffer(600_000), false);
      upload.receive(new ArrayBuffer(400_000), true);
      assert.ok((await body).ok);
    }
    const before = calls.length;
    for (let i = 0; i < 30; i++) pass(4_000);
    const refreshes = calls.slice(before);
    assert.ok(refreshes.length >= 2 * 28, `${resumedBy}: ${refreshes.length} calls in 120 s`);
    assert.ok(refreshes.every((call, i) => call === (i % 2 === 0 ? 'pause' : 'resume')));
    upload.release();
    const after = calls.length;
    pass(120_000);
    assert.equal(calls.length, after, resumedBy);
    t.mock.timers.reset();
  }
});

test('a connection that was not paused at the last byte is not resumed', async (t) => {
  const { upload, calls, pass } = setUp(t);
  const body = upload.read(100);
  upload.receive(chunk('abc'), true);
  assert.ok((await body).ok);
  pass(120_000);
  assert.deepEqual(calls, []);
});

test('buffered chunks reach the reader at once and in order, and are not kept', async (t) => {
  const { upload, store } = setUp(t, { maxHeld: 2 ** 24 });
  const stream = upload.stream(2 ** 30);
  const pieces: string[] = [];
  const body = stream.readWithOverflow((chunk) => pieces.push(Buffer.from(chunk).toString()));
  const filler = 'x'.repeat(2 ** 20);
  for (let i = 0; i < 4; i++) upload.receive(chunk(filler), false);
  assert.equal(pieces.length, 0);
  upload.receive(chunk('flood'), false);
  assert.equal(pieces.join(''), `${filler.repeat(4)}flood`);
  assert.equal(store.held, 0);
  const rest = gather(body);
  upload.receive(chunk('after'), true);
  assert.equal(await rest, 'after');
});

test('a body that has ended in an error gives nothing more to a reader of the overflow', async (t) => {
  const { upload, store } = setUp(t, { maxHeld: 2 ** 24 });
  const pieces: number[] = [];
  const stream = upload.stream(2 ** 30);
  const body = gather(stream.readWithOverflow((chunk) => pieces.push(chunk.length)));
  upload.abort();
  await assert.rejects(body, { code: 'cancelled' });
  for (let i = 0; i < 5; i++) stream.push(new Uint8Array(2 ** 20));
  stream.drop();
  assert.deepEqual([pieces, store.held], [[], 0]);
});

test('a reader of the overflow that leaves gets nothing more', async (t) => {
  const { upload, store } = setUp(t, { maxHeld: 2 ** 24 });
  const pieces: number[] = [];
  const stream = upload.stream(2 ** 30);
  upload.receive(chunk('first'), false);
  for await (const _ of stream.readWithOverflow((chunk) => pieces.push(chunk.length))) break;
  for (let i = 0; i < 5; i++) stream.push(new Uint8Array(2 ** 20));
  stream.drop();
  assert.deepEqual([pieces, store.held], [[], 0]);
});

test('a streamed body over its limit or of an aborted request ends in an error', async (t) => {
  const declared = setUp(t, { declared: 101 });
  await assert.rejects(gather(declared.upload.stream(100)), { code: 'too-large' });
  t.mock.timers.reset();
  const chunked = setUp(t);
  const tooLong = gather(chunked.upload.stream(3));
  chunked.upload.receive(chunk('abcd'), false);
  await assert.rejects(tooLong, { code: 'too-large' });
  t.mock.timers.reset();
  const aborted = setUp(t);
  const half = gather(aborted.upload.stream(100));
  aborted.upload.receive(chunk('ab'), false);
  aborted.upload.abort();
  await assert.rejects(half, { code: 'cancelled' });
  assert.equal(aborted.store.held + chunked.store.held, 0);
});

test('the rest of a stream is discarded when its reader ends early', async (t) => {
  const { upload, store } = setUp(t);
  const stream = upload.stream(100)[Symbol.asyncIterator]();
  upload.receive(chunk('ab'), false);
  await stream.next();
  upload.receive(chunk('cd'), false);
  await stream.return?.();
  upload.receive(chunk('ef'), true);
  assert.equal(store.held, 0);
});
