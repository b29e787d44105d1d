import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ChangeFeedReader, newChangeFeed } from '../../src/snapshot/feed/change-feed.ts';
import { openSnapshot } from '../../src/snapshot/read/reader.ts';
import type { Store } from '../../src/store/thread/store.ts';
import { randomTransaction, toTransaction } from '../simulation/random-transactions.ts';
import { SimDisk, seededRandom } from '../simulation/sim-disk.ts';
import { FeedState } from '../snapshot/feed-state.ts';
import { commit, contentOf, drop, maintain, merge, openOn } from '../support/stores.ts';

/** The quads of a store as a follower that starts now is given them. */
function stateOf(store: Store): FeedState {
  const quads = openSnapshot(store.opened().snapshot).allQuads();
  const rows: number[][] = [];
  while (quads.next()) rows.push([quads.subject, quads.predicate, quads.object, quads.graph]);
  return new FeedState(rows);
}

function linesOf(state: FeedState, store: Store): string[] {
  const { terms } = openSnapshot(store.opened().snapshot);
  return state
    .rows()
    .map((row) => `${row.map((id) => terms.text(id)).join(' ')} .`)
    .sort();
}

function follow(changeFeed: SharedArrayBuffer, store: Store): ChangeFeedReader {
  const { sequence, dictionary } = store.opened().snapshot;
  return new ChangeFeedReader(changeFeed, sequence, dictionary.generation);
}

test('a follower of the change feed has the same data as the store after any commits and maintenance', async () => {
  const random = seededRandom(3);
  const disk = new SimDisk({ seed: 1 });
  await commit(await openOn(disk), merge('urn:x:g0', '<urn:s> <urn:p> "before" .'));
  const changeFeed = newChangeFeed();
  const store = await openOn(disk, { changeFeed, journalMax: 2000 });
  const state = stateOf(store);
  const reader = follow(changeFeed, store);
  for (let i = 0; i < 200; i++) {
    const group = Array.from({ length: 1 + (i % 3) }, () => randomTransaction(random, () => 'none'));
    await store.commit(group.map(toTransaction));
    if (i % 20 === 0) await maintain(store, disk);
    if (random() < 0.5) continue;
    for (let next = reader.next(); next !== undefined; next = reader.next()) {
      assert.ok(next !== 'lost');
      assert.equal(state.take(next), 0);
    }
    assert.equal(reader.sequence, store.opened().snapshot.sequence);
    assert.deepEqual(linesOf(state, store), contentOf(store));
  }
  assert.ok(reader.sequence > 100, `${reader.sequence} commits`);
});

test('a follower learns that term ids changed, and is correct after starting over', async () => {
  const disk = new SimDisk({ seed: 1 });
  const changeFeed = newChangeFeed();
  const store = await openOn(disk, { changeFeed });
  const values = Array.from({ length: 70_000 }, (_, i) => `<urn:s> <urn:p> "value ${i}" .`);
  await commit(store, merge('urn:x:many', values.join('\n')));
  await commit(store, drop('urn:x:many'), merge('urn:x:g', '<urn:a> <urn:p> <urn:b> .'));
  const before = follow(changeFeed, store);
  while ((await maintain(store, disk)) !== 'nothing');
  assert.equal(store.opened().snapshot.dictionary.generation, 1);
  const state = stateOf(store);
  const after = follow(changeFeed, store);
  assert.equal(after.next(), undefined);
  assert.equal(before.next(), 'lost');
  await commit(store, merge('urn:x:g', '<urn:a> <urn:p> "value 7" .'));
  assert.equal(before.next(), 'lost');
  const rows = after.next();
  assert.ok(rows instanceof Uint32Array);
  assert.equal(state.take(rows), 0);
  assert.deepEqual(linesOf(state, store), contentOf(store));
});

test('a commit that the disk rejects is not in the feed', async () => {
  const disk = new SimDisk({ seed: 1 });
  const changeFeed = newChangeFeed();
  const store = await openOn(disk, { changeFeed });
  disk.failNext('sync');
  const operations = [merge('urn:x:g', '<urn:s> <urn:p> "1" .')];
  assert.equal((await store.commit([{ preconditions: [], operations }])).results[0]?.ok, false);
  assert.equal(follow(changeFeed, store).next(), undefined);
});
