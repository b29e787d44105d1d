import assert from 'node:assert/strict';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { backup } from '../../src/cli/backup.ts';
import { check } from '../../src/cli/check.ts';
import { NodeDisk, openNodeDisk } from '../../src/journal/disk/node-disk.ts';
import type { Store } from '../../src/store/thread/store.ts';
import { withoutTokens } from '../support/checkpoint-names.ts';
import { commit, contentOf, maintain, merge, openOn, putContent, replace } from '../support/stores.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

/** Every transaction writes its number to two graphs, and adds it to a third. */
async function write(store: Store, i: number): Promise<void> {
  await commit(
    store,
    replace('urn:x:one', `<urn:s> <urn:p> "${i}" .`),
    replace('urn:x:two', `<urn:s> <urn:p> "${i}" .`),
    merge('urn:x:all', `<urn:s> <urn:p> "${i}" .`),
  );
}

function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at]! ^= 1;
  return copy;
}

test('a copy made during writes and checkpoints contains one state with all acknowledged writes', async (context) => {
  const directory = await temporaryDirectory(context);
  const disk = await openNodeDisk(directory);
  const store = await openOn(disk, { journalMax: 1500 });
  let acknowledged = 0;
  let copying = true;
  const writing = (async () => {
    while (copying) {
      await write(store, acknowledged + 1);
      acknowledged++;
      if (acknowledged % 3 === 0) await maintain(store, disk);
    }
  })();
  for (let round = 0; round < 25; round++) {
    const target = join(await temporaryDirectory(context), 'copy');
    const atStart = acknowledged;
    const commitNumber = await backup(directory, target);
    assert.ok(commitNumber >= atStart, `${commitNumber} of ${atStart}`);
    const { lines, damaged } = await check(target);
    assert.equal(damaged, false, lines.join('\n'));
    const restored = await openOn(await openNodeDisk(target));
    const content = contentOf(restored);
    assert.equal(content.filter((line) => line.includes('urn:x:all')).length, commitNumber);
    if (commitNumber > 0) {
      assert.ok(content.includes(`<urn:s> <urn:p> "${commitNumber}" <urn:x:one> .`));
      assert.ok(content.includes(`<urn:s> <urn:p> "${commitNumber}" <urn:x:two> .`));
    }
    assert.notEqual(restored.opened().identity.name, store.opened().identity.name);
    await restored.close();
  }
  copying = false;
  await writing;
  await store.close();
});

test('a copy contains the journal file after its checkpoint, even if the checkpoint was written during copying', async (context) => {
  const directory = await temporaryDirectory(context);
  const disk = await openNodeDisk(directory);
  const store = await openOn(disk, { journalMax: 64 });
  await write(store, 1);
  const { list } = NodeDisk.prototype;
  let lists = 0;
  context.mock.method(NodeDisk.prototype, 'list', async function (this: NodeDisk, path: string) {
    // The first three lists recognise the directory, the fourth is for the journal, the fifth for
    // the checkpoint.
    if (++lists === 5) assert.equal(await maintain(store, disk), 'checkpoint');
    return list.call(this, path);
  });
  const target = join(await temporaryDirectory(context), 'copy');
  await backup(directory, target);
  const names = (await readdir(target)).filter((name) => !name.endsWith('.seal'));
  assert.deepEqual(withoutTokens(names), [
    'checkpoint-000000000001.image',
    'checkpoint-000000000001.json',
    'journal-000000000001.log',
    'journal-000000000002.log',
  ]);
  await store.close();
});

test('a copy contains the content files, or is not made', async (context) => {
  const directory = await temporaryDirectory(context);
  const { digest } = await putContent(await openNodeDisk(directory), directory, 'urn:x:text');
  const target = join(await temporaryDirectory(context), 'copy');
  await backup(directory, target);
  assert.deepEqual((await check(target)).damaged, false);
  await rm(join(directory, 'content', digest.slice(0, 2), digest));
  await assert.rejects(backup(directory, join(target, 'other')), { code: 'ENOENT' });
});

