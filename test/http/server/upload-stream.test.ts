import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ByteBudget } from '../../../src/base/byte-budget.ts';
import { UploadStream } from '../../../src/http/server/upload-stream.ts';

const MEBIBYTE = 2 ** 20;

function setUp() {
  const stream = new UploadStream(
    new ByteBudget(64 * MEBIBYTE),
    () => {},
    () => {},
  );
  const overflow: number[] = [];
  const read = () => stream.readWithOverflow((chunk) => overflow.push(chunk.length));
  const pushMuch = () => {
    for (let i = 0; i < 5; i++) stream.push(new Uint8Array(MEBIBYTE));
  };
  return { stream, overflow, read, pushMuch };
}

test('chunks that arrive too fast go to the overflow of the reader', () => {
  const { overflow, read, pushMuch } = setUp();
  read();
  pushMuch();
  assert.equal(
    overflow.reduce((sum, bytes) => sum + bytes, 0),
    5 * MEBIBYTE,
  );
});

test('nothing goes to the overflow of a reader that comes after the upload failed', async () => {
  const { stream, overflow, read, pushMuch } = setUp();
  stream.fail({ code: 'cancelled', message: 'The client disconnected.', details: {} });
  const chunks = read();
  await assert.rejects(chunks[Symbol.asyncIterator]().next(), { code: 'cancelled' });
  pushMuch();
  assert.deepEqual(overflow, []);
});
