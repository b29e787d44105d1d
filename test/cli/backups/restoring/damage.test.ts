import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { checkRepository } from '../../../../src/cli/backups/inventory.ts';
import { type Manifest, manifestText, parseManifest } from '../../../../src/cli/backups/manifest.ts';
import { BackedUpStore } from '../../../support/backed-up-store.ts';
import { CHECKPOINT_ALWAYS } from '../../../support/backups.ts';

/** What `read` of this gives is an error of the disk. */
const UNREADABLE = '/proc/self/mem';

function fileOf({ repository }: BackedUpStore, digest: string): string {
  return join(repository, 'objects', digest.slice(0, 2), digest);
}

function imageOf({ base }: Manifest): string {
  return base.files.find(({ name }) => name.endsWith('.image'))!.digest;
}

/** Two checkpoints, with records from the first one on. */
async function twoCheckpoints(context: TestContext) {
  const history = await BackedUpStore.open(context, CHECKPOINT_ALWAYS);
  const manifests: Manifest[] = [];
  for (const value of ['1', '2']) {
    await history.add(value);
    await history.maintain();
    await history.add(`${value} and more`);
    manifests.push((await history.backUp()).manifest);
  }
  return { history, first: manifests[0]!, second: manifests[1]! };
}

async function damage(path: string): Promise<void> {
  const bytes = await readFile(path);
  bytes[bytes.length >> 1]! ^= 1;
  await writeFile(path, bytes);
}

describe('a restore from damaged backups', () => {
  it('uses an earlier checkpoint, and the records since', async (context) => {
    const { history, first, second } = await twoCheckpoints(context);
    await damage(fileOf(history, imageOf(second)));
    for (const commit of [1, 2, 3, 4]) await history.verify({ kind: 'commit', commit }, commit);
    await damage(fileOf(history, imageOf(first)));
    const error = { code: 'data-damaged', message: new RegExp(`${imageOf(second)} is damaged`) };
    await assert.rejects(history.verify({ kind: 'commit', commit: 4 }, 4), error);
  });

  it('does not write files that are none of a checkpoint', async (context) => {
    const { second } = await twoCheckpoints(context);
    const files = second.base.files.map((file) => ({ ...file, name: '../other.image' }));
    const text = manifestText({ ...second, base: { ...second.base, files } });
    assert.throws(() => parseManifest('x.json', text), { code: 'data-damaged', message: /other\.image/ });
  });

  const skip = !existsSync(UNREADABLE);
  it('takes a file that the disk does not read as damaged, and so does check', { skip }, async (context) => {
    const { history, second } = await twoCheckpoints(context);
    const path = fileOf(history, imageOf(second));
    await rm(path);
    await symlink(UNREADABLE, path);
    const { lines, damaged } = await checkRepository(history.repository);
    assert.ok(damaged && lines.some((line) => line.endsWith(`needs ${imageOf(second)}`)));
    await history.verify({ kind: 'commit', commit: 4 }, 4);
  });
});
