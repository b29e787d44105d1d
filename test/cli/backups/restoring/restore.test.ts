import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { backup } from '../../../../src/cli/backup.ts';
import { seededRandom } from '../../../simulation/sim-disk.ts';
import { BackedUpStore, randomHistory, verifyAll } from '../../../support/backed-up-store.ts';
import { KEEP_ALL } from '../../../support/histories.ts';
import { temporaryDirectory } from '../../../support/temporary-directory.ts';

const SEED = Number(process.env['SEED'] ?? 1);

/** Makes backups while commits go on, with checkpoints at intervals. Returns their commits. */
async function backUpWhileWriting(history: BackedUpStore, interval: number): Promise<number[]> {
  let isWriting = true;
  const writing = (async () => {
    for (let i = 0; isWriting; i++) {
      await history.add(`${i}`);
      if (i % interval === 0) await history.maintain();
    }
  })();
  const made: number[] = [];
  for (let round = 0; round < 6; round++) {
    const atStart = history.newest;
    const { commit } = (await history.backUp()).manifest;
    assert.ok(commit >= atStart);
    made.push(commit);
  }
  isWriting = false;
  await writing;
  return made;
}

describe('a restore', () => {
  it('has exactly the state of each commit of a random history', async (context) => {
    const random = seededRandom(SEED);
    const options = { steps: 40, journalMax: 3_000, changesRetention: KEEP_ALL };
    const history = await randomHistory(context, random, options);
    await verifyAll(history, random);
  });

  it('has each commit of a store that wrote, and made checkpoints, during the backups', async (context) => {
    const history = await BackedUpStore.open(context, { journalMax: 600, changesRetention: KEEP_ALL });
    await history.backUp();
    const made = await backUpWhileWriting(history, 3);
    for (let commit = 0; commit <= made.at(-1)!; commit += 1 + (commit % 5)) {
      await history.verify({ kind: 'commit', commit }, commit);
    }
  });

  it('has the state of each backup even if the store keeps no records', async (context) => {
    const history = await BackedUpStore.open(context, { journalMax: 600 });
    const made = await backUpWhileWriting(history, 40);
    for (const commit of made) await history.verify({ kind: 'commit', commit }, commit);
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
