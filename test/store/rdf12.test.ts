import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openNodeDisk } from '../../src/journal/disk/node-disk.ts';
import { SimDisk } from '../simulation/sim-disk.ts';
import { commitBig } from '../support/big-write.ts';
import { blockOf } from '../support/blocks.ts';
import { runPathpool } from '../support/server-process.ts';
import { commit, contentOf, maintain, merge, openOn, replace } from '../support/stores.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const TRIPLE = '<urn:s> <urn:p> <<( <urn:a> <urn:b> "c d"@en--ltr )>> <urn:g> .';
const DIRECTED = '<urn:s> <urn:p> "x"@en--rtl <urn:g> .';
/** Only its string looks like a blank node. */
const LABEL_IN_STRING = '<urn:s> <urn:p> <<( <urn:a> <urn:b> "x _:y" )>> .';
const PLAIN = '<urn:s> <urn:p> "<<("@en <urn:g> .';

const PLAIN_CAPITALS = ['"X"@en-us', '"X"', '<urn:X@X>', '"@X"', '_:X', '"X"^^<urn:X@X>']
  .map((object) => `<urn:s> <urn:p> ${object} .`)
  .join('\n');

async function journalVersions(directory: string, files: readonly string[]): Promise<number[]> {
  const logs = files.filter((name) => /^journal-.*\.log$/.test(name)).sort();
  return Promise.all(logs.map(async (name) => (await readFile(join(directory, name))).readUInt32LE(8)));
}

async function checkpointFormats(directory: string, files: readonly string[]): Promise<number[]> {
  const names = files.filter((name) => /^checkpoint-.*\.json$/.test(name));
  const texts = await Promise.all(names.map((name) => readFile(join(directory, name), 'utf8')));
  return texts.map((text) => JSON.parse(text.split('\n')[0]!).format);
}

test('a journal file has version 4, and a checkpoint format 3, only if there are terms of RDF 1.2', async (context) => {
  const directory = await temporaryDirectory(context);
  const disk = await openNodeDisk(directory);
  const store = await openOn(disk, { journalMax: 1 });
  const versions = async () => journalVersions(directory, await disk.list(''));
  const formats = async () => checkpointFormats(directory, await disk.list(''));
  await commit(store, merge('urn:g', PLAIN));
  assert.deepEqual(await versions(), [1]);
  assert.equal(await maintain(store, disk), 'checkpoint');
  assert.deepEqual(await formats(), [2]);
  for (const line of [TRIPLE, DIRECTED]) await commit(store, merge('urn:g', line));
  assert.equal((await versions()).at(-1), 4);
  assert.equal(await maintain(store, disk), 'checkpoint');
  assert.deepEqual(await formats(), [3]);
  await commit(store, merge('urn:g', '<urn:s> <urn:p> "later" <urn:g> .'));
  assert.equal((await versions()).at(-1), 1);
  await store.close();
  const reopened = await openOn(await openNodeDisk(directory));
  assert.equal(contentOf(reopened).length, 4);
  assert.ok(contentOf(reopened).includes(TRIPLE));
  await reopened.close();
});

test('a tag with capital letters has the same versions, and one without has the usual ones', async (context) => {
  const directory = await temporaryDirectory(context);
  const disk = await openNodeDisk(directory);
  const store = await openOn(disk, { journalMax: 1 });
  await commit(store, merge('urn:g', PLAIN_CAPITALS));
  assert.deepEqual(await journalVersions(directory, await disk.list('')), [1]);
  assert.equal(await maintain(store, disk), 'checkpoint');
  assert.deepEqual(await checkpointFormats(directory, await disk.list('')), [2]);
  await commit(store, merge('urn:g', '<urn:s> <urn:q> "X"@EN-us .'));
  assert.equal((await journalVersions(directory, await disk.list(''))).at(-1), 1);
  await commit(store, merge('urn:g', '<urn:s> <urn:p> "x"@en-US .'));
  assert.equal((await journalVersions(directory, await disk.list(''))).at(-1), 4);
  assert.equal(await maintain(store, disk), 'checkpoint');
  assert.deepEqual(await checkpointFormats(directory, await disk.list('')), [3]);
  await store.close();
});

test('the versions are the same after a start from an image', async (context) => {
  const directory = await temporaryDirectory(context);
  const disk = await openNodeDisk(directory);
  const store = await openOn(disk, { journalMax: 1 });
  await commit(store, merge('urn:g', '<urn:s> <urn:p> "x"@en-US .'));
  assert.equal(await maintain(store, disk), 'checkpoint');
  await store.close();
  const reopenedDisk = await openNodeDisk(directory);
  const reopened = await openOn(reopenedDisk, { journalMax: 1 });
  await commit(reopened, merge('urn:g', '<urn:s> <urn:q> "x"@en-US .'));
  assert.equal((await journalVersions(directory, await reopenedDisk.list(''))).at(-1), 4);
  assert.equal(await maintain(reopened, reopenedDisk), 'checkpoint');
  assert.deepEqual(await checkpointFormats(directory, await reopenedDisk.list('')), [3]);
  await reopened.close();
});

