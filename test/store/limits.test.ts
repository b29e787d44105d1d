import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { check } from '../../src/cli/check.ts';
import { openNodeDisk } from '../../src/journal/disk/node-disk.ts';
import { MAX_DOCUMENT_QUAD_BYTES, MAX_QUAD_BYTES } from '../../src/rdf/model/quad-limits.ts';
import { MAX_TERMS } from '../../src/snapshot/dictionary/term-table.ts';
import { DictionaryWriter } from '../../src/snapshot/dictionary/term-writer.ts';
import { GraphTable } from '../../src/snapshot/graphs/table.ts';
import { SnapshotWriter } from '../../src/snapshot/write/snapshot-writer.ts';
import type { Operation } from '../../src/store/main/transaction.ts';
import type { Store } from '../../src/store/thread/store.ts';
import { SimDisk } from '../simulation/sim-disk.ts';
import { blockOf, storedBlockOf } from '../support/blocks.ts';
import { attempt, create, membership, ROOT } from '../support/ldp-store.ts';
import { commit, contentOf, drop, maintain, merge, openOn } from '../support/stores.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

/*
 * Nothing is journalled that a later stage can refuse: a run of the snapshot, a checkpoint, the
 * next start.
 */

const G = 'urn:x:g';
const MIB = 2 ** 20;

/** Commits one operation; the code of the error when it is refused. */
async function codeOf(store: Store, operation: Operation): Promise<string> {
  const [result] = (await store.commit([{ preconditions: [], operations: [operation] }])).results;
  return result?.ok ? 'done' : (result?.error.code ?? '');
}

/**
 * Creates a data directory, and checks a write, a start, a checkpoint, and a start from that
 * checkpoint.
 */
async function directoryThatMustWork(context: TestContext) {
  const directory = await temporaryDirectory(context);
  const disk = await openNodeDisk(directory);
  const requireSound = async (store: Store) => {
    assert.equal(store.failure, undefined);
    await commit(store, merge('urn:x:after', `<urn:s> <urn:p> "${store.opened().snapshot.sequence}" .`));
    const content = contentOf(store);
    await store.close();
    const again = await openOn(disk, { journalMax: 1 });
    assert.deepEqual(contentOf(again), content);
    assert.equal(await maintain(again, disk), 'checkpoint');
    await again.close();
    assert.equal((await check(directory)).lines.at(-1), 'all is well');
    const fromImage = await openOn(disk);
    assert.deepEqual(contentOf(fromImage), content);
    await fromImage.close();
  };
  return { disk, requireSound };
}

/** An IRI or a string of so many bytes in canonical form. */
const iri = (name: string, bytes: number) => `urn:${name.repeat(bytes - 6)}`;
const literal = (bytes: number) => `"${'o'.repeat(bytes - 2)}"`;

test('quads of maximum length are loaded again, whichever of their terms is long', async (context) => {
  const { disk, requireSound } = await directoryThatMustWork(context);
  const store = await openOn(disk);
  const quarter = MAX_QUAD_BYTES / 4;
  const long = MAX_QUAD_BYTES - 100;
  await commit(store, merge('urn:g', `<urn:s> <urn:p> ${literal(MAX_DOCUMENT_QUAD_BYTES - 14)} .`));
  const three = `<${iri('s', quarter)}> <${iri('p', quarter)}> ${literal(quarter)}`;
  await commit(store, merge(iri('g', quarter), `${three} .`));
  await commit(store, merge(iri('g', long), '_:b <urn:p> _:c .'));
  await requireSound(store);
});

test('a quad that is too long with its graph name is rejected before the journal', async (context) => {
  const { disk, requireSound } = await directoryThatMustWork(context);
  const store = await openOn(disk);
  const triple = `<urn:s> <urn:p> ${literal(MAX_DOCUMENT_QUAD_BYTES - 14)} .`;
  const used = (await disk.list('')).length;
  assert.equal(await codeOf(store, merge(iri('g', 2 * MIB), triple)), 'too-large');
  assert.equal(
    await codeOf(store, { kind: 'load', defaultGraph: iri('d', 2 * MIB), block: blockOf(triple) }),
    'too-large',
  );
  const { results } = await store.commit([
    { preconditions: [], operations: [merge(G, '<urn:s> <urn:p> "beside" .')] },
    { preconditions: [], operations: [merge(G, triple), merge(iri('g', 2 * MIB), triple)] },
  ]);
  assert.deepEqual(
    results.map((result) => result.ok || result.error.code),
    [true, 'too-large'],
  );
  assert.equal((await disk.list('')).length, used);
  assert.deepEqual(contentOf(store), [`<urn:s> <urn:p> "beside" <${G}> .`]);
  await requireSound(store);
});

test('a child whose membership triple is too long is rejected', async (context) => {
  const { disk, requireSound } = await directoryThatMustWork(context);
  const store = await openOn(disk);
  await commit(store, { kind: 'ldp-root', target: ROOT, label: 'Root' });
  const configuration = membership(iri('m', 8 * MIB), { relation: iri('r', 8 * MIB) });
  const container = `${ROOT}/c`;
  assert.equal(await attempt(store, create(container, { model: 'direct', configuration })), 'done');
  assert.equal(await attempt(store, create(`${container}/x`)), 'too-large');
  await requireSound(store);
});

