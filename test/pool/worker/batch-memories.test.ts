import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LineMemories } from '../../../src/pool/batch/line-memories.ts';
import { BatchMemories } from '../../../src/pool/worker/batch-memories.ts';

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString();

test('lines are sent in shared memory that is reused after its release', () => {
  const [thread, main] = [new BatchMemories(), new LineMemories()];
  const keep = (number: number | null, lines: string) =>
    thread.keep(number, Buffer.from(lines), lines.length);
  const first = main.lease();
  const made = keep(first.number, 'one');
  assert.ok(!(made instanceof Uint8Array) && made.made);
  const one = first.read(made);
  const second = main.lease();
  assert.equal(text(second.read(keep(second.number, 'two'))), 'two');
  assert.equal(text(one), 'one');
  first.release();
  first.release();
  const third = main.lease();
  assert.equal(third.number, first.number);
  const again = keep(third.number, 'three');
  assert.ok(!(again instanceof Uint8Array) && again.made === null);
  assert.equal(text(third.read(again)), 'three');
  assert.notEqual(main.lease().number, first.number);
});

test('longer lines get more shared memory, and the longest get a separate buffer', () => {
  const [thread, main] = [new BatchMemories(), new LineMemories()];
  for (const length of [10, 300_000, 10, 5_000_000, 10]) {
    const lease = main.lease();
    const lines = thread.keep(lease.number, Buffer.alloc(length + 5, 'x'), length);
    assert.equal(lines instanceof Uint8Array, length === 5_000_000);
    assert.equal(text(lease.read(lines)), 'x'.repeat(length));
    lease.release();
  }
});

test('when all shared memory is in use, lines are sent in a new buffer', () => {
  const [thread, main] = [new BatchMemories(), new LineMemories()];
  let lease = main.lease();
  while (lease.number !== null) lease = main.lease();
  assert.equal(text(lease.read(thread.keep(null, Buffer.from('abc'), 2))), 'ab');
});
