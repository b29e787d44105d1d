import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { backup } from '../../src/cli/backup.ts';
import { openDataDirectory } from '../../src/cli/data-directory.ts';
import { openNodeDisk } from '../../src/journal/disk/node-disk.ts';
import { runPathpool } from '../support/server-process.ts';
import { commit, maintain, merge, openOn } from '../support/stores.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

test('every command rejects a directory with other files with status 2', async (context) => {
  const directory = await temporaryDirectory(context);
  await writeFile(join(directory, 'notes.txt'), 'x');
  const copy = `${directory}-copy`;
  for (const args of [['inspect'], ['check'], ['export'], ['backup']] as const) {
    const target = args[0] === 'backup' ? [copy] : [];
    const { status, out, err } = await runPathpool([...args, directory, ...target]);
    assert.equal(status, 2, args[0]);
    assert.equal(out, '');
    assert.match(err, /^pathpool: \S+ is not a data directory: .*--data\.\n$/);
  }
  assert.equal(existsSync(copy), false);
  assert.deepEqual(await readdir(directory), ['notes.txt']);
});

test('a directory with similarly named files of another program is rejected', async (context) => {
  for (const name of [
    'journal-1.log',
    'checkpoint-1.json',
    'checkpoint-000000000001-1a.json',
    'my-identity.json',
  ]) {
    const directory = await temporaryDirectory(context);
    await writeFile(join(directory, name), '{}');
    await assert.rejects(openDataDirectory(directory), { code: 'not-found' }, name);
  }
});

test('an empty directory, a file and a missing path are rejected', async (context) => {
  const directory = await temporaryDirectory(context);
  await assert.rejects(openDataDirectory(directory), {
    code: 'not-found',
    message: /not a data directory: it is empty/,
  });
  const file = join(directory, 'file');
  await writeFile(file, 'x');
  await assert.rejects(openDataDirectory(file), { code: 'not-found', message: /not a directory/ });
  await assert.rejects(openDataDirectory(join(directory, 'none')), {
    code: 'not-found',
    message: /There is no/,
  });
});

test('a data directory is recognised by its identity, its journal or its checkpoint', async (context) => {
  const directory = await temporaryDirectory(context);
  const disk = await openNodeDisk(directory);
  const store = await openOn(disk, { journalMax: 1 });
  await openDataDirectory(directory);
  await commit(store, merge('urn:x:g', '<urn:s> <urn:p> "1" .'));
  await maintain(store, disk);
  await store.close();
  const copy = join(await temporaryDirectory(context), 'copy');
  await backup(directory, copy);
  await openDataDirectory(copy);
  for (const name of await readdir(copy)) if (name.startsWith('journal')) await rm(join(copy, name));
  await openDataDirectory(copy);
});

test('a data directory that cannot be created is rejected with a message', async (context) => {
  const file = join(await temporaryDirectory(context), 'file');
  await writeFile(file, 'x');
  const { status, err } = await runPathpool(['--port', '0', '--data', file]);
  assert.equal(status, 2);
  assert.equal(err, `pathpool: ${file} is a file, not a directory.\n`);
  const below = await runPathpool(['--port', '0', '--data', join(file, 'below')]);
  assert.match(below.err, /can't be created: a part of it is a file, not a directory\.$/m);
});

test('a data directory without permission to create it is rejected without endless retries', {
  skip: process.platform !== 'linux',
}, async () => {
  const { status, err } = await runPathpool(['--port', '0', '--data', '/proc/none/below']);
  assert.equal(status, 2);
  assert.match(err, /can't be created: the file system does not allow directories there\.$/m);
});
