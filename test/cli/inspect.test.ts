import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openNodeDisk } from '../../src/journal/disk/node-disk.ts';
import { runPathpool } from '../support/server-process.ts';
import { commit, maintain, merge, openOn } from '../support/stores.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const TIME = '\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z';

test('inspect shows checkpoint, journal files and single records of a data directory', async (context) => {
  const directory = await temporaryDirectory(context);
  const disk = await openNodeDisk(directory);
  const store = await openOn(disk, { journalMax: 64 });
  await commit(store, merge('urn:x:g', '<urn:s> <urn:p> "1" .'));
  await maintain(store, disk);
  await commit(store, merge('urn:x:g', '<urn:s> <urn:p> "2" .'));
  await store.close();
  const whole = await runPathpool(['inspect', directory]);
  assert.equal(whole.status, 0);
  assert.match(
    whole.out,
    new RegExp(
      `^checkpoint at commit 1: 1 quads in 1 graphs, changed last at ${TIME}\n` +
        'checkpoint-000000000001-[0-9a-f]+.image: \\d+ bytes\ncheckpoint-000000000001.json: \\d+ bytes\n' +
        `journal-000000000002.log: records 2 to 2, ${TIME} to ${TIME}, \\d+ bytes\n` +
        'journal.seal: journal-000000000002.log was closed or copied with \\d+ bytes, up to record 2\n' +
        'a start would find: every record is good',
    ),
  );
  const record = await runPathpool(['inspect', directory, '--record', '2']);
  assert.match(record.out, /^H time "\d+" \.\nTX \.\nA <urn:s> <urn:p> "2" <urn:x:g> \.\nTC \.\n$/);
});

test('inspect reports damage with status 1', async (context) => {
  const directory = await temporaryDirectory(context);
  await writeFile(join(directory, 'journal-000000000001.log'), 'PPJOURNL, or so it says');
  const { status, out } = await runPathpool(['inspect', directory]);
  assert.match(out, /^journal-000000000001\.log: no records, 23 bytes, invalid from byte 0 on$/m);
  assert.match(out, /^a start would find: .*not a journal, or one of an unknown format version/m);
  assert.equal(status, 1);
});

test('inspect reports a damaged identity with status 1', async (context) => {
  const directory = await temporaryDirectory(context);
  await (await openOn(await openNodeDisk(directory))).close();
  const path = join(directory, 'identity.json');
  const identity = await readFile(path, 'utf8');
  await writeFile(path, identity.replace('"created":', '"created":1'));
  const { status, out } = await runPathpool(['inspect', directory]);
  assert.match(out, /^identity\.json is damaged/m);
  assert.equal(status, 1);
});

test('inspect rejects a missing directory, and creates nothing', async (context) => {
  const directory = await temporaryDirectory(context);
  const missing = await runPathpool(['inspect', `${directory}/none`]);
  assert.equal(missing.status, 2);
  assert.match(missing.err, /^pathpool: There is no data directory .*none\.\n$/);
  await (await openOn(await openNodeDisk(directory))).close();
  const record = await runPathpool(['inspect', directory, '--record', '7']);
  assert.equal(record.status, 2);
  assert.match(record.err, /no valid record 7/);
});
