import assert from 'node:assert/strict';
import { cp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { check } from '../../src/cli/check.ts';
import { openNodeDisk } from '../../src/journal/disk/node-disk.ts';
import { listPatchFiles } from '../../src/store/patch/file.ts';
import { commitBig } from '../support/big-write.ts';
import { withoutTokens } from '../support/checkpoint-names.ts';
import { filesIn, oracleLines } from '../support/oxigraph-oracle.ts';
import { projectFile } from '../support/project.ts';
import {
  commit,
  contentOf,
  contentOn,
  maintain,
  merge,
  openOn,
  orderedContentOf,
  replace,
} from '../support/stores.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const fixtures = projectFile('test/store/fixtures/v1/');

/** Name, triples, number of the last change. */
const graphs = [
  ['http://example.org/people', 3, 1],
  ['http://example.org/default', 2, 5],
  ['urn:g', 2, 4],
  ['urn:empty', 0, 3],
] as const;

// These directories were written when the format was made and are never written again. In
// `checkpoint` the first three of five transactions are in a checkpoint; `sealed` is `journal`
// after a clean close, with a digest of the identity; `checkpoint-2` is `checkpoint` with all of
// its transactions in a checkpoint of format 2. In all, a graph was dropped, another
// replaced, and a third left empty.
for (const [name, identity] of [
  ['journal', '5fw6qf2n'],
  ['checkpoint', 'u59u5icm'],
  ['checkpoint-2', 'u59u5icm'],
  ['sealed', '5fw6qf2n'],
] as const) {
  test(`the data directory "${name}" of version 1 opens and accepts writes`, async (context) => {
    const directory = await temporaryDirectory(context);
    await cp(join(fixtures, name), directory, { recursive: true });
    const expected = await readFile(join(fixtures, 'expected.nq'), 'utf8');
    const disk = await openNodeDisk(directory);
    const notices: string[] = [];
    const store = await openOn(disk, { notices });
    assert.deepEqual(notices, []);
    assert.equal(orderedContentOf(store), expected);
    assert.deepEqual(await oracleLines(filesIn(directory)), contentOf(store));
    const opened = store.opened();
    assert.equal(opened.identity.name, identity);
    assert.deepEqual(
      opened.graphs.map(([graph, info]) => [graph, info?.size, info?.sequence]),
      graphs,
    );
    for (const [, info] of opened.graphs) assert.ok((info?.modified ?? 0) >= opened.identity.created);
    await commit(store, merge('urn:g', '<urn:new> <urn:p> <urn:a> .'));
    await store.close();
    assert.equal((await contentOn(disk)).length, 8);
  });
}

for (const [name, damage] of [
  ['its image is damaged', { image: 200 }],
  ['its image is missing', { image: undefined }],
] as const) {
  test(`a checkpoint of format 1 is read from its quads when ${name}; the next one has format 2`, async (context) => {
    const directory = await temporaryDirectory(context);
    await cp(join(fixtures, 'checkpoint'), directory, { recursive: true });
    await damageFile(join(directory, 'checkpoint-000000000003.image'), damage.image);
    const disk = await openNodeDisk(directory);
    const notices: string[] = [];
    const store = await openOn(disk, { notices, journalMax: 1 });
    assert.match(notices.join(), /checkpoint-000000000003\.image can't be used \(.*rebuilt from the quads/);
    const expected = (await readFile(join(fixtures, 'expected.nq'), 'utf8')).trimEnd().split('\n').sort();
    assert.deepEqual(contentOf(store), expected);
    assert.equal(await maintain(store, disk), 'checkpoint');
    await store.close();
    const files = (await disk.list('')).filter((file) => file.startsWith('checkpoint-'));
    assert.deepEqual(withoutTokens(files), ['checkpoint-000000000005.image', 'checkpoint-000000000005.json']);
    assert.deepEqual(await contentOn(disk), expected);
  });
}

test('a checkpoint of format 1 with damaged image and quads is rejected by name, and check finds damaged quads alone', async (context) => {
  const directory = await temporaryDirectory(context);
  await cp(join(fixtures, 'checkpoint'), directory, { recursive: true });
  await damageFile(join(directory, 'checkpoint-000000000003.nq'), 20);
  const report = await check(directory);
  assert.match(report.lines.join('\n'), /^damaged: checkpoint-000000000003\.nq does not match its digest/m);
  const store = await openOn(await openNodeDisk(directory));
  await store.close();
  await damageFile(join(directory, 'checkpoint-000000000003.image'), 200);
  await assert.rejects(openOn(await openNodeDisk(directory)), {
    code: 'data-damaged',
    message: /^checkpoint-000000000003\.nq does not match its digest/,
  });
});

/** Flips a bit of a file, or removes it. */
async function damageFile(path: string, at: number | undefined): Promise<void> {
  if (at === undefined) return rm(path);
  const bytes = await readFile(path);
  bytes[at]! ^= 1;
  await writeFile(path, bytes);
}

test('the seal of version 1 is recognised', async (context) => {
  const directory = await temporaryDirectory(context);
  await cp(join(fixtures, 'sealed'), directory, { recursive: true });
  const path = join(directory, 'journal-000000000001.log');
  await writeFile(path, (await readFile(path)).subarray(0, -1));
  await assert.rejects(openOn(await openNodeDisk(directory)), {
    code: 'data-damaged',
    message: /clean close/,
  });
});

test('the digest of an identity of version 1 is recognised', async (context) => {
  const directory = await temporaryDirectory(context);
  await cp(join(fixtures, 'sealed'), directory, { recursive: true });
  const path = join(directory, 'identity.json');
  await writeFile(path, (await readFile(path, 'utf8')).replace('5fw6qf2n', '5fw6qf2m'));
  await assert.rejects(openOn(await openNodeDisk(directory)), {
    code: 'data-damaged',
    message: /^identity\.json is damaged/,
  });
});

// What the release before the seal left: a copy that `backup` had made, whose checkpoint is as new
// as its journal, after its first start; and a start that crashed before it made the journal.
test('a backup that was started by an older release opens and accepts writes', async (context) => {
  const directory = await temporaryDirectory(context);
  await cp(join(fixtures, 'started-backup'), directory, { recursive: true });
  const expected = await readFile(join(fixtures, 'expected.nq'), 'utf8');
  const disk = await openNodeDisk(directory);
  const store = await openOn(disk);
  assert.deepEqual(contentOf(store), expected.split('\n').filter(Boolean).sort());
  await commit(store, merge('urn:g', '<urn:new> <urn:p> <urn:a> .'));
  await store.close();
  const again = await openOn(disk);
  assert.equal(contentOf(again).length, 8);
  assert.deepEqual(again.opened().identity, store.opened().identity);
  await again.close();
});

test('a directory that an older release created incompletely opens and accepts writes', async (context) => {
  const directory = await temporaryDirectory(context);
  await cp(join(fixtures, 'interrupted-start'), directory, { recursive: true });
  const disk = await openNodeDisk(directory);
  const store = await openOn(disk);
  assert.deepEqual(contentOf(store), []);
  await commit(store, merge('urn:g', '<urn:new> <urn:p> <urn:a> .'));
  await store.close();
  assert.equal((await contentOn(disk)).length, 1);
});

test('a big write with rows as text, as an earlier release wrote it, is read', async (context) => {
  const directory = await temporaryDirectory(context);
  await cp(join(fixtures, 'patch-text'), directory, { recursive: true });
  const disk = await openNodeDisk(directory);
  const store = await openOn(disk);
  const expected = [
    '<urn:s> <urn:p> "two \\"2\\"" <urn:x:g> .',
    '<urn:t> <urn:p> "4" <urn:x:h> .',
    '<urn:t> <urn:p> <urn:s> <urn:x:g> .',
    '_:b1Y1X0 <urn:q> "3"@en <urn:x:g> .',
  ];
  assert.deepEqual(contentOf(store), expected);
  const replaced = { preconditions: [], operations: [replace('urn:x:h', '<urn:t> <urn:p> "5" .')] };
  assert.ok((await commitBig(store, disk, replaced)).ok);
  await store.close();
  assert.deepEqual(
    (await listPatchFiles(disk)).map((name) => name.slice(-5)),
    ['.rdfp', '.rows'],
  );
  const { damaged, lines } = await check(directory);
  assert.equal(damaged, false, lines.join('\n'));
  const again = await openOn(disk);
  assert.deepEqual(
    contentOf(again),
    expected.map((line) => line.replace('"4"', '"5"')),
  );
  await again.close();
});
