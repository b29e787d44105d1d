import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { historyNotes } from '../../../src/store/check/history-check.ts';
import type { RetentionLimits } from '../../../src/store/history/retention-limits.ts';
import type { Store } from '../../../src/store/thread/store.ts';
import { SimDisk } from '../../simulation/sim-disk.ts';
import { commitBig } from '../../support/big-write.ts';
import { allChanges, KEEP_ALL, pagesInFiles } from '../../support/histories.ts';
import { commit, contentOf, maintain, merge, openOn } from '../../support/stores.ts';

const CHECKPOINT_ALWAYS = { journalMax: 64, changesRetention: KEEP_ALL };
const DAY_MS = 86_400_000;

const add = (store: Store, value: number) => commit(store, merge('urn:x:g', `<urn:s> <urn:p> "${value}" .`));

const commitsIn = async (disk: SimDisk, store: Store) =>
  (await allChanges(pagesInFiles(disk), store)).events.map((event) => event.commit);

const retained = (disk: SimDisk) => disk.names().filter((name) => name.startsWith('changes-'));

/** A store with a checkpoint, a big write and a small one, which is about to have the next. */
async function beforeCheckpoint(seed: number) {
  const disk = new SimDisk({ seed });
  const store = await openOn(disk, CHECKPOINT_ALWAYS);
  await add(store, 1);
  assert.equal(await maintain(store, disk), 'checkpoint');
  const operations = [merge('urn:x:big', '<urn:s> <urn:p> "2" .\n<urn:s> <urn:p> "3" .')];
  assert.ok((await commitBig(store, disk, { preconditions: [], operations })).ok);
  await add(store, 4);
  const { events } = await allChanges(pagesInFiles(disk), store, { rows: true });
  assert.equal(events.length, 3);
  return { disk, store, content: contentOf(store), events };
}

/** Whether the power went before it was done. */
async function interrupted(disk: SimDisk, work: Promise<unknown>): Promise<boolean> {
  await work.catch((error: unknown) => {
    if (!disk.crashed) throw error;
  });
  return disk.crashed;
}

