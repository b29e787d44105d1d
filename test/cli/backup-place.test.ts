import assert from 'node:assert/strict';
import { chmod, cp, mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { backup } from '../../src/cli/backup.ts';
import { BackupPlace, installOrder } from '../../src/cli/backup-place.ts';
import { openNodeDisk } from '../../src/journal/disk/node-disk.ts';
import { draftOf } from '../../src/journal/disk/unique-names.ts';
import type { Scope } from '../support/scope.ts';
import { commit, contentOf, maintain, merge, openOn, putContent } from '../support/stores.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

/** A data directory with a commit before a checkpoint, if there is to be one, and one after it. */
async function dataDirectory(scope: Scope, hasCheckpoint: boolean): Promise<string> {
  const directory = await temporaryDirectory(scope);
  const disk = await openNodeDisk(directory);
  const store = await openOn(disk, { journalMax: 1 });
  await commit(store, merge('urn:x:g', '<urn:s> <urn:p> "1" .'));
  if (hasCheckpoint) assert.equal(await maintain(store, disk), 'checkpoint');
  await commit(store, merge('urn:x:g', '<urn:s> <urn:p> "2" .'));
  await store.close();
  await putContent(disk, directory, 'urn:x:r');
  return directory;
}

test('a backup into an empty directory, as where a disk is mounted, leaves nothing else there', async (context) => {
  const directory = await dataDirectory(context, true);
  const [beside, empty] = [await temporaryDirectory(context), await temporaryDirectory(context)];
  await backup(directory, join(beside, 'parents', 'copy'));
  await backup(directory, empty);
  assert.deepEqual(await readdir(join(beside, 'parents')), ['copy']);
  assert.deepEqual(await readdir(empty), await readdir(join(beside, 'parents', 'copy')));
});

test('a backup into a new directory has the permissions of the original', async (context) => {
  const directory = await dataDirectory(context, false);
  const parent = await temporaryDirectory(context);
  for (const mode of [0o700, 0o750]) {
    await chmod(directory, mode);
    const copy = join(parent, String(mode));
    await backup(directory, copy);
    assert.equal((await stat(copy)).mode & 0o777, mode);
    assert.equal((await stat(join(copy, 'content'))).mode & 0o777, 0o700);
  }
});

for (const hasCheckpoint of [true, false]) {
  const what = hasCheckpoint ? 'with a checkpoint' : 'without a checkpoint';
  test(`no part of a backup ${what} is served, in the order in which it gets its names`, async (context) => {
    const whole = join(await temporaryDirectory(context), 'copy');
    await backup(await dataDirectory(context, hasCheckpoint), whole);
    const names = installOrder((await readdir(whole)).toReversed());
    assert.match(names.at(-1)!, hasCheckpoint ? /^checkpoint-/ : /^journal-/);
    assert.ok(names.indexOf('content') < names.findIndex((name) => name.startsWith('journal-')));
    for (let count = 1; count < names.length; count++) {
      const part = await temporaryDirectory(context);
      for (const name of names.slice(0, count)) {
        await cp(join(whole, name), join(part, name), { recursive: true });
      }
      const disk = await openNodeDisk(part);
      await assert.rejects(openOn(disk), { code: 'data-damaged' }, names.slice(0, count).join());
    }
    const store = await openOn(await openNodeDisk(whole));
    assert.equal(contentOf(store).filter((line) => line.includes('<urn:x:g>')).length, 2);
    await store.close();
  });
}

test('a backup that fails leaves nothing', async (context) => {
  const directory = await dataDirectory(context, true);
  const [image] = (await readdir(directory)).filter((name) => name.endsWith('.image'));
  await rm(join(directory, image!));
  const [parent, empty] = [await temporaryDirectory(context), await temporaryDirectory(context)];
  for (const target of [join(parent, 'copy'), empty]) await assert.rejects(backup(directory, target));
  assert.deepEqual([await readdir(parent), await readdir(empty)], [[], []]);
});

test('a directory that is not empty is refused with the name of a file, and so is a file', async (context) => {
  const directory = await temporaryDirectory(context);
  await mkdir(join(directory, '.copy.123.new'));
  await assert.rejects(BackupPlace.choose(directory), {
    code: 'bad-arguments',
    message: /is not empty: it contains \.copy\.123\.new/,
  });
  const left = join(directory, 'left');
  await mkdir(join(left, `.${draftOf('left')}`), { recursive: true });
  await assert.rejects(BackupPlace.choose(left), /it contains .*\. .*another command\. .*remove it/);
  await writeFile(join(directory, 'file'), '');
  for (const path of ['file', 'file/below']) {
    await assert.rejects(BackupPlace.choose(join(directory, path)), { code: 'bad-arguments' });
  }
});
