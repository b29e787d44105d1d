import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { backup } from '../../../src/cli/backup.ts';
import { seededRandom } from '../../simulation/sim-disk.ts';
import { BackedUpStore, randomHistory, verifyAll } from '../../support/backed-up-store.ts';
import { KEEP_ALL } from '../../support/histories.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const SEED = Number(process.env['SEED'] ?? 1);

describe('a restore', () => {
  it('has exactly the state of each commit of a random history', async (context) => {
    const random = seededRandom(SEED);
    const options = { steps: 40, journalMax: 3_000, changesRetention: KEEP_ALL };
    const history = await randomHistory(context, random, options);
    await verifyAll(history, random);
  });

  it('is also one of a plain copy, to the commits of its journal', async (context) => {
    const history = await BackedUpStore.open(context, { journalMax: 64 });
    await history.add('1');
    await history.maintain();
    for (const value of ['2', '3', '4']) await history.add(value);
    const copy = join(await temporaryDirectory(context), 'copy');
    await backup(history.directory, copy);
    for (const commit of [1, 2, 3, 4]) await history.verify({ kind: 'commit', commit }, commit, copy);
    const { time } = history.states.get(3)!;
    await history.verify({ kind: 'time', time }, 3, copy);
    await assert.rejects(history.verify({ kind: 'commit', commit: 5 }, 5, copy), {
      code: 'not-found',
      message: /These commits can be restored: 1 to 4\./,
    });
  });
});
