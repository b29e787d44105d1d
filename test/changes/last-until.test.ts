import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Commits } from '../../src/changes/thread/commit-source.ts';
import { newChangeFeed } from '../../src/snapshot/feed/change-feed.ts';
import { openSnapshot } from '../../src/snapshot/read/reader.ts';
import { SimDisk, seededRandom } from '../simulation/sim-disk.ts';
import { commitsInFiles, KEEP_ALL } from '../support/histories.ts';
import { commit, maintain, merge, openOn } from '../support/stores.ts';

it('the last commit until a time is found in files and in the ring', async () => {
  const random = seededRandom(3);
  const disk = new SimDisk({ seed: 3 });
  let now = 1_000;
  const changeFeed = newChangeFeed();
  const settings = { journalMax: 1000, changesRetention: KEEP_ALL, changeFeed, now: () => now };
  const store = await openOn(disk, settings);
  const times = new Map<number, number>();
  for (let i = 0; i < 60; i++) {
    now += Math.floor(random() * 3) * 500;
    await commit(store, merge('urn:g', `<urn:a> <urn:b> "${i}" .`));
    times.set(store.opened().snapshot.sequence, now);
    if (i % 7 === 0) await maintain(store, disk);
  }
  assert.ok((await disk.list('')).filter((name) => name.startsWith('changes-')).length > 3);
  const snapshot = openSnapshot(store.opened().snapshot);
  for (const commits of [
    commitsInFiles(disk),
    new Commits(changeFeed, disk),
    new Commits(changeFeed, null),
  ]) {
    for (let time = 0; time < now + 2000; time += 250) {
      const until = [...times].filter(([, its]) => its <= time).at(-1) ?? [...times][0]!;
      const found = await commits.lastUntil(time, snapshot);
      assert.deepEqual([found?.sequence, found?.time], until, `time ${time}`);
    }
  }
});

it('nothing is found where no commit is kept', async () => {
  const store = await openOn(new SimDisk({ seed: 1 }));
  assert.equal(await commitsInFiles(null).lastUntil(1, openSnapshot(store.opened().snapshot)), undefined);
});
