import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Disk } from '../../src/journal/disk/disk.ts';
import type { Store } from '../../src/store/thread/store.ts';
import { SimDisk } from '../simulation/sim-disk.ts';
import { commitBig } from '../support/big-write.ts';
import { allChanges, KEEP_ALL, pagesInFiles } from '../support/histories.ts';
import { commit, maintain, merge, openOn } from '../support/stores.ts';

const CHECKPOINT_ALWAYS = { journalMax: 64, changesRetention: KEEP_ALL };

const add = (store: Store, value: number) => commit(store, merge('urn:x:g', `<urn:s> <urn:p> "${value}" .`));

/** A disk for readers on which something happens before or after one of the calls. */
class InterruptedDisk implements Disk {
  calls = 0;
  readonly #disk: Disk;
  readonly #at: number;
  readonly #happens: () => Promise<unknown>;

  constructor(disk: Disk, at: number, happens: () => Promise<unknown>) {
    this.#disk = disk;
    this.#at = at;
    this.#happens = happens;
  }

  async open(path: string, mode: Parameters<Disk['open']>[1]) {
    await this.#count();
    return this.#disk.open(path, mode);
  }

  async list(directory: string): Promise<string[]> {
    await this.#count();
    return this.#disk.list(directory);
  }

  rename = () => Promise.reject(new Error('A reader renames nothing.'));
  remove = () => Promise.reject(new Error('A reader removes nothing.'));
  syncDirectory = () => Promise.reject(new Error('A reader syncs nothing.'));

  async #count(): Promise<void> {
    if (this.calls++ === this.#at) await this.#happens();
  }
}

/** A store with a retained file, and with a big write between two others in the journal. */
async function openBusy(limits = KEEP_ALL) {
  const disk = new SimDisk({ seed: 1 });
  const store = await openOn(disk, { ...CHECKPOINT_ALWAYS, changesRetention: limits });
  await add(store, 1);
  assert.equal(await maintain(store, disk), 'checkpoint');
  await add(store, 2);
  const operations = [merge('urn:x:big', '<urn:s> <urn:p> "3" .')];
  assert.ok((await commitBig(store, disk, { preconditions: [], operations })).ok);
  await add(store, 4);
  return { disk, store };
}

describe('a reader of the history', () => {
  for (const rows of [false, true]) {
    it(`reads on when a checkpoint moves files at any of its steps (rows: ${rows})`, async () => {
      for (let at = 0, reached = true; reached; at++) {
        const { disk, store } = await openBusy();
        const interrupted = new InterruptedDisk(disk, at, () => maintain(store, disk));
        const { events } = await allChanges(pagesInFiles(interrupted), store, { rows });
        assert.deepEqual(
          events.map((event) => event.commit),
          [1, 2, 3, 4],
          `call ${at}`,
        );
        reached = interrupted.calls > at;
      }
    });
  }

  it('says that the position is gone when its files are removed at any of its steps', async () => {
    for (let at = 0, reached = true; reached; at++) {
      const { disk, store } = await openBusy();
      const removeAll = async () => {
        await maintain(store, disk);
        for (const name of await disk.list('')) if (name.startsWith('changes-')) await disk.remove(name);
      };
      const interrupted = new InterruptedDisk(disk, at, removeAll);
      const pages = pagesInFiles(interrupted);
      await allChanges(pages, store, { rows: true, since: 0 }).catch((error: unknown) => {
        assert.equal((error as { code?: unknown }).code, 'position-gone', `call ${at}: ${error}`);
      });
      reached = interrupted.calls > at;
    }
  });
});