describe('the retention of changes', () => {
  it('loses no commit by a power cut at any step of a checkpoint', async () => {
    for (let seed = 1; seed <= 5; seed++) {
      for (let step = 0, crashed = true; crashed; step++) {
        const { disk, store, content, events } = await beforeCheckpoint(seed);
        disk.crashAfter(step);
        crashed = await interrupted(disk, maintain(store, disk));
        disk.restart();
        const again = await openOn(disk, CHECKPOINT_ALWAYS);
        const found = await allChanges(pagesInFiles(disk), again, { rows: true });
        assert.deepEqual(found.events, events, `seed ${seed}, step ${step}`);
        assert.deepEqual(contentOf(again), content);
      }
    }
  });

  it('nor by a kill at any step of it, and a power cut at any step of the next start', async () => {
    for (let step = 0, killed = true; killed; step++) {
      for (let later = 0, cut = true; cut; later++) {
        const { disk, store, events } = await beforeCheckpoint(step);
        disk.crashAfter(step);
        killed = await interrupted(disk, maintain(store, disk));
        disk.kill();
        disk.crashAfter(later);
        cut = await interrupted(disk, openOn(disk, CHECKPOINT_ALWAYS));
        disk.restart();
        const again = await openOn(disk, CHECKPOINT_ALWAYS);
        const found = await allChanges(pagesInFiles(disk), again, { rows: true });
        assert.deepEqual(found.events, events, `steps ${step} and ${later}`);
      }
    }
  });

  it('lets a start succeed beside damage in it, after a crash that left patch files behind', async () => {
    const { disk, store, content } = await beforeCheckpoint(1);
    while ((await maintain(store, disk)) !== 'nothing');
    await store.close();
    const [log] = retained(disk).filter((name) => name.endsWith('.log'));
    disk.put(log!, disk.bytesOf(log!).subarray(0, 40));
    disk.put('patch-000000000000-0123456789abcdef.rows', new Uint8Array(8));
    const again = await openOn(disk, CHECKPOINT_ALWAYS);
    assert.deepEqual(contentOf(again), content);
    await again.close();
  });

  it('leaves nothing without gaps unreadable by a power cut while the oldest are removed', async () => {
    for (let step = 0, crashed = true; crashed; step++) {
      const { disk, store } = await beforeCheckpoint(step);
      while ((await maintain(store, disk)) !== 'nothing');
      await store.close();
      const settings = { ...CHECKPOINT_ALWAYS, changesRetention: { ...KEEP_ALL, bytes: 600 } };
      disk.crashAfter(step);
      crashed = await interrupted(disk, openOn(disk, settings));
      disk.restart();
      const again = await openOn(disk, settings);
      await add(again, 5);
      const commits = await commitsIn(disk, again);
      assert.equal(commits.at(-1), 4);
      assert.equal(commits.length, commits.at(-1)! - commits[0]! + 1);
      await again.close();
    }
  });

  it('keeps whole files, the newest first, within the number of bytes', async () => {
    const disk = new SimDisk({ seed: 1 });
    const limits: RetentionLimits = { ...KEEP_ALL, bytes: 1000 };
    const store = await openOn(disk, { journalMax: 64, changesRetention: limits });
    for (let i = 1; i <= 20; i++) {
      await add(store, i);
      while ((await maintain(store, disk)) !== 'nothing');
      const bytes = retained(disk).reduce((sum, name) => sum + disk.bytesOf(name).length, 0);
      assert.ok(bytes <= 1000, `${bytes} bytes`);
    }
    const commits = await commitsIn(disk, store);
    assert.ok(commits.length >= 3 && commits.length < 10, commits.join());
    assert.equal(commits.at(-1), 20);
  });

  it('removes files at a checkpoint or start after the time', async () => {
    const disk = new SimDisk({ seed: 1 });
    let time = 0;
    const limits: RetentionLimits = { ...KEEP_ALL, ageMs: 7 * DAY_MS };
    const settings = { journalMax: 64, changesRetention: limits, now: () => time };
    const store = await openOn(disk, settings);
    for (let day = 0; day < 10; day++) {
      time = day * DAY_MS;
      await add(store, day);
      while ((await maintain(store, disk)) !== 'nothing');
    }
    assert.deepEqual(await commitsIn(disk, store), [3, 4, 5, 6, 7, 8, 9, 10]);
    await store.close();
    time = 15 * DAY_MS;
    const again = await openOn(disk, settings);
    assert.deepEqual(await commitsIn(disk, again), [9, 10]);
    await again.close();
  });

  it('removes a patch file with the journal file that names it', async () => {
    const { disk, store } = await beforeCheckpoint(1);
    while ((await maintain(store, disk)) !== 'nothing');
    assert.ok(retained(disk).some((name) => name.endsWith('.rows')));
    await store.close();
    await (await openOn(disk, { changesRetention: { ...KEEP_ALL, bytes: 1 } })).close();
    assert.deepEqual(retained(disk), []);
  });

  it('keeps nothing if the limit is 0, and removes what was kept', async () => {
    const { disk, store } = await beforeCheckpoint(1);
    await store.close();
    const again = await openOn(disk, { journalMax: 64, changesRetention: { ...KEEP_ALL, bytes: 0 } });
    assert.deepEqual(retained(disk), []);
    while ((await maintain(again, disk)) !== 'nothing');
    assert.deepEqual(
      disk.names().filter((name) => /^(?:changes|patch)-/.test(name)),
      [],
    );
  });

  it('adds nothing, and removes nothing, without limits', async () => {
    const { disk, store } = await beforeCheckpoint(1);
    const kept = retained(disk);
    await store.close();
    const again = await openOn(disk, { journalMax: 64 });
    while ((await maintain(again, disk)) !== 'nothing');
    assert.deepEqual(retained(disk), kept);
  });

  it('is read by check, and damage to it is not damage to the data', async () => {
    const { disk, store } = await beforeCheckpoint(1);
    while ((await maintain(store, disk)) !== 'nothing');
    await store.close();
    assert.deepEqual(await historyNotes(disk), []);
    for (const name of retained(disk)) {
      const bytes = disk.bytesOf(name);
      disk.put(name, bytes.with(bytes.length - 5, bytes.at(-5)! ^ 1));
      const notes = await historyNotes(disk);
      assert.equal(notes.length, 1, name);
      assert.match(notes[0]!, /^changes-.*You may delete it\.$/);
      disk.put(name, bytes);
    }
    const again = await openOn(disk, CHECKPOINT_ALWAYS);
    assert.deepEqual(await commitsIn(disk, again), [1, 2, 3]);
    await again.close();
  });

  it('does not show commits before a gap, and removes them', async () => {
    const { disk, store } = await beforeCheckpoint(1);
    await store.close();
    const without = await openOn(disk, { journalMax: 64 });
    while ((await maintain(without, disk)) !== 'nothing');
    await add(without, 5);
    assert.deepEqual(await commitsIn(disk, without), [4]);
    await without.close();
    const again = await openOn(disk, CHECKPOINT_ALWAYS);
    assert.deepEqual(retained(disk), []);
    assert.deepEqual(await commitsIn(disk, again), [4]);
  });
});