test('a patch file with such a tag is named in a journal file of version 4', async (context) => {
  for (const [tag, version] of [
    ['en-us', 3],
    ['en-US', 4],
  ]) {
    const directory = await temporaryDirectory(context);
    const disk = await openNodeDisk(directory);
    const store = await openOn(disk);
    const rows = Array.from({ length: 100 }, (_, i) => `<urn:s${i}> <urn:p> "x"@${tag} <urn:g> .`);
    const operation = replace('urn:g', rows.join('\n'));
    assert.ok((await commitBig(store, disk, { preconditions: [], operations: [operation] })).ok);
    await store.close();
    assert.deepEqual(await journalVersions(directory, await disk.list('')), [version]);
  }
});

test('a patch file with terms of RDF 1.2 is named in a journal file of version 4', async (context) => {
  const directory = await temporaryDirectory(context);
  const disk = await openNodeDisk(directory);
  const store = await openOn(disk);
  const rows = Array.from({ length: 100 }, (_, i) => `<urn:s${i}> <urn:p> _:b${i} <urn:g> .`);
  const blank = '<urn:s> <urn:p> <<( _:b1 <urn:p> <<( _:b2 <urn:p> _:b1 )>> )>> <urn:g> .';
  const operation = replace('urn:g', [...rows, TRIPLE, DIRECTED, blank].join('\n'));
  const result = await commitBig(store, disk, { preconditions: [], operations: [operation] });
  assert.ok(result.ok);
  const before = contentOf(store);
  await store.close();
  assert.deepEqual(await journalVersions(directory, await disk.list('')), [4]);
  const reopened = await openOn(await openNodeDisk(directory));
  assert.deepEqual(contentOf(reopened), before);
  await reopened.close();
  const checked = await runPathpool(['check', directory]);
  assert.match(checked.out, /all is well/);
  const exported = await runPathpool(['export', directory]);
  assert.deepEqual(exported.out.split('\n').filter(Boolean).sort(), before);
});

test('a triple term whose string contains a label is one term in all payloads', async (context) => {
  const directory = await temporaryDirectory(context);
  const store = await openOn(await openNodeDisk(directory));
  await commit(store, merge('urn:g', LABEL_IN_STRING));
  const { graphs } = store.opened();
  for (const write of [merge, replace]) {
    const { outcomes } = await commit(store, write('urn:g', LABEL_IN_STRING));
    assert.deepEqual(outcomes, [{ existed: true, added: 0, removed: 0, size: 1 }]);
    assert.deepEqual(store.opened().graphs, graphs);
  }
  await store.close();
  const checked = await runPathpool(['check', directory]);
  assert.match(checked.out, /all is well/);
});

test('an edit removes a triple term whose string contains a label', async () => {
  const store = await openOn(new SimDisk({ seed: 1 }));
  await commit(store, merge('urn:g', LABEL_IN_STRING));
  const removals = blockOf(LABEL_IN_STRING);
  await commit(store, { kind: 'edit', graph: 'urn:g', additions: blockOf(''), removals });
  assert.deepEqual(contentOf(store), []);
});

test('a description that states a triple term again leaves it in its graph', async () => {
  const store = await openOn(new SimDisk({ seed: 1 }));
  await commit(store, merge('urn:g', LABEL_IN_STRING));
  const before = contentOf(store);
  const block = blockOf(LABEL_IN_STRING);
  const graphs = { defaultGraph: 'urn:default', protectedSpace: 'urn:none' };
  await commit(store, { kind: 'describe', resource: 'urn:s', block, ...graphs });
  assert.deepEqual(contentOf(store), before);
});

test('a big write counts triple terms whose strings contain labels once', async () => {
  const disk = new SimDisk({ seed: 1 });
  const store = await openOn(disk);
  const rows = Array.from({ length: 50 }, (_, i) => LABEL_IN_STRING.replace('_:y', `_:y${i}`)).join('\n');
  for (const added of [50, 0]) {
    const result = await commitBig(store, disk, { preconditions: [], operations: [merge('urn:g', rows)] });
    assert.ok(result.ok);
    const [outcome] = result.value.outcomes;
    assert.deepEqual(outcome, { existed: added === 0, added, removed: 0, size: 50 });
    assert.equal(store.opened().snapshot.quadCount, 50);
  }
});
