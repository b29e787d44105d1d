import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AppError } from '../../../src/errors.ts';
import { JournalMeter } from '../../../src/journal/meter.ts';
import { writeCheckpoint } from '../../../src/store/checkpoint/write-checkpoint.ts';
import { CommitBoard } from '../../../src/store/commit-board.ts';
import type { Store } from '../../../src/store/thread/store.ts';
import { receiveAll, type SharedProcess, SharedStores } from '../../support/shared-stores.ts';
import {
  commit,
  commitIf,
  contentOf,
  drop,
  maintain,
  merge,
  orderedContentOf,
  replace,
} from '../../support/stores.ts';

const triple = (value: number | string) => merge('urn:x:g', `<urn:s> <urn:p> "${value}" .`);
const line = (value: number | string) => `<urn:s> <urn:p> "${value}" <urn:x:g> .`;

async function tryCommit(store: Store, ...operations: ReturnType<typeof triple>[]) {
  const { results } = await store.commit([{ preconditions: [], operations }]);
  return results[0]!;
}

async function two(): Promise<[SharedProcess, SharedProcess, SharedStores]> {
  const stores = new SharedStores();
  return [await stores.open(true), await stores.open(true), stores];
}

describe('a store with a shared log', () => {
  it('only commits while its process is the writer', async () => {
    const { store } = await new SharedStores().open(false);
    const refused = await tryCommit(store, triple(1));
    assert.ok(!refused.ok && refused.error.code === 'unavailable');
    store.shared!.setWriter(true);
    await commit(store, triple(1));
    assert.deepEqual(contentOf(store), [line(1)]);
  });

  it('takes in what others have committed', async () => {
    const [a, b] = await two();
    await commit(a.store, triple(1));
    await commit(a.store, triple(2), triple('two'));
    await receiveAll(b);
    assert.equal(orderedContentOf(b.store), orderedContentOf(a.store));
    assert.deepEqual(b.store.opened().graphs, a.store.opened().graphs);
    assert.equal(b.store.snapshot.sequence, 2);
  });

  it('plans again on what came first, so that preconditions are checked again', async () => {
    const [a, b] = await two();
    await commit(a.store, triple(1));
    const refused = await commitIf(b.store, { graph: 'urn:x:g', noneMatch: '*' }, triple(2));
    assert.ok(!refused.ok && refused.error.code === 'precondition-failed');
    assert.deepEqual(contentOf(b.store), [line(1)]);
    const { sequence } = await commit(b.store, triple(2));
    assert.equal(sequence, 2);
  });

  it('finds out that others came first even if there is nothing to change', async () => {
    const [a, b] = await two();
    await commit(a.store, triple(1));
    await receiveAll(b);
    await commit(a.store, replace('urn:x:g', '<urn:s> <urn:p> "2" .'));
    const { sequence, outcomes } = await commit(b.store, triple(1));
    assert.deepEqual([sequence, outcomes[0]!.added], [3, 1]);
    assert.deepEqual(contentOf(b.store), [line(1), line(2)]);
  });

  it('publishes what came first, together with its own commit', async () => {
    const [a, b] = await two();
    await commit(a.store, merge('urn:x:other', '<urn:s> <urn:p> "1" .'));
    const { published } = await b.store.commit([{ preconditions: [], operations: [triple(2)] }]);
    assert.equal(published!.snapshot.sequence, 2);
    assert.deepEqual(
      published!.graphs.map(([name]) => name),
      ['urn:x:other', 'urn:x:g'],
    );
  });

  it('rejects groups while the log cannot be reached, and goes on afterwards', async () => {
    const [a] = await two();
    a.log.isConnected = false;
    const refused = await tryCommit(a.store, triple(1));
    assert.ok(!refused.ok && refused.error.code === 'unavailable');
    assert.equal(a.store.failure, undefined);
    a.log.isConnected = true;
    await commit(a.store, triple(2));
    assert.deepEqual(contentOf(a.store), [line(2)]);
  });

  it('does not let a transaction be cancelled once it was appended, also if it is planned again', async () => {
    const stores = new SharedStores();
    const a = await stores.open(true);
    const board = new CommitBoard();
    const b = await stores.open(true, { commitBoard: board.buffer });
    await commit(a.store, triple(1));
    const committing = b.store.commit([{ id: 7, preconditions: [], operations: [triple(2)] }]);
    assert.equal(board.cancel(7), false);
    const { results } = await committing;
    assert.ok(results[0]!.ok);
    assert.deepEqual(contentOf(b.store), [line(1), line(2)]);
  });

  it('never gives a commit an earlier time than the one before', async () => {
    const stores = new SharedStores();
    const a = await stores.open(true, { now: () => 2_000_000_000_000 });
    const b = await stores.open(true, { now: () => 1_000_000_000_000 });
    await commit(a.store, triple(1));
    await commit(b.store, merge('urn:x:h', '<urn:s> <urn:p> "2" .'));
    const joined = await stores.open(true, { now: () => 1_000_000_000_000 });
    await commit(joined.store, merge('urn:x:i', '<urn:s> <urn:p> "3" .'));
    const times = joined.store.opened().graphs.map(([, info]) => info!.modified);
    assert.deepEqual(new Set(times), new Set([2_000_000_000_000]));
  });

  it('never does so after a checkpoint whose newest commit has removed a graph', async () => {
    const stores = new SharedStores();
    const a = await stores.open(true, { journalMax: 64, now: () => 2_000_000_000_000 });
    await commit(a.store, triple(1));
    await commit(a.store, drop('urn:x:g'));
    assert.equal(await maintain(a.store, a.disk), 'checkpoint');
    const joined = await stores.open(true, { now: () => 1_000_000_000_000 });
    assert.equal(joined.store.snapshot.sequence, 2);
    await commit(joined.store, triple(2));
    const times = joined.store.opened().graphs.map(([, info]) => info!.modified);
    assert.deepEqual(new Set(times), new Set([2_000_000_000_000]));
  });

  it('asks for the checkpoints of an earlier writer before it begins one, once', async () => {
    const stores = new SharedStores();
    let refreshes = 0;
    const on = stores.checkpoints.on.bind(stores.checkpoints);
    stores.checkpoints.on = (disk) => ({
      ...on(disk),
      refresh: async () => {
        refreshes++;
      },
    });
    const { store, disk } = await stores.open(true, { journalMax: 64 });
    const seen: number[] = [];
    for (const value of [1, 2]) {
      await commit(store, triple(value));
      assert.equal(await maintain(store, disk), 'checkpoint');
      seen.push(refreshes);
    }
    store.shared!.setWriter(false);
    store.shared!.setWriter(true);
    await commit(store, triple(3));
    assert.equal(await maintain(store, disk), 'checkpoint');
    assert.deepEqual([...seen, refreshes], [1, 1, 2]);
  });

  it('goes on when what the processes share is refused as configured in another way', async () => {
    const stores = new SharedStores();
    const on = stores.checkpoints.on.bind(stores.checkpoints);
    const refused = () => Promise.reject(new AppError('bad-arguments', 'num_replicas is 5 instead of 3'));
    stores.checkpoints.on = (disk) => ({ ...on(disk), refresh: refused, install: refused });
    const { store, disk } = await stores.open(true, { journalMax: 64 });
    await commit(store, triple(1));
    const wanted = await store.wantedMaintenance();
    assert.ok(wanted?.kind === 'checkpoint');
    // Operators are told of the checkpoint that fails; an error before would disable writes.
    const value = await writeCheckpoint(disk, wanted.snapshot, wanted.imageFile);
    const ended = store.endMaintenance({ kind: 'checkpoint', result: { ok: true, value } });
    await assert.rejects(ended, { code: 'bad-arguments' });
    await commit(store, triple(2));
    assert.deepEqual(contentOf(store), [line(1), line(2)]);
  });

  it('counts conflicts, and the transactions that it plans again', async () => {
    const stores = new SharedStores();
    const a = await stores.open(true);
    const journalMeter = new JournalMeter();
    const b = await stores.open(true, { journalMeter: journalMeter.buffer });
    await commit(a.store, triple(1));
    const transactions = [2, 3].map((n) => ({ preconditions: [], operations: [triple(n)] }));
    const { results } = await b.store.commit(transactions);
    assert.ok(results.every(({ ok }) => ok));
    assert.deepEqual([journalMeter.conflicts, journalMeter.replans], [1, 2]);
  });
});

