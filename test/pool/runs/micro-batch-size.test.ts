import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MicroBatchSize } from '../../../src/pool/runs/micro-batch-size.ts';

function microBatchSizeAt(micros: number): MicroBatchSize {
  const size = new MicroBatchSize();
  for (let i = 0; i < 200; i++) size.record(micros * 10, 10);
  return size;
}

function assertAbout(actual: number, expected: number): void {
  assert.ok(Math.abs(actual - expected) <= expected * 0.15 + 1, `${actual}, not about ${expected}`);
}

test('a micro-batch takes one or two milliseconds for any cost of an evaluation', () => {
  assert.equal(microBatchSizeAt(1).next(4096, 1), 256);
  assertAbout(microBatchSizeAt(50).next(4096, 1), 30);
  assert.equal(microBatchSizeAt(10_000).next(4096, 1), 1);
});

test('idle threads share the waiting evaluations, unless there are too few for another dispatch', () => {
  assert.equal(microBatchSizeAt(50).next(40, 2), 20);
  assertAbout(microBatchSizeAt(50).next(6, 2), 8);
  assert.equal(microBatchSizeAt(1000).next(2, 2), 1);
});

test('a few endless evaluations do not disable micro-batches', () => {
  const size = microBatchSizeAt(10);
  for (let i = 0; i < 5; i++) size.record(30_000_000, 1);
  assert.ok(size.next(4096, 1) > 50);
});
