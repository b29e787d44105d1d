import assert from 'node:assert/strict';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { contentPath } from '../../../src/store/content/referenced-content.ts';
import { BackedUpStore } from '../../support/backed-up-store.ts';
import { filled, objectsOf } from '../../support/backups.ts';
import { merge } from '../../support/stores.ts';

describe('a backup of a damaged data directory', () => {
  it('leaves out content that is missing, says so, and has everything else', async (context) => {
    const history = await BackedUpStore.open(context);
    await history.put('urn:x:a', 'one');
    await history.put('urn:x:b', 'two');
    await history.put('urn:x:c', 'three');
    const [missing = '', other = ''] = history.states.get(3)!.contents;
    for (const digest of [missing, other]) await rm(join(history.directory, contentPath(digest)));
    await history.backUp();
    const notices = history.notices.join('\n');
    for (const digest of [missing, other]) {
      assert.match(notices, new RegExp(`${digest} is missing. It is not in this backup`));
    }
    assert.doesNotMatch(notices, /stored and removed again/);
    await history.verify({ kind: 'commit', commit: 3 }, 3);
    await history.backUp();
  });

  it('goes on from the checkpoint if the retained history is damaged', async (context) => {
    const history = await filled(context);
    await history.backUp();
    await history.add('5');
    await history.big(merge('urn:x:big', '<urn:s> <urn:p> "6" .\n<urn:s> <urn:p> "7" .'));
    await history.maintain();
    const names = (await readdir(history.directory)).filter((name) => name.startsWith('changes-'));
    const name = names.findLast((each) => each.endsWith('.log'))!;
    const path = join(history.directory, name);
    const bytes = await readFile(path);
    bytes[bytes.length - 1]! ^= 1;
    await writeFile(path, bytes);
    await history.add('7');
    const { manifest } = await history.backUp();
    assert.deepEqual(manifest.gap, { first: 5, last: 5 });
    assert.match(
      history.notices.join('\n'),
      /A new history begins, since the last one can't be continued: changes-/,
    );
    for (const commit of [4, 6, 7]) await history.verify({ kind: 'commit', commit }, commit);
    await history.add('8');
    assert.equal((await history.backUp()).manifest.chain, manifest.chain);
  });
});

describe('a backup after stored files were deleted', () => {
  async function deleteAll({ repository }: BackedUpStore): Promise<void> {
    for (const object of await objectsOf(repository)) await rm(join(repository, 'objects', object));
  }

  it('has all commits since that the server still has', async (context) => {
    const history = await filled(context);
    const before = await history.backUp();
    await deleteAll(history);
    history.clock -= 3_600_000;
    await history.add('5');
    await history.maintain();
    await history.add('6');
    const { manifest } = await history.backUp();
    assert.deepEqual([manifest.chain, manifest.gap], [before.manifest.chain, undefined]);
    assert.ok(manifest.time > before.manifest.time);
    for (const commit of [5, 6]) await history.verify({ kind: 'commit', commit }, commit);
    assert.equal((await history.backUp()).addedBytes, 0);
  });

  it('says which commits since then are lost', async (context) => {
    const history = await BackedUpStore.open(context, { journalMax: 64 });
    await history.add('1');
    await history.backUp();
    await deleteAll(history);
    for (const value of ['2', '3', '4']) await history.add(value);
    await history.maintain();
    assert.deepEqual((await history.backUp()).manifest.gap, { first: 2, last: 3 });
  });
});
