import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MAX_BATCH, NOT_BEGUN, TaskBoard } from '../../../src/pool/tasks/board.ts';
import { monotonicMs } from '../../../src/pool/threads/monotonic-clock.ts';

test('each slot has its own state', () => {
  const board = TaskBoard.forThreads(3);
  board.reset(1);
  board.begin(1, 7);
  board.report(1, 4_000_000_000, 4_200_000_000);
  assert.deepEqual([board.current(1), board.progress(1), board.total(1)], [7, 4_000_000_000, 4_200_000_000]);
  assert.deepEqual([board.current(0), board.progress(2)], [0, 0]);
});

test('each step is cancelled separately, and a new job starts with no cancelled step', () => {
  const board = TaskBoard.forThreads(2);
  const cancelled = (slot: number) =>
    Array.from({ length: MAX_BATCH }, (_, step) => step).filter((step) => board.cancelled(slot, step));
  for (const step of [0, 31, 32, 255]) board.cancel(1, step);
  assert.deepEqual(cancelled(1), [0, 31, 32, 255]);
  assert.deepEqual(cancelled(0), []);
  board.reset(1);
  assert.deepEqual(cancelled(1), []);
  assert.equal(board.current(1), NOT_BEGUN);
});

test('a step that has just started is young', () => {
  const board = TaskBoard.forThreads(1);
  board.begin(0, 0);
  assert.ok(board.stepAge(0) < 1000);
  const now = monotonicMs();
  assert.ok(board.updated(0) <= now && board.updated(0) > now - 1000);
});

test('a thread is preempted in one job, not in the next', () => {
  const board = TaskBoard.forThreads(2);
  board.preempt(1);
  assert.deepEqual([board.preempted(0), board.preempted(1)], [false, true]);
  board.reset(1);
  assert.equal(board.preempted(1), false);
});
