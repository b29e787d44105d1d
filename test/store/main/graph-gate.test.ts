import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LDP_GRAPH } from '../../../src/snapshot/graphs/system-graph.ts';
import { GraphTable } from '../../../src/snapshot/graphs/table.ts';
import { GraphGate } from '../../../src/store/main/graph-gate.ts';
import type { Operation } from '../../../src/store/main/transaction.ts';
import { blockOf } from '../../support/blocks.ts';
import { drop, merge } from '../../support/stores.ts';

const root = 'http://x/ldp';
const quads = blockOf('<urn:s> <urn:p> "1" <urn:g> .');
const none = blockOf('');

function update(cleared: readonly string[], additions = none): Operation {
  return { kind: 'update', cleared, additions, removals: none, created: [], dropped: [] };
}

const operations: readonly (readonly [operation: Operation, waits: boolean])[] = [
  [merge('urn:g', ''), true],
  [merge('urn:h', ''), false],
  [drop('urn:g'), true],
  [{ kind: 'load', defaultGraph: 'urn:h', block: quads }, true],
  [{ kind: 'load', defaultGraph: 'urn:h', block: none }, false],
  [update(['urn:g']), true],
  [update(['urn:h'], quads), true],
  [update(['urn:h']), false],
  [{ kind: 'undescribe', resource: 'urn:h', protectedSpace: root }, true],
  [{ kind: 'register', resource: 'urn:g' }, false],
  [{ kind: 'ldp-delete', target: `${root}/a` }, false],
];

test('only transactions that may change a locked graph wait', async () => {
  const gate = new GraphGate();
  const stops = (operation: Operation) => gate.stops({ preconditions: [], operations: [operation] });
  for (const [operation] of operations) assert.equal(stops(operation), false);
  const release = await gate.hold(['urn:g']);
  for (const [operation, waits] of operations) assert.equal(stops(operation), waits, operation.kind);
  release();
  for (const [operation] of operations) assert.equal(stops(operation), false);
  const releaseLdp = await gate.hold([LDP_GRAPH]);
  assert.equal(stops({ kind: 'ldp-delete', target: `${root}/a` }), true);
  releaseLdp();
});

test('the decision whether a transaction waits does not scan its quads', async () => {
  const gate = new GraphGate();
  await gate.hold(['urn:g']);
  const unread = (nquads: string) =>
    Object.defineProperty(blockOf(nquads), 'quads', { get: () => assert.fail('The quads were read.') });
  const many = Array.from({ length: 100 }, (_, i) => `<urn:s> <urn:p> "${i}" <urn:n${i % 3}> .`).join('\n');
  const waits = [`${many}\n<urn:s> <urn:p> "1" <urn:g> .`, many].map((nquads) =>
    gate.stops({ preconditions: [], operations: [update(['urn:h'], unread(nquads))] }),
  );
  assert.deepEqual(waits, [true, false]);
  const block = unread('<urn:s> <urn:p> "1" .');
  const loads = ['urn:g', 'urn:h'].map((defaultGraph) =>
    gate.stops({ preconditions: [], operations: [{ kind: 'load', defaultGraph, block }] }),
  );
  assert.deepEqual(loads, [true, false]);
});

test('a lock of the data set makes all writes wait except those of LDP resources', async () => {
  const gate = new GraphGate();
  const release = await gate.hold('dataset');
  for (const [operation] of operations) {
    const waits = operation.kind !== 'register' && operation.kind !== 'ldp-delete';
    assert.equal(gate.stops({ preconditions: [], operations: [operation] }), waits, operation.kind);
  }
  release();
});

test('one transaction locks graphs at a time, and waiting ones continue after the last lock', async () => {
  const gate = new GraphGate();
  const events: string[] = [];
  const first = await gate.hold(['urn:g']);
  const second = gate.hold(['urn:h']).then((release) => {
    events.push('second');
    release();
  });
  const opened = gate.opened().then(() => events.push('opened'));
  events.push('first');
  first();
  await Promise.all([second, opened]);
  assert.deepEqual(events, ['first', 'second', 'opened']);
});

test('the table of graphs has the empty ones', () => {
  const table = new GraphTable();
  const info = { size: 0, sequence: 1, modified: 1, since: 1 };
  table.apply([
    ['urn:a', info],
    ['urn:b', { ...info, size: 1 }],
    ['urn:c', info],
  ]);
  assert.deepEqual([...table.empty], ['urn:a', 'urn:c']);
  table.apply([
    ['urn:a', { ...info, size: 2 }],
    ['urn:b', info],
    ['urn:c', null],
  ]);
  assert.deepEqual([...table.empty], ['urn:b']);
});