test('G-135: a name that could not be read back is rejected from every source', async (context) => {
  const { disk, requireSound } = await directoryThatMustWork(context);
  const store = await openOn(disk);
  for (const name of ['urn:x:a b', 'urn:x:a>b', 'urn:x:a\nb']) {
    assert.equal(await codeOf(store, merge(name, '<urn:s> <urn:p> "1" .')), 'bad-term', name);
    assert.equal(await codeOf(store, { kind: 'replace', graph: name, block: blockOf('') }), 'bad-term', name);
    assert.equal(await codeOf(store, { kind: 'register', resource: name }), 'bad-term', name);
  }
  assert.deepEqual(contentOf(store), []);
  await requireSound(store);
});

function mergeStored(graph: string, nquads: string): Operation {
  return { kind: 'merge', graph, block: storedBlockOf(nquads) };
}

/** Terms that earlier versions stored, and that other tools may refuse to look for or to remove. */
const unusual = [
  '<http://example.org/%zz>',
  '<http://[bad>',
  '<http://example.org/a#b#c>',
  '<urn:\ufffe>',
  '"a"@a',
  '"a"@en-en-en',
  '"a"^^<http://example.org/%zz>',
];

for (const graph of [G, 'http://example.org/%zz']) {
  test(`unusual terms in <${graph}> can be removed, and a restart replays the removal`, async (context) => {
    const { disk, requireSound } = await directoryThatMustWork(context);
    const store = await openOn(disk);
    await commit(store, merge(graph, '<urn:s> <urn:p> "stays" .'));
    const stays = contentOf(store);
    const kept = unusual.map((term) => `<urn:s> <urn:p> ${term} <urn:x:kept> .`);
    for (const term of unusual) {
      const rows = `<urn:s> <urn:p> ${term} .\n`;
      await commit(store, mergeStored(graph, rows));
      await commit(store, { kind: 'edit', graph, additions: blockOf(''), removals: storedBlockOf(rows) });
      assert.deepEqual(contentOf(store), stays, term);
    }
    await commit(
      store,
      mergeStored('urn:x:gone', unusual.map((term) => `<urn:s> <urn:p> ${term} .\n`).join('')),
    );
    await commit(store, drop('urn:x:gone'));
    await commit(
      store,
      mergeStored('urn:x:kept', unusual.map((term) => `<urn:s> <urn:p> ${term} .\n`).join('')),
    );
    assert.deepEqual(contentOf(store), [...stays, ...kept].sort());
    await requireSound(store);
  });
}

test("a graph beyond the limit of a checkpoint's manifest is rejected, and other graphs can change", async (context) => {
  const store = await openOn(new SimDisk({ seed: 1 }));
  await commit(store, merge(G, '<urn:s> <urn:p> "1" .'));
  context.mock.getter(GraphTable.prototype, 'rowBytes', () => 480 * MIB - 100);
  assert.equal(await codeOf(store, { kind: 'replace', graph: 'urn:x:h', block: blockOf('') }), 'done');
  assert.equal(
    await codeOf(store, { kind: 'replace', graph: `urn:x:${'i'.repeat(100)}`, block: blockOf('') }),
    'store-full',
  );
  assert.equal(await codeOf(store, merge(G, '<urn:s> <urn:p> "2" .')), 'done');
  assert.equal(await codeOf(store, drop(G)), 'done');
  assert.equal(store.failure, undefined);
});

test('the row counts of graphs follow additions and removals', () => {
  const table = new GraphTable();
  const row = { size: 1, sequence: 1, modified: 1, since: 1 };
  table.apply([
    ['urn:ä', row],
    ['urn:b', row],
    ['urn:b', { ...row, size: 2 }],
  ]);
  const both = table.rowBytes;
  assert.ok(
    both >=
      Buffer.byteLength(
        JSON.stringify([...table.entries()].map(([name, info]) => [name, ...Object.values(info)])),
      ),
  );
  table.apply([
    ['urn:b', null],
    ['urn:c', null],
  ]);
  assert.equal(table.rowBytes, both - 85);
  table.apply([['urn:ä', null]]);
  assert.equal(table.rowBytes, 0);
});

for (const [what, mock, words] of [
  ['terms', [DictionaryWriter.prototype, 'termCount', MAX_TERMS], /can't number \d+ terms/],
  [
    'quads',
    [SnapshotWriter.prototype, 'quadCount', 700_000_000],
    /can't number 700000001 quads of \d+ terms/,
  ],
] as const) {
  test(`more ${what} than can be numbered are rejected before the journal, and deletions are accepted`, async (context) => {
    const disk = new SimDisk({ seed: 1 });
    const store = await openOn(disk);
    await commit(store, merge(G, '<urn:s> <urn:p> "1" .'));
    const { used } = disk;
    const [prototype, name, value] = mock;
    const mocked = context.mock.getter(prototype as DictionaryWriter & SnapshotWriter, name, () => value);
    const operations = [merge(G, '<urn:s> <urn:p> "2" .')];
    const [result] = (await store.commit([{ preconditions: [], operations }])).results;
    assert.ok(result?.ok === false && result.error.code === 'store-full');
    assert.match(result.error.message, words);
    assert.equal(disk.used, used);
    assert.equal(await codeOf(store, drop(G)), 'done');
    mocked.mock.restore();
    assert.equal(store.failure, undefined);
    assert.deepEqual(contentOf(await openOn(disk)), []);
  });
}
