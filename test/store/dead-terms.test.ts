import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSnapshot } from '../../src/snapshot/read/reader.ts';
import type { Store } from '../../src/store/thread/store.ts';
import { SimDisk } from '../simulation/sim-disk.ts';
import { commit, contentOf, drop, maintain, openOn, replace } from '../support/stores.ts';

/** More terms than are dropped at all. */
const VALUES = 40_000;

function lines(round: number): string {
  return Array.from({ length: VALUES }, (_, i) => `<urn:s> <urn:p> "value ${round} ${i}" .`).join('\n');
}

async function maintainAll(store: Store, disk: SimDisk): Promise<void> {
  while ((await maintain(store, disk)) !== 'nothing');
}

test('a graph that is replaced repeatedly takes constant memory, and survives a restart', async () => {
  const disk = new SimDisk({ seed: 1 });
  const store = await openOn(disk);
  await commit(store, replace('urn:kept', '<urn:a> <urn:b> <urn:d> .'));
  const early = openSnapshot(store.opened().snapshot);
  for (let round = 0; round < 6; round++) {
    await commit(store, replace('urn:g', lines(round)));
    await maintainAll(store, disk);
  }
  const { dictionary } = store.opened().snapshot;
  assert.ok(dictionary.generation > 0);
  assert.ok(dictionary.termCount < 3 * VALUES, `${dictionary.termCount} terms of ${6 * VALUES}`);
  await commit(store, drop('urn:g'));
  await maintainAll(store, disk);
  await commit(store, replace('urn:h', lines(2).split('\n').slice(0, 100).join('\n')));
  assert.equal(early.text(early.find('<urn:d>')), '<urn:d>');
  const content = contentOf(store);
  await store.close();
  const again = await openOn(disk);
  assert.deepEqual(contentOf(again), content);
  await again.close();
});
