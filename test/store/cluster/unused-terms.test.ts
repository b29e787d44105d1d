import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ChangeFeedReader, newChangeFeed } from '../../../src/snapshot/feed/change-feed.ts';
import { openSnapshot } from '../../../src/snapshot/read/reader.ts';
import { carryOut } from '../../../src/snapshot/runs/compact.ts';
import { writeCheckpoint } from '../../../src/store/checkpoint/write-checkpoint.ts';
import { StateDigest } from '../../../src/store/cluster/state-digest.ts';
import type { Maintenance } from '../../../src/store/messages.ts';
import { patchTime } from '../../../src/store/patch/patch.ts';
import type { Store } from '../../../src/store/thread/store.ts';
import { receiveAll, type SharedProcess, SharedStores } from '../../support/shared-stores.ts';
import { commit, drop, maintain, merge, replace } from '../../support/stores.ts';

const LEAST = 100;
const options = { journalMax: 64, leastDead: LEAST };

const values = (from: number, count = 5000) =>
  replace(
    'urn:x:g',
    Array.from({ length: count }, (_, i) => `<urn:s> <urn:p> "value ${from + i}" .`).join('\n'),
  );

/** Everything that must be equal in all processes. */
function viewOf({ store }: SharedProcess) {
  const { snapshot, graphs } = store.opened();
  const { termCount } = snapshot.dictionary;
  const { terms } = openSnapshot(snapshot);
  return {
    sequence: snapshot.sequence,
    terms: Array.from({ length: termCount }, (_, index) => terms.text(index + 1)),
    digest: StateDigest.of(snapshot).text(termCount),
    graphs: new Map(graphs),
  };
}

/** Writes a checkpoint that was begun, and installs it. */
async function end({ store, disk }: SharedProcess, wanted: Maintenance | undefined): Promise<void> {
  assert.ok(wanted?.kind === 'checkpoint', wanted?.kind);
  const value = await writeCheckpoint(disk, wanted.snapshot, wanted.imageFile);
  await store.endMaintenance({ kind: 'checkpoint', result: { ok: true, value } });
}

async function maintainAll({ store, disk }: SharedProcess): Promise<void> {
  while ((await maintain(store, disk)) !== 'nothing');
}

const generationOf = (store: Store) => store.snapshot.dictionary.generation;

/** A process with a checkpoint of 5,000 values, and 5,000 others after it. */
async function changed(): Promise<[SharedProcess, SharedStores]> {
  const stores = new SharedStores();
  const a = await stores.open(true, options);
  await commit(a.store, merge('urn:x:kept', '<urn:a> <urn:b> "kept" .'));
  await commit(a.store, values(0));
  await maintainAll(a);
  assert.equal(generationOf(a.store), 0);
  await commit(a.store, values(10_000));
  return [a, stores];
}

