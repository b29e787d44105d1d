import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NodeDisk } from '../../src/journal/disk/node-disk.ts';
import { ChangeFeedWriter, newChangeFeed } from '../../src/snapshot/feed/change-feed.ts';
import { GraphTable } from '../../src/snapshot/graphs/table.ts';
import { SnapshotWriter } from '../../src/snapshot/write/snapshot-writer.ts';
import { BoardNumbers, CommitBoard } from '../../src/store/commit-board.ts';
import type { Transaction } from '../../src/store/main/transaction.ts';
import { PatchFiles } from '../../src/store/patch/file-set.ts';
import { newIdentity } from '../../src/store/registry/identity.ts';
import { Store } from '../../src/store/thread/store.ts';
import { merge, openOn } from '../support/stores.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

test('both threads share a board, and a transaction can be cancelled until it is written', () => {
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

test('running transactions never share a slot, however long one of them takes', () => {
  const numbers = new BoardNumbers();
  const board = new CommitBoard();
  const first = numbers.take()!;
  board.commit(first);
  for (let i = 0; i < 5000; i++) {
    const other = numbers.take()!;
    board.cancel(other);
    numbers.release(other);
  }
  assert.equal(board.cancel(first), false, 'it is being written');
  for (let i = 1; i < 1024; i++) assert.notEqual(numbers.take(), undefined);
  assert.equal(numbers.take(), undefined, 'all slots are taken');
  numbers.release(first);
  assert.equal(numbers.take()! % 1024, first % 1024);
});

test('transactions of any number are distinguished', async () => {
  for (const id of [2 ** 31 - 1, 2 ** 31, 2 ** 31 + 5, 2 ** 32 + 7, 2 ** 40 + 1]) {
    const board = new CommitBoard();
    assert.equal(board.report(id, 3), true);
    assert.equal(board.planned(id), 3);
    assert.equal(board.cancel(id), true);
    assert.equal(board.report(id, 4), false, String(id));
    assert.equal(board.commit(id), false, String(id));
    assert.equal(board.commit(id + 1), true, String(id));
    assert.equal(board.cancel(id + 1), false, String(id));
  }
});

test('the first decision is final for both threads', () => {
  const board = new CommitBoard();
  assert.equal(board.commit(7), true);
  assert.equal(board.cancel(7), false);
  assert.equal(board.report(7, 1), true);
  assert.equal(board.commit(7), true);
  assert.equal(board.cancel(8), true);
  assert.equal(board.commit(8), false);
  assert.equal(board.cancel(8), true);
});

/** A board that is asked to cancel one transaction while it is planned, and others later. */
class AskingBoard extends CommitBoard {
  readonly answers: [id: number, answer: boolean][] = [];
  readonly #asks: Map<number, number[]>;

  /** What to cancel while which one is planned. */
  constructor(asks: readonly (readonly [planned: number, cancelled: number[]])[]) {
    super();
    this.#asks = new Map(asks);
  }

  override report(id: number, triples: number): boolean {
    for (const other of this.#asks.get(id) ?? []) this.answers.push([other, this.cancel(other)]);
    this.#asks.delete(id);
    return super.report(id, triples);
  }
}

test('a transaction of a group can be cancelled until the group is written, and the result of the cancellation is correct', async () => {
  // The first two are planned when the third is; the second is cancelled then, and the third fails.
  const board = new AskingBoard([[3, [2, 3]]]);
  const store = await openOnBoard(board);
  const { results } = await store.commit([1, 2, 3, 4].map(transaction));
  assert.deepEqual(
    results.map((result) => (result.ok ? 'stored' : result.error.code)),
    ['stored', 'cancelled', 'cancelled', 'stored'],
  );
  assert.deepEqual(board.answers, [
    [2, true],
    [3, true],
  ]);
  for (const id of [1, 4]) assert.equal(board.cancel(id), false);
});

test('a cancelled transaction stores nothing, and the others of its group are committed', async (t) => {
  const board = new CommitBoard();
  const store = await openOn(new NodeDisk(await temporaryDirectory(t)), { commitBoard: board.buffer });
  board.cancel(2);
  const { results, published } = await store.commit([1, 2, 3].map(transaction));
  assert.deepEqual(
    results.map((result) => (result.ok ? 'stored' : result.error.code)),
    ['stored', 'cancelled', 'stored'],
  );
  assert.equal(published?.snapshot.quadCount, 2);
  assert.equal(board.cancel(3), false);
  await store.close();
});

function transaction(id: number): Transaction {
  return { id, preconditions: [], operations: [merge('urn:x:g', `<urn:s> <urn:p> "${id}" .`)] };
}

/** A store in memory. */
async function openOnBoard(board: CommitBoard): Promise<Store> {
  const store = new Store({
    identity: newIdentity(0),
    writer: new SnapshotWriter(),
    graphs: new GraphTable(),
    sequence: 0,
    checkpointed: 0,
    dataMax: 2 ** 31,
    patches: new PatchFiles(),
    bulkRows: Number.POSITIVE_INFINITY,
    durability: null,
    now: Date.now,
    board,
    feed: new ChangeFeedWriter(newChangeFeed(), 0),
  });
  return store;
}
