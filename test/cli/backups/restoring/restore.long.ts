/** SEED=7 RUNS=20 node --import tsx --test test/cli/backups/restoring/restore.long.ts */
import { it } from 'node:test';
import { seededRandom } from '../../../simulation/sim-disk.ts';
import { randomHistory, verifyAll } from '../../../support/backed-up-store.ts';
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