describe('the unused terms of a shared log', () => {
  it('are dropped by all processes at the same commit, whenever they join', async () => {
    const [a, stores] = await changed();
    const b = await stores.open(true);
    const wanted = await a.store.wantedMaintenance();
    const fromOldCheckpoint = await stores.open(false);
    await end(a, wanted);
    const fromNewCheckpoint = await stores.open(false);
    await commit(b.store, values(20_000, 3));
    const all = [a, b, fromOldCheckpoint, fromNewCheckpoint];
    for (const each of all) await receiveAll(each);
    const view = viewOf(a);
    for (const each of all) assert.deepEqual(viewOf(each), view);
    assert.equal(view.sequence, 5);
    assert.ok(view.terms.length < 5020, `${view.terms.length} terms`);
    assert.deepEqual(
      all.map(({ store }) => generationOf(store)),
      [1, 1, 1, 0],
    );
  });

  it('are dropped again when there are many new ones', async () => {
    const [a, stores] = await changed();
    const b = await stores.open(false);
    for (let from = 20_000; from < 80_000; from += 10_000) {
      await commit(a.store, values(from));
      await maintainAll(a);
      await receiveAll(b);
      assert.deepEqual(viewOf(b), viewOf(a));
    }
    assert.ok(generationOf(a.store) > 2);
    assert.ok(a.store.snapshot.dictionary.termCount < 10_020);
  });

  it('are dropped when most of the data were removed', async () => {
    const [a] = await changed();
    await maintainAll(a);
    await commit(a.store, drop('urn:x:g'));
    await maintainAll(a);
    assert.ok(a.store.snapshot.dictionary.termCount < 10);
  });

  it('are kept while there are few', async () => {
    const stores = new SharedStores();
    const a = await stores.open(true, options);
    await commit(a.store, values(0));
    await commit(a.store, values(0, 4950));
    await maintainAll(a);
    assert.equal(generationOf(a.store), 0);
    assert.equal(stores.log.last, 2);
  });

  it('are kept while the log cannot be reached, and dropped later', async () => {
    const [a, stores] = await changed();
    a.log.isConnected = false;
    await maintainAll(a);
    assert.equal(a.store.failure, undefined);
    assert.equal(generationOf(a.store), 0);
    a.log.isConnected = true;
    await maintainAll(a);
    assert.equal(stores.log.last, 4);
    assert.equal(generationOf(a.store), 1);
  });

  it('are kept if another process committed first, and dropped with the next checkpoint', async () => {
    const [a, stores] = await changed();
    const b = await stores.open(true);
    await commit(b.store, merge('urn:x:kept', '<urn:a> <urn:b> "more" .'));
    await maintainAll(a);
    assert.equal(generationOf(a.store), 0);
    await commit(a.store, merge('urn:x:kept', '<urn:a> <urn:b> "most" .'));
    await maintainAll(a);
    assert.equal(generationOf(a.store), 1);
    await receiveAll(b);
    assert.deepEqual(viewOf(b), viewOf(a));
  });

  it('are dropped during a compaction, whose result is then discarded', async () => {
    const [a, stores] = await changed();
    const b = await stores.open(false);
    const compacting = await b.store.wantedMaintenance();
    assert.ok(compacting?.kind === 'compact');
    await maintainAll(a);
    await receiveAll(b);
    const value = carryOut(compacting.compaction);
    assert.equal(await b.store.endMaintenance({ kind: 'compact', result: { ok: true, value } }), null);
    await maintainAll(b);
    assert.deepEqual(viewOf(b), viewOf(a));
  });

  it('make readers of the change feed start over, and the new ids are published at once', async () => {
    const stores = new SharedStores();
    const a = await stores.open(true, options);
    const changeFeed = newChangeFeed({ rows: 64, commits: 16 });
    const b = await stores.open(false, { changeFeed });
    await commit(a.store, values(0));
    await commit(a.store, values(0, 1));
    await receiveAll(b);
    const reader = new ChangeFeedReader(changeFeed, 2, 0);
    await maintainAll(a);
    await commit(a.store, merge('urn:x:g', '<urn:s> <urn:p> "last" .'));
    const published: (readonly [number, number])[] = [];
    await b.store.receive(({ snapshot }) =>
      published.push([snapshot.sequence, snapshot.dictionary.generation]),
    );
    assert.deepEqual(published, [
      [3, 1],
      [4, 1],
    ]);
    assert.equal(reader.next(), 'lost');
    const again = new ChangeFeedReader(changeFeed, 3, 1);
    assert.equal((again.next() as Uint32Array).length, 4);
  });

  it('are dropped by a commit that is not newer than the one before, whatever the clocks are', async () => {
    let time = 1_000_000_000_000;
    const stores = new SharedStores();
    const a = await stores.open(true, { ...options, now: () => time });
    await commit(a.store, values(0));
    await commit(a.store, values(10_000));
    time = 2_000_000_000_000;
    await maintainAll(a);
    const joined = await stores.open(true, { now: () => 1_000_000_000_001 });
    await commit(joined.store, merge('urn:x:h', '<urn:s> <urn:p> "1" .'));
    assert.deepEqual(
      stores.log.history.map(({ payload }) => patchTime(payload)! - 1_000_000_000_000),
      [0, 0, 0, 1],
    );
  });

  it('are dropped before a checkpoint begins, and the new snapshot is passed on', async () => {
    const [a] = await changed();
    const published: number[] = [];
    await a.store.wantedMaintenance(({ snapshot }) => published.push(snapshot.sequence));
    assert.deepEqual(published, [4]);
  });
});
