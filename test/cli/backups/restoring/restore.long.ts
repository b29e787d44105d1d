/** SEED=7 RUNS=20 node --import tsx --test test/cli/backups/restoring/restore.long.ts */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { seededRandom } from '../../../simulation/sim-disk.ts';
import { BackedUpStore, randomHistory, verifyAll } from '../../../support/backed-up-store.ts';
import { KEEP_ALL } from '../../../support/histories.ts';

const SEED = Number(process.env['SEED'] ?? 1);
const RUNS = Number(process.env['RUNS'] ?? 5);

for (let seed = SEED; seed < SEED + RUNS; seed++) {
  it(`each commit of a long random history is restored as it was (seed ${seed})`, async (context) => {
    const random = seededRandom(seed);
    const options = { steps: 250, journalMax: 500 * (1 + (seed % 20)), changesRetention: KEEP_ALL };
    await verifyAll(await randomHistory(context, random, options), random);
  });
}

it('backups copy the segments since the checkpoint as one when they are many', async (context) => {
  const history = await BackedUpStore.open(context);
  let segments = 0;
  for (let i = 1; i <= 70; i++) {
    await history.add(`${i}`);
    const { manifest } = await history.backUp();
    assert.ok(manifest.segments.length <= 65);
    if (manifest.segments.length < segments) assert.equal(manifest.segments.length, 1);
    segments = manifest.segments.length;
  }
  assert.ok(segments < 10);
  for (const commit of [0, 1, 63, 64, 65, 66, 70]) await history.verify({ kind: 'commit', commit }, commit);
});