test('damage at the end of a copy is recognised, and recovery of an intact copy truncates no write', async (context) => {
  const directory = await temporaryDirectory(context);
  const disk = await openNodeDisk(directory);
  const store = await openOn(disk);
  for (let i = 1; i <= 3; i++) await write(store, i);
  // As if the third record were being written during copying.
  const name = 'journal-000000000001.log';
  const journal = await readFile(join(directory, name));
  await writeFile(join(directory, name), journal.subarray(0, -10));
  const target = join(await temporaryDirectory(context), 'copy');
  assert.equal(await backup(directory, target), 2);
  assert.deepEqual((await check(target)).lines, [
    'there is no identity.json: the next start makes a new one',
    'commit 2: 4 quads in 3 graphs',
    'all is well',
  ]);
  const copied = await readFile(join(target, name));
  for (const bytes of [copied.subarray(0, -1), copied.subarray(0, 40), flipped(copied, copied.length - 5)]) {
    await writeFile(join(target, name), bytes);
    await assert.rejects(openOn(await openNodeDisk(target)), { code: 'data-damaged' });
  }
  await rm(join(target, name));
  await assert.rejects(openOn(await openNodeDisk(target)), { code: 'data-damaged' });
  await store.close();
});

test('a directory whose newest journal file is missing is not copied', async (context) => {
  const directory = await temporaryDirectory(context);
  const disk = await openNodeDisk(directory);
  const store = await openOn(disk, { journalMax: 64 });
  await write(store, 1);
  await maintain(store, disk);
  await rm(join(directory, 'journal-000000000002.log'));
  const target = join(await temporaryDirectory(context), 'copy');
  await assert.rejects(backup(directory, target), {
    code: 'data-damaged',
    message: /journal-000000000002\.log is missing/,
  });
  await store.close();
});

test('a directory whose only journal file is missing is not copied', async (context) => {
  const directory = await temporaryDirectory(context);
  const store = await openOn(await openNodeDisk(directory));
  await write(store, 1);
  await rm(join(directory, 'journal-000000000001.log'));
  const target = join(await temporaryDirectory(context), 'copy');
  await assert.rejects(backup(directory, target), {
    code: 'data-damaged',
    message: /^journal-000000000001\.log: the newest journal file is missing/,
  });
  await store.close();
});

test('a directory that has no journal yet is not copied', async (context) => {
  const directory = await temporaryDirectory(context);
  await writeFile(join(directory, 'identity.json'), '{"name":"5fw6qf2n","created":0}\n');
  const target = join(await temporaryDirectory(context), 'copy');
  await assert.rejects(backup(directory, target), { code: 'data-damaged', message: /no journal/ });
});

test('a directory that was closed and then damaged at its end is not copied', async (context) => {
  const directory = await temporaryDirectory(context);
  const store = await openOn(await openNodeDisk(directory));
  for (let i = 1; i <= 3; i++) await write(store, i);
  await store.close();
  const path = join(directory, 'journal-000000000001.log');
  const journal = await readFile(path);
  await writeFile(path, flipped(journal, journal.length - 5));
  const target = join(await temporaryDirectory(context), 'copy');
  await assert.rejects(backup(directory, target), { code: 'data-damaged' });
});

test('existing files of the target are kept', async (context) => {
  const [directory, target] = [await temporaryDirectory(context), await temporaryDirectory(context)];
  await (await openOn(await openNodeDisk(directory))).close();
  await writeFile(join(target, 'mine'), 'text');
  await assert.rejects(backup(directory, target), /is not empty/);
  assert.deepEqual(await readdir(target), ['mine']);
});

test('a damaged directory is not copied', async (context) => {
  const directory = await temporaryDirectory(context);
  const store = await openOn(await openNodeDisk(directory));
  await write(store, 1);
  await store.close();
  await writeFile(join(directory, 'journal-000000000001.log'), 'PPJOURNL and nothing that belongs to it');
  const target = join(await temporaryDirectory(context), 'copy');
  await assert.rejects(backup(directory, target), { code: 'data-damaged' });
  await assert.rejects(backup(join(directory, 'none'), target), { code: 'not-found' });
});
