import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { check } from '../../../src/cli/check.ts';
import { openNodeDisk } from '../../../src/journal/disk/node-disk.ts';
import { emptyBlock } from '../../../src/rdf/model/quad-block.ts';
import {
  checkpointFiles,
  findCheckpoint,
  installCheckpoint,
} from '../../../src/store/checkpoint/checkpoint.ts';
import type { GraphOperation } from '../../../src/store/main/transaction.ts';
import { recoverParts } from '../../../src/store/recovery/open-store.ts';
import { blockOf } from '../../support/blocks.ts';
import { commit, contentOf, maintain, merge, openOn } from '../../support/stores.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const blank = '<urn:s> <urn:p> "1" <urn:x:g> .\n<urn:s> <urn:p> "2" _:g .';

/** What an earlier release wrote: two graphs whose names differ in the last character alone. */
const record = `H time "1" .
H created <urn:x:g> .
H created <:b1X0X> .
TX .
A <urn:s> <urn:p> "1" <urn:x:g> .
A <urn:s> <urn:p> "2" _:b1X0X0 .
A <urn:s> <urn:p> "3" _:b1X0X1 .
A <urn:s> <urn:p> "4" _:b1X0X1 .
TC .
`;

async function directoryOfBefore(context: TestContext) {
  const directory = await temporaryDirectory(context);
  const disk = await openNodeDisk(directory);
  const settings = { journalMax: 0, dataMax: Number.POSITIVE_INFINITY, recover: false, lease: undefined };
  const parts = await recoverParts(disk, settings, assert.fail);
  const { log: journal } = parts.durability;
  await journal.append([{ sequence: 1, payload: [Buffer.from(record)] }]);
  await journal.close();
  return { directory, disk };
}

async function requireSound(directory: string): Promise<void> {
  const { lines, damaged } = await check(directory);
  assert.equal(damaged, false, lines.join('\n'));
}

const rowsOf = (store: Awaited<ReturnType<typeof openOn>>) =>
  store
    .opened()
    .graphs.map(([name, info]) => [name, info?.size])
    .sort();

test('a write that uses graph names rejects quads in a graph named by a blank node', async (context) => {
  const store = await openOn(await openNodeDisk(await temporaryDirectory(context)));
  const block = blockOf(blank);
  const update = { kind: 'update', cleared: [], removals: emptyBlock(), created: [], dropped: [] } as const;
  const operations: GraphOperation[] = [
    { kind: 'load', defaultGraph: 'urn:x:d', block },
    { ...update, additions: blockOf(blank) },
  ];
  for (const operation of operations) {
    const { results } = await store.commit([{ preconditions: [], operations: [operation] }]);
    const [result] = results;
    assert.ok(result && !result.ok);
    assert.equal(result.error.code, 'bad-term');
    assert.match(result.error.message, /<urn:s> <urn:p> "2" .* IRI/);
  }
  assert.deepEqual(contentOf(store), []);
  await commit(store, merge('urn:x:g', blank), { kind: 'replace', graph: 'urn:x:h', block: blockOf(blank) });
  assert.equal(contentOf(store).length, 4);
  await store.close();
});

test('quads of an earlier release in such graphs are counted, and can be removed', async (context) => {
  const { directory, disk } = await directoryOfBefore(context);
  await requireSound(directory);
  const rows = [
    ['_:b1X0X0', 1],
    ['_:b1X0X1', 2],
    ['urn:x:g', 1],
  ];
  const store = await openOn(disk, { journalMax: 0 });
  assert.deepEqual(rowsOf(store), rows);
  await maintain(store, disk);
  await store.close();
  await requireSound(directory);
  const again = await openOn(disk);
  assert.deepEqual(rowsOf(again), rows);
  const blankOnes = ['_:b1X0X0', '_:b1X0X1'];
  const none = { removals: emptyBlock(), additions: emptyBlock(), created: [] };
  await commit(again, { kind: 'update', cleared: blankOnes, dropped: blankOnes, ...none });
  assert.deepEqual(contentOf(again), ['<urn:s> <urn:p> "1" <urn:x:g> .']);
  assert.deepEqual(rowsOf(again), [['urn:x:g', 1]]);
  await again.close();
  await requireSound(directory);
  const last = await openOn(disk);
  assert.deepEqual(rowsOf(last), [['urn:x:g', 1]]);
  await last.close();
});

test('a checkpoint of an earlier release with truncated names is repaired', async (context) => {
  const { directory, disk } = await directoryOfBefore(context);
  const store = await openOn(disk, { journalMax: 0 });
  assert.equal(await maintain(store, disk), 'checkpoint');
  await store.close();
  const checkpoint = await findCheckpoint(disk);
  assert.ok(checkpoint);
  const info = { size: 3, sequence: 1, modified: 1, since: 1 };
  const graphs = [['urn:x:g', { ...info, size: 1 }] as const, [':b1X0X', info] as const];
  await disk.remove(checkpointFiles(checkpoint).manifestFile);
  await installCheckpoint(disk, { ...checkpoint, graphs });
  await requireSound(directory);
  const again = await openOn(disk);
  assert.deepEqual(rowsOf(again), [
    ['_:b1X0X0', 1],
    ['_:b1X0X1', 2],
    ['urn:x:g', 1],
  ]);
  await again.close();
});
