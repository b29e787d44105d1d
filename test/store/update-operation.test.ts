import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Operation, SeenGraph } from '../../src/store/main/transaction.ts';
import type { Store } from '../../src/store/thread/store.ts';
import { SimDisk } from '../simulation/sim-disk.ts';
import { commitBig } from '../support/big-write.ts';
import { blockOf } from '../support/blocks.ts';
import { commit, contentOf, drop, merge, openOn } from '../support/stores.ts';

const row = (object: string) => `<urn:s> <urn:p> "${object}" .`;
const quad = (object: string, graph: string) => `<urn:s> <urn:p> "${object}" <${graph}> .`;

interface Change {
  readonly cleared?: readonly string[];
  readonly removed?: readonly string[];
  readonly added?: readonly string[];
  readonly created?: readonly string[];
  readonly dropped?: readonly string[];
}

function change({ cleared = [], removed = [], added = [], created = [], dropped = [] }: Change): Operation {
  const [additions, removals] = [added, removed].map((rows) => blockOf(rows.join('\n')));
  return { kind: 'update', cleared, additions: additions!, removals: removals!, created, dropped };
}

function graphsOf(store: Store): (readonly [string, number | undefined])[] {
  return store
    .opened()
    .graphs.map(([name, info]) => [name, info?.size] as const)
    .sort();
}

const changed: Change = {
  cleared: ['urn:a', 'urn:d'],
  removed: [quad('b1', 'urn:b'), quad('none', 'urn:c')],
  added: [quad('a1', 'urn:a'), quad('a3', 'urn:a'), quad('n', 'urn:n')],
  created: ['urn:e'],
  dropped: ['urn:d'],
};

async function prepared(disk: SimDisk): Promise<Store> {
  const store = await openOn(disk);
  await commit(store, merge('urn:a', `${row('a1')}\n${row('a2')}`));
  await commit(store, merge('urn:b', `${row('b1')}\n${row('b2')}`), merge('urn:d', row('d1')));
  return store;
}

const expected = {
  rows: [quad('a1', 'urn:a'), quad('a3', 'urn:a'), quad('b2', 'urn:b'), quad('n', 'urn:n')],
  graphs: [
    ['urn:a', 2],
    ['urn:b', 1],
    ['urn:e', 0],
    ['urn:n', 1],
  ],
};

test('one operation changes several graphs, and a restart finds the same', async () => {
  const disk = new SimDisk({ seed: 1 });
  const store = await prepared(disk);
  const { outcomes } = await commit(store, change(changed));
  assert.deepEqual(outcomes, [{ existed: false, added: 2, removed: 3, size: 0 }]);
  assert.deepEqual([contentOf(store), graphsOf(store)], [expected.rows, expected.graphs]);
  const again = await openOn(disk);
  assert.deepEqual([contentOf(again), graphsOf(again)], [expected.rows, expected.graphs]);
});

test('planning on a pool thread has the same result', async () => {
  const disk = new SimDisk({ seed: 1 });
  const store = await prepared(disk);
  const result = await commitBig(store, disk, { preconditions: [], operations: [change(changed)] });
  assert.deepEqual(result.ok && result.value.outcomes, [{ existed: false, added: 2, removed: 3, size: 0 }]);
  assert.deepEqual([contentOf(store), graphsOf(store)], [expected.rows, expected.graphs]);
  const again = await openOn(disk);
  assert.deepEqual([contentOf(again), graphsOf(again)], [expected.rows, expected.graphs]);
});

const seen: readonly SeenGraph[] = [
  { graph: 'urn:a', existed: true },
  { graph: 'urn:none', existed: false },
];
const others: readonly (readonly [name: string, operation: () => Operation, holds: boolean])[] = [
  ['another graph', () => merge('urn:b', row('x')), true],
  ['a graph that was read', () => merge('urn:a', row('x')), false],
  ['nothing', () => merge('urn:a', row('a1')), true],
  ['the existence of a graph', () => drop('urn:a'), false],
  ['the absence of a graph', () => merge('urn:none', row('x')), false],
];
for (const [name, operation, holds] of others) {
  test(`an update ${holds ? 'succeeds' : 'fails'} after a change of ${name}`, async () => {
    const disk = new SimDisk({ seed: 1 });
    const store = await prepared(disk);
    const preconditions = [{ since: store.snapshot.sequence, unchanged: seen }];
    await commit(store, operation());
    const transaction = () => ({ preconditions, operations: [change({ added: [quad('n', 'urn:n')] })] });
    const big = await commitBig(store, disk, transaction());
    assert.equal(big.ok || big.error.code, holds || 'precondition-failed');
    const { results } = await store.commit([transaction()]);
    assert.equal(results[0]?.ok || results[0]?.error.code, holds || 'precondition-failed');
    assert.equal(contentOf(store).includes(quad('n', 'urn:n')), holds);
  });
}

test('a big update is not committed after a concurrent change between its steps', async () => {
  const disk = new SimDisk({ seed: 1 });
  const store = await prepared(disk);
  const transaction = {
    preconditions: [{ since: store.snapshot.sequence, unchanged: seen }],
    operations: [change({ added: [quad('n', 'urn:n')] })],
  };
  const before = async ({ kind }: { kind: string }) => {
    if (kind === 'build-changes') await commit(store, merge('urn:a', row('x')));
  };
  const result = await commitBig(store, disk, transaction, { before });
  assert.equal(!result.ok && result.error.code, 'precondition-failed');
  assert.ok(!contentOf(store).includes(quad('n', 'urn:n')));
});
