import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NodeDisk } from '../../src/journal/node-disk.ts';
import { CommitBoard } from '../../src/store/commit-board.ts';
import { merge, openOn } from '../support/stores.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

test('both sides see one board, and a transaction is asked to end until it is being written', () => {
  const board = new CommitBoard();
  const store = new CommitBoard(board.buffer);
  assert.equal(board.planned(7), 0);
  assert.equal(store.report(7, 100), true);
  assert.equal(board.planned(7), 100);
  assert.equal(board.cancel(7), true);
  assert.equal(store.report(7, 200), false);
  assert.equal(store.commit(7), false);
  assert.equal(store.report(8, 1), true);
  assert.equal(store.commit(8), true);
  assert.equal(board.cancel(8), false, 'too late');
});

test('a transaction that is 1,024 newer takes over a slot without being cancelled', () => {
  const board = new CommitBoard();
  board.report(7, 100);
  board.cancel(7);
  assert.equal(board.report(7 + 1024, 1), true);
  assert.equal(board.planned(7), 0);
  assert.equal(board.planned(7 + 1024), 1);
});

test('a cancelled transaction stores nothing, and the others of its group are committed', async (t) => {
  const board = new CommitBoard();
  const store = await openOn(new NodeDisk(await temporaryDirectory(t)), { commitBoard: board.buffer });
  board.cancel(2);
  const group = [1, 2, 3].map((id) => ({
    id,
    preconditions: [],
    operations: [merge('urn:x:g', `<urn:s> <urn:p> "${id}" .`)],
  }));
  const { results, published } = await store.commit(group);
  assert.deepEqual(
    results.map((result) => (result.ok ? 'stored' : result.error.code)),
    ['stored', 'cancelled', 'stored'],
  );
  assert.equal(published?.snapshot.quadCount, 2);
  assert.equal(board.cancel(3), false);
  await store.close();
});
