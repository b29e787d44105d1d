import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { recoverSharedStore } from '../../../src/store/recovery/open-shared.ts';
import { SimDisk } from '../../simulation/sim-disk.ts';
import { type SharedProcess, SharedStores } from '../../support/shared-stores.ts';
import { commit, contentOf, maintain, merge, orderedContentOf } from '../../support/stores.ts';

const settings = { journalMax: 64, dataMax: 2 ** 31, recover: false };

async function commitAndCheckpoint({ store, disk }: SharedProcess, value: number): Promise<void> {
  await commit(store, merge('urn:x:g', `<urn:s> <urn:p> "${value}" .`));
  assert.equal(await maintain(store, disk), 'checkpoint');
}

describe('a process that joins others', () => {
  it('starts from their newest checkpoint and follows the log from there', async () => {
    const stores = new SharedStores();
    const writer = await stores.open(true, settings);
    for (let value = 1; value <= 3; value++) await commitAndCheckpoint(writer, value);
    assert.equal(stores.log.purged, 2);
    await commit(writer.store, merge('urn:x:g', '<urn:s> <urn:p> "4" .'));
    const { store } = await stores.open(false);
    assert.equal(store.snapshot.sequence, 4);
    assert.equal(orderedContentOf(store), orderedContentOf(writer.store));
    assert.deepEqual(store.opened(), { ...writer.store.opened(), snapshot: store.snapshot });
  });

  it('starts again if the log is purged while it loads', async () => {
    const stores = new SharedStores();
    const writer = await stores.open(true, settings);
    await commitAndCheckpoint(writer, 1);
    const disk = new SimDisk({ seed: 1 });
    const given = stores.checkpoints.on(disk);
    let fetches = 0;
    const fetch = async () => {
      await given.fetch(disk);
      if (fetches++ > 0) return;
      for (let value = 2; value <= 4; value++) await commitAndCheckpoint(writer, value);
    };
    const shared = { log: stores.log.open(), identity: stores.log.identity };
    const store = await recoverSharedStore(disk, { ...shared, checkpoints: { ...given, fetch } }, settings);
    assert.equal(fetches, 2);
    assert.deepEqual(contentOf(store), contentOf(writer.store));
  });

  it('fetches the checkpoint again if the copy in its directory is damaged', async () => {
    const stores = new SharedStores();
    const writer = await stores.open(true, settings);
    await commitAndCheckpoint(writer, 1);
    const { disk } = await stores.open(false);
    const image = disk.names().find((name) => name.endsWith('.image'))!;
    const bytes = Uint8Array.from(disk.bytesOf(image));
    bytes[bytes.length >> 1]! ^= 1;
    disk.put(image, bytes);
    const given = stores.checkpoints.on(disk);
    const fetch = async () => {
      const hasFiles = disk.names().some((name) => name.startsWith('checkpoint-'));
      if (!hasFiles) await given.fetch(disk);
    };
    const shared = { log: stores.log.open(), identity: stores.log.identity };
    const store = await recoverSharedStore(disk, { ...shared, checkpoints: { ...given, fetch } }, settings);
    assert.deepEqual(contentOf(store), contentOf(writer.store));
  });

  it('does not start if a record is missing', async () => {
    const stores = new SharedStores();
    const { store } = await stores.open(true);
    for (let value = 1; value <= 3; value++) {
      await commit(store, merge('urn:x:g', `<urn:s> <urn:p> "${value}" .`));
    }
    stores.log.damage(2, 'hole');
    await assert.rejects(stores.open(false), { code: 'data-damaged', message: /Record 2 is missing/ });
  });

  it('does not start if its data would not be those of the writer', async () => {
    const stores = new SharedStores();
    const { log } = await stores.open(true);
    const payload = Buffer.from('H time "1760000000000" .\nTX .\nTC .\n');
    await log.append([{ sequence: 1, payload: [payload] }], '7.7.0123456789abcdef');
    await assert.rejects(stores.open(false), { code: 'data-damaged', message: /instead of 7\.7\./ });
  });
});
