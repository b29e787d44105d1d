import assert from 'node:assert/strict';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openNodeDisk } from '../../src/journal/node-disk.ts';
import { filesIn, oracleLines } from '../support/oxigraph-oracle.ts';
import { commit, contentOf, merge, openOn, orderedContentOf } from '../support/stores.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const fixtures = new URL('fixtures/v1/', import.meta.url);

/** Name, triples, number of the last change. */
const graphs = [
  ['http://example.org/people', 3, 1],
  ['http://example.org/default', 2, 5],
  ['urn:g', 2, 4],
  ['urn:empty', 0, 3],
] as const;

// These directories were written when the format was made and are never written again. In
// `checkpoint` the first three of five transactions are in a checkpoint; `sealed` is `journal`
// after a clean close, with a digest of the identity. In all, a graph was dropped, another
// replaced, and a third left empty.
for (const [name, identity] of [
  ['journal', '5fw6qf2n'],
  ['checkpoint', 'u59u5icm'],
  ['sealed', '5fw6qf2n'],
] as const) {
  test(`the data directory "${name}" of version 1 opens, and goes on, for ever`, async (context) => {
    const directory = await temporaryDirectory(context);
    await cp(new URL(name, fixtures), directory, { recursive: true });
    const expected = await readFile(new URL('expected.nq', fixtures), 'utf8');
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
    assert.equal(contentOf(await openOn(disk)).length, 8);
  });
}

test('the seal of version 1 is understood for ever', async (context) => {
  const directory = await temporaryDirectory(context);
  await cp(new URL('sealed', fixtures), directory, { recursive: true });
  const path = join(directory, 'journal-000000000001.log');
  await writeFile(path, (await readFile(path)).subarray(0, -1));
  await assert.rejects(openOn(await openNodeDisk(directory)), {
    code: 'data-damaged',
    message: /clean close/,
  });
});

test('the digest of an identity of version 1 is understood for ever', async (context) => {
  const directory = await temporaryDirectory(context);
  await cp(new URL('sealed', fixtures), directory, { recursive: true });
  const path = join(directory, 'identity.json');
  await writeFile(path, (await readFile(path, 'utf8')).replace('5fw6qf2n', '5fw6qf2m'));
  await assert.rejects(openOn(await openNodeDisk(directory)), {
    code: 'data-damaged',
    message: /^identity\.json is damaged/,
  });
});
