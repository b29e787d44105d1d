import assert from 'node:assert/strict';
import { writeCheckpoint } from '../../src/store/checkpoint/write-checkpoint.ts';
import { oracleLines } from '../support/oxigraph-oracle.ts';
import { commit, contentOf, maintain, merge, openOn } from '../support/stores.ts';
import { SimDisk } from './sim-disk.ts';

const CHECKPOINT_ALWAYS = { journalMax: 64 };

/** A store that had one checkpoint and is about to have the next. */
async function beforeCheckpoint(seed: number) {
  const disk = new SimDisk({ seed });
  const store = await openOn(disk, CHECKPOINT_ALWAYS);
  await commit(store, merge('urn:x:g', '<urn:s> <urn:p> "1" .'));
  assert.equal(await maintain(store, disk), 'checkpoint');
  await commit(store, merge('urn:x:g', '<urn:s> <urn:p> "2" .'));
  return { disk, store, content: contentOf(store) };
}

/** Whether the power went before it was done. */
async function interrupted(disk: SimDisk, work: Promise<unknown>): Promise<boolean> {
  await work.catch((error: unknown) => {
    if (!disk.crashed) throw error;
  });
  return disk.crashed;
}

/** a power cut at any step of a checkpoint loses nothing */
export async function cutDuringCheckpoint(): Promise<void> {
  for (let seed = 1; seed <= 10; seed++) {
    for (let step = 0, crashed = true; crashed; step++) {
      const { disk, store, content } = await beforeCheckpoint(seed);
      disk.crashAfter(step);
      crashed = await interrupted(disk, maintain(store, disk));
      disk.restart();
      assert.deepEqual(contentOf(await openOn(disk)), content, `seed ${seed}, step ${step}`);
    }
  }
}

/** nor does one during commits at the end of a checkpoint */
export async function cutDuringCommitsAtItsEnd(): Promise<void> {
  for (let seed = 1; seed <= 10; seed++) {
    for (let step = 0, crashed = true; crashed; step++) {
      const { disk, store, content } = await beforeCheckpoint(seed);
      const wanted = await store.wantedMaintenance();
      assert.ok(wanted?.kind === 'checkpoint');
      const value = await writeCheckpoint(disk, wanted.snapshot, wanted.imageFile);
      disk.crashAfter(step);
      const ending = interrupted(
        disk,
        store.endMaintenance({ kind: 'checkpoint', result: { ok: true, value } }),
      );
      const acknowledged = [...content];
      for (let i = 3; i < 8; i++) {
        const operations = [merge('urn:x:g', `<urn:s> <urn:p> "${i}" .`)];
        const { results } = await store.commit([{ preconditions: [], operations }]);
        if (results[0]?.ok) acknowledged.push(`<urn:s> <urn:p> "${i}" <urn:x:g> .`);
      }
      crashed = (await ending) || disk.crashed;
      disk.restart();
      const found = contentOf(await openOn(disk));
      const unacknowledged = found.slice(acknowledged.length);
      assert.deepEqual(found.slice(0, acknowledged.length), acknowledged, `seed ${seed}, step ${step}`);
      assert.ok(unacknowledged.length <= 1);
    }
  }
}

/** nor does a kill at any step of it, with a power cut at any step of the next start */
export async function killThenCut(): Promise<void> {
  for (let seed = 1; seed <= 2; seed++) {
    for (let step = 0, killed = true; killed; step++) {
      for (let later = 0, cut = true; cut; later++) {
        const { disk, store, content } = await beforeCheckpoint(seed);
        disk.crashAfter(step);
        killed = await interrupted(disk, maintain(store, disk));
        disk.kill();
        disk.crashAfter(later);
        cut = await interrupted(disk, openOn(disk));
        disk.restart();
        const reopened = await openOn(disk);
        assert.deepEqual(contentOf(reopened), content, `seed ${seed}, steps ${step} and ${later}`);
        assert.deepEqual(await oracleLines(disk), content);
      }
    }
  }
}
