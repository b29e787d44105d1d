import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { checkRepository, listBackups } from '../../../src/cli/backups/inventory.ts';
import { backupOnce, type Surroundings } from '../../../src/cli/backups/round.ts';
import { StoredFiles } from '../../../src/cli/backups/stored-files.ts';
import { noDisplay } from '../../../src/cli/work-display.ts';
import type { FileDigest } from '../../../src/pool/file-digest.ts';
import { BackedUpStore } from '../../support/backed-up-store.ts';
import { around, CHECKPOINT_ALWAYS, filled, objectsOf, taskOf } from '../../support/backups.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const A_DAY = { allMs: DAY_MS, dailyMs: 0 };

/** A store with so many backups, half a day apart, each with a checkpoint of its own. */
async function withBackups(context: TestContext, count: number): Promise<BackedUpStore> {
  const history = await BackedUpStore.open(context, CHECKPOINT_ALWAYS);
  for (let i = 1; i <= count; i++) {
    await history.add(`${i}`);
    await history.maintain();
    await history.backUp();
    history.clock += DAY_MS / 2;
  }
  return history;
}

function removing(history: BackedUpStore, others?: Partial<Surroundings>) {
  return backupOnce({ ...taskOf(history), keep: A_DAY }, around(history, others));
}

describe('the removal of stored files', () => {
  it('ends when the lock is lost', async (context) => {
    const files = new StoredFiles(await temporaryDirectory(context));
    await files.begin();
    for (const text of ['a', 'b', 'c']) await files.add([Buffer.from(text)]);
    let left = 1;
    const requireHeld = async () => {
      if (left-- === 0) throw new Error('lost');
    };
    await assert.rejects(files.removeAllBut(new Set(), requireHeld), /lost/);
    assert.equal((await files.digests()).size, 2);
  });
});

describe('a check of a repository', () => {
  it('does not report the files of backups that are removed meanwhile', async (context) => {
    const history = await withBackups(context, 3);
    const { verify } = StoredFiles.prototype;
    let isFirst = true;
    context.mock.method(
      StoredFiles.prototype,
      'verify',
      async function (this: StoredFiles, file: FileDigest) {
        if (isFirst) {
          isFirst = false;
          history.clock += 10 * DAY_MS;
          await history.add('4');
          await history.backUp();
          assert.equal((await removing(history)).removedBackups, 2);
        }
        return verify.call(this, file);
      },
    );
    const { damaged, lines } = await checkRepository(history.repository);
    assert.equal(damaged, false, lines.join('\n'));
  });
});

describe('the removal of backups', () => {
  it('is not brought about by a clock that is ahead once', async (context) => {
    const history = await withBackups(context, 2);
    const { clock } = history;
    history.clock += 40 * DAY_MS;
    assert.equal((await removing(history)).removedBackups, 0);
    history.clock = clock;
    assert.equal((await removing(history)).removedBackups, 0);
    for (const commit of [1, 2]) await history.verify({ kind: 'commit', commit }, commit);
  });

  it('takes what a backup has left that failed', async (context) => {
    const history = await filled(context);
    const show = (what: string) => {
      if (what.startsWith('copying checkpoint')) throw new Error('interrupted');
    };
    await assert.rejects(backupOnce(taskOf(history), around(history, { display: { show } })), /interrupted/);
    const draft = join(history.repository, 'backups', '20261123T000000000Z-000000000004.json.0f.new');
    await writeFile(draft, 'draft');
    await history.add('5');
    await history.backUp();
    assert.equal((await readdir(join(history.repository, 'backups'))).length, 1);
    const [summary] = (await checkRepository(history.repository)).lines;
    const { length } = await objectsOf(history.repository);
    assert.equal(summary, `backups: 1; stored files: ${length}`);
  });

  it('makes room on a full disk for a backup', async (context) => {
    const history = await withBackups(context, 6);
    await history.put('urn:x:r', 'text');
    let isFull = true;
    const show = (what: string) => {
      if (!isFull || !what.startsWith('copying content')) return;
      isFull = false;
      throw Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' });
    };
    const { removedBackups } = await removing(history, { display: { ...noDisplay, show } });
    assert.equal(removedBackups, 3);
    for (const digest of history.states.get(7)!.contents) history.saved.add(digest);
    await history.verify({ kind: 'commit', commit: 7 }, 7);
    assert.equal((await checkRepository(history.repository)).damaged, false);
    assert.match((await listBackups(history.repository))[0]!, /: 4$/);
  });
});
