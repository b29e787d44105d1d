import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Disk } from '../../src/journal/disk/disk.ts';
import { OfflineStore } from '../../src/load/offline-store.ts';
import { SimDisk } from '../simulation/sim-disk.ts';
import { blockOf } from '../support/blocks.ts';
import { allChanges, KEEP_ALL, pagesInFiles } from '../support/histories.ts';
import { oracleLines } from '../support/oxigraph-oracle.ts';
import { commit, contentOf, maintain, merge, openOn } from '../support/stores.ts';

const lock = { lease: undefined, needsFence: false, release: async () => {} };
const file = { file: '/a.nt', graph: 'urn:x:g', bytes: 1, modified: 1 };

async function loadInto(disk: Disk, value: string): Promise<void> {
  const store = await OfflineStore.recover(disk, lock, () => {});
  store.intake.beginFile('urn:x:g', store.blankPrefix(0));
  store.intake.take(blockOf(`<urn:s> <urn:p> "${value}" .`));
  await store.commit([file]);
  await store.close();
}

test('a power cut or a kill at any step of loading leaves the previous data or all of the data', async () => {
  const old = '<urn:s> <urn:p> "old" <urn:x:g> .';
  const added = '<urn:s> <urn:p> "new" <urn:x:g> .';
  for (const end of ['restart', 'kill'] as const) {
    const seen = new Set<number>();
    for (let step = 0, crashed = true; crashed; step++) {
      const disk = new SimDisk({ seed: step + 1 });
      const first = await openOn(disk);
      await commit(first, merge('urn:x:g', '<urn:s> <urn:p> "old" .'));
      await first.close();
      disk.crashAfter(step);
      await loadInto(disk, 'new').catch((error: unknown) => {
        if (!disk.crashed) throw error;
      });
      crashed = disk.crashed;
      disk[end]();
      const store = await openOn(disk);
      const content = contentOf(store);
      assert.deepEqual(content, content.length === 1 ? [old] : [added, old], `${end} at step ${step}`);
      assert.deepEqual(await oracleLines(disk), content);
      seen.add(content.length);
      // The store accepts another commit, and further loading.
      await commit(store, merge('urn:x:g', '<urn:s> <urn:p> "later" .'));
      await store.close();
      await loadInto(disk, 'again');
      assert.equal(contentOf(await openOn(disk)).length, content.length + 2);
    }
    assert.deepEqual(seen, new Set([1, 2]));
  }
});

test('changes from before a load are not shown after it, whatever interrupts it', async () => {
  const keep = { changesRetention: KEEP_ALL };
  for (let step = 0, crashed = true; crashed; step++) {
    const disk = new SimDisk({ seed: step + 1 });
    const first = await openOn(disk, keep);
    await commit(first, merge('urn:x:g', '<urn:s> <urn:p> "old" .'));
    await first.close();
    disk.crashAfter(step);
    await loadInto(disk, 'new').catch((error: unknown) => {
      if (!disk.crashed) throw error;
    });
    crashed = disk.crashed;
    disk.restart();
    const store = await openOn(disk, { ...keep, journalMax: 64 });
    const isLoaded = contentOf(store).length === 2;
    await commit(store, merge('urn:x:g', '<urn:s> <urn:p> "later" .'));
    await maintain(store, disk);
    const { events } = await allChanges(pagesInFiles(disk), store);
    const added = events.reduce((sum, { graphs = [] }) => sum + (graphs[0]?.added ?? 0), 0);
    assert.equal(added, isLoaded ? 1 : 2, `step ${step}`);
    await store.close();
  }
});

test('a failed commit leaves the previous data', async () => {
  const disk = new SimDisk({ seed: 1 });
  await loadInto(disk, 'old');
  const store = await OfflineStore.recover(disk, lock, () => {});
  assert.deepEqual(store.loaded, [file]);
  disk.failNext('append', 'ENOSPC');
  store.intake.beginFile('urn:x:g', store.blankPrefix(0));
  store.intake.take(blockOf('<urn:s> <urn:p> "new" .'));
  await assert.rejects(store.commit([file]), { code: 'ENOSPC' });
  await store.close();
  assert.deepEqual(contentOf(await openOn(disk)), ['<urn:s> <urn:p> "old" <urn:x:g> .']);
});

/** Returns the disk with one failing operation, the one with number `nth`. */
function failingAt(disk: Disk, nth: number): { readonly failing: Disk; readonly failed: () => boolean } {
  let calls = 0;
  const failing = new Proxy(disk, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        if (calls++ === nth) return Promise.reject(Object.assign(new Error('EIO'), { code: 'EIO' }));
        return Reflect.apply(value, target, args) as unknown;
      };
    },
  });
  return { failing, failed: () => calls > nth };
}

test('a failure of any operation of a second load leaves the previous data or all of the data', async () => {
  const old = '<urn:s> <urn:p> "old" <urn:x:g> .';
  const added = '<urn:s> <urn:p> "new" <urn:x:g> .';
  for (let nth = 0, failed = true; failed; nth++) {
    const disk = new SimDisk({ seed: nth + 1 });
    await loadInto(disk, 'old');
    const { failing, failed: hasFailed } = failingAt(disk, nth);
    await loadInto(failing, 'new').catch((error: { code?: string }) => {
      if (!hasFailed()) throw error;
    });
    failed = hasFailed();
    const again = await OfflineStore.recover(disk, lock, () => {});
    assert.deepEqual(again.loaded[0], file, `operation ${nth}: the first file would be loaded again`);
    await again.close();
    const content = contentOf(await openOn(disk));
    assert.deepEqual(content, content.length === 1 ? [old] : [added, old], `operation ${nth}`);
  }
});