describe('a store that can no longer follow its shared log', () => {
  async function requireOut({ store }: SharedProcess, reason: RegExp): Promise<void> {
    assert.match(store.shared!.diverged!.message, reason);
    const refused = await tryCommit(store, triple('late'));
    assert.ok(!refused.ok && refused.error.code === 'writes-disabled');
    assert.equal(store.shared!.hasForeign, false);
  }

  it('says so if a record was changed', async () => {
    const [a, b, { log }] = await two();
    await commit(a.store, triple(1));
    await receiveAll(b);
    await commit(a.store, triple(2));
    log.damage(2, 'byte');
    await receiveAll(b);
    await requireOut(b, /Record 2 was changed/);
    assert.deepEqual(contentOf(b.store), [line(1)]);
  });

  it('says so if a record is missing, when it wants to write, too', async () => {
    const [a, b, { log }] = await two();
    await commit(a.store, triple(1));
    await commit(a.store, triple(2));
    log.damage(1, 'hole');
    const refused = await tryCommit(b.store, triple(3));
    assert.ok(!refused.ok && refused.error.code === 'writes-disabled');
    await requireOut(b, /Record 1 is missing/);
  });

  it('says so if its data are not those of the writer', async () => {
    const [a, b, { log }] = await two();
    await commit(a.store, triple(1));
    await receiveAll(b);
    const other = log.open();
    await other.replay(1, () => {});
    const payload = Buffer.from('H time "1760000000000" .\nTX .\nTC .\n');
    await other.append([{ sequence: 2, payload: [payload] }], '1.5.0123456789abcdef');
    await receiveAll(b);
    await requireOut(b, /wrote commit 2 \(1\.5\.[0-9a-f]{16} instead of 1\.5\.0123456789abcdef\)/);
    assert.deepEqual(contentOf(b.store), [line(1)]);
  });
});
