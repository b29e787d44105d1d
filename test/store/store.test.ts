import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DictionaryWriter } from '../../src/snapshot/dictionary-writer.ts';
import { SnapshotError } from '../../src/snapshot/snapshot-error.ts';
import { freshOxigraph, sharedOxigraph } from '../../src/store/oxigraph-instance.ts';
import { SimDisk } from '../simulation/sim-disk.ts';
import { blockOf } from '../support/blocks.ts';
import {
  commit,
  commitIf,
  contentOf,
  drop,
  merge,
  openOn,
  orderedContentOf,
  recordOf,
  replace,
} from '../support/stores.ts';

const G = 'urn:x:g';

function openNew() {
  return openOn(new SimDisk({ seed: 1 }));
}

test('merging counts what was added and what the graph holds', async () => {
  const store = await openNew();
  const first = await commit(
    store,
    merge(G, '<urn:s> <urn:p> "1" .\n<urn:s> <urn:p> "2" .\n<urn:s> <urn:p> "1" .'),
  );
  assert.deepEqual(first.outcomes, [{ existed: false, added: 2, removed: 0, size: 2 }]);
  const second = await commit(store, merge(G, '<urn:s> <urn:p> "2" .\n<urn:s> <urn:p> "3" .'));
  assert.deepEqual(second.outcomes, [{ existed: true, added: 1, removed: 0, size: 3 }]);
});

test('replacing keeps what is in both', async () => {
  const store = await openNew();
  await commit(store, merge(G, '<urn:s> <urn:p> "1" .\n<urn:s> <urn:p> "2" .'));
  const { outcomes } = await commit(store, replace(G, '<urn:s> <urn:p> "2" .\n<urn:s> <urn:p> "3" .'));
  assert.deepEqual(outcomes, [{ existed: true, added: 1, removed: 1, size: 2 }]);
  assert.deepEqual(contentOf(store), [`<urn:s> <urn:p> "2" <${G}> .`, `<urn:s> <urn:p> "3" <${G}> .`]);
});

test('a write that changes nothing makes no commit and keeps the state', async () => {
  const store = await openNew();
  const { sequence } = await commit(store, replace(G, '<urn:s> <urn:p> "1" .'));
  const [before] = store.opened().graphs;
  const again = await commit(store, replace(G, '<urn:s> <urn:p> "1" .'));
  assert.equal(again.sequence, sequence);
  assert.deepEqual(store.opened().graphs, [before]);
});

test('an empty graph exists until it is dropped, or stays when it is to be kept', async () => {
  const store = await openNew();
  await commit(store, replace(G, ''), replace('urn:x:kept', '<urn:s> <urn:p> "1" .'));
  assert.deepEqual(
    store.opened().graphs.map(([name, info]) => [name, info?.size]),
    [
      [G, 0],
      ['urn:x:kept', 1],
    ],
  );
  const { outcomes } = await commit(store, drop(G), drop('urn:x:kept', true), drop('urn:x:none'));
  assert.deepEqual(
    outcomes.map(({ existed, removed }) => [existed, removed]),
    [
      [true, 0],
      [true, 1],
      [false, 0],
    ],
  );
  assert.deepEqual(
    store.opened().graphs.map(([name, info]) => [name, info?.size]),
    [['urn:x:kept', 0]],
  );
});

test('a graph that is dropped and made again never has an old state', async () => {
  const store = await openNew();
  const sequences: number[] = [];
  for (let i = 0; i < 3; i++) {
    sequences.push((await commit(store, replace(G, '<urn:s> <urn:p> "1" .'))).sequence);
    await commit(store, drop(G));
  }
  assert.equal(new Set(sequences).size, 3);
});

test('quads keep their graphs when they are loaded, and lose them when they are merged', async () => {
  const store = await openNew();
  const quads = '<urn:s> <urn:p> "1" <urn:x:own> .\n<urn:s> <urn:p> "2" .';
  await commit(store, { kind: 'load', defaultGraph: 'urn:x:default', block: blockOf(quads) });
  assert.deepEqual(contentOf(store), [
    '<urn:s> <urn:p> "1" <urn:x:own> .',
    '<urn:s> <urn:p> "2" <urn:x:default> .',
  ]);
  await commit(store, drop('urn:x:own'), drop('urn:x:default'), merge(G, quads));
  assert.deepEqual(contentOf(store), [`<urn:s> <urn:p> "1" <${G}> .`, `<urn:s> <urn:p> "2" <${G}> .`]);
});

test('equal blank-node labels of two payloads are two nodes', async () => {
  const store = await openNew();
  await commit(store, merge(G, '_:a <urn:p> "1" .'), merge(G, '_:a <urn:p> "1" .'));
  await commit(store, merge(G, '_:a <urn:p> "1" .'));
  assert.equal(contentOf(store).length, 3);
});

test('operations of one transaction see each other', async () => {
  const store = await openNew();
  const { outcomes } = await commit(
    store,
    merge(G, '<urn:s> <urn:p> "1" .\n<urn:s> <urn:p> "2" .'),
    {
      kind: 'edit',
      graph: G,
      additions: blockOf('<urn:s> <urn:p> "3" .'),
      removals: blockOf('<urn:s> <urn:p> "1" .'),
    },
    drop('urn:x:none'),
  );
  assert.deepEqual(
    outcomes.map(({ size }) => size),
    [2, 2, 0],
  );
  assert.deepEqual(contentOf(store), [`<urn:s> <urn:p> "2" <${G}> .`, `<urn:s> <urn:p> "3" <${G}> .`]);
});

test('of two transactions of a group that ask for the same state one wins', async () => {
  const store = await openNew();
  const { results } = await store.commit(
    ['1', '2'].map((value) => ({
      preconditions: [{ graph: G, noneMatch: '*' as const }],
      operations: [replace(G, `<urn:s> <urn:p> "${value}" .`)],
    })),
  );
  assert.deepEqual(
    results.map((result) => result.ok || result.error.code),
    [true, 'precondition-failed'],
  );
  assert.deepEqual(contentOf(store), [`<urn:s> <urn:p> "1" <${G}> .`]);
});

test('a precondition on the state holds for that state alone', async () => {
  const store = await openNew();
  await commit(store, replace(G, '<urn:s> <urn:p> "1" .'));
  const { identity, graphs } = store.opened();
  const state = identity.name + graphs[0]![1]!.sequence.toString(36);
  const stale = await commitIf(store, { graph: G, match: ['old', 'older'] }, drop(G));
  assert.equal(stale.ok || stale.error.code, 'precondition-failed');
  assert.ok((await commitIf(store, { graph: G, match: ['old', state] }, replace(G, ''))).ok);
  assert.ok(!(await commitIf(store, { graph: G, match: [state] }, drop(G))).ok);
});

test('a full disk ends writing with a reason, leaves the data as they were, and a restart goes on', async () => {
  const disk = new SimDisk({ seed: 1 });
  const store = await openOn(disk);
  await commit(store, merge(G, '<urn:s> <urn:p> "1" .'));
  const content = contentOf(store);
  disk.failNext('append', 'ENOSPC');
  for (const _ of [1, 2]) {
    const { results, published } = await store.commit([
      { preconditions: [], operations: [merge(G, '<urn:s> <urn:p> "2" .')] },
    ]);
    assert.equal(published, null);
    assert.ok(results[0] && !results[0].ok && /disk is full/.test(results[0].error.message));
    assert.equal(results[0].error.code, 'store-full');
  }
  assert.deepEqual(contentOf(store), content);
  const reopened = await openOn(disk);
  assert.deepEqual(contentOf(reopened), content);
  await commit(reopened, merge(G, '<urn:s> <urn:p> "2" .'));
});

test('a failed sync acknowledges nothing, and nothing of it is half there afterwards', async () => {
  const disk = new SimDisk({ seed: 1 });
  const store = await openOn(disk);
  await commit(store, merge(G, '<urn:s> <urn:p> "1" .'));
  disk.failNext('sync');
  const { results } = await store.commit([
    { preconditions: [], operations: [merge(G, '<urn:s> <urn:p> "2" .\n<urn:s> <urn:p> "3" .')] },
  ]);
  assert.ok(!results[0]?.ok);
  disk.restart();
  assert.ok([1, 3].includes(contentOf(await openOn(disk)).length));
});

test('a graph that one transaction makes and drops again does not come back', async () => {
  const disk = new SimDisk({ seed: 1 });
  const store = await openOn(disk);
  await commit(store, merge(G, '<urn:s> <urn:p> "1" .'), drop(G));
  assert.deepEqual(store.opened().graphs, []);
  assert.deepEqual((await openOn(disk)).opened().graphs, []);
});

test('an empty graph that one transaction drops and makes again keeps its row', async () => {
  const disk = new SimDisk({ seed: 1 });
  const store = await openOn(disk);
  await commit(store, replace(G, ''));
  const { graphs } = store.opened();
  await commit(store, drop(G), replace(G, ''), merge('urn:x:h', '<urn:s> <urn:p> "1" .'));
  assert.deepEqual(new Map(store.opened().graphs).get(G), graphs[0]![1]);
  assert.deepEqual(new Map((await openOn(disk)).opened().graphs), new Map(store.opened().graphs));
});

/** Oxigraph's heap in tests is a few MiB; nothing fits a limit below it. */
const NO_ROOM = { recordMax: 1 };

test('a write that the memory has no room for is refused before anything is journalled; removals are not', async () => {
  const disk = new SimDisk({ seed: 1 });
  await commit(await openOn(disk), merge(G, '<urn:s> <urn:p> "1" .'));
  const { used } = disk;
  const store = await openOn(disk, NO_ROOM);
  const { results } = await store.commit([
    { preconditions: [], operations: [merge(G, '<urn:s> <urn:p> "2" .')] },
    { preconditions: [], operations: [merge(G, '<urn:s> <urn:p> "1" .')] },
    { preconditions: [], operations: [drop('urn:x:none'), merge(G, '<urn:s> <urn:p> "3" .')] },
  ]);
  assert.deepEqual(
    results.map((result) => result.ok || result.error.code),
    ['store-full', true, 'store-full'],
  );
  assert.equal(disk.used, used);
  assert.equal(store.fault, undefined);
  await commit(store, drop(G));
  assert.deepEqual(contentOf(store), []);
});

test('a write fits again when the memory that removed quads hold is got back', async () => {
  const disk = new SimDisk({ seed: 1 });
  const heap = freshOxigraph().heapBytes();
  const store = await openOn(disk, { recordMax: heap + 24 * 2 ** 20 });
  const quads = 10_000;
  for (let round = 0; round < 10; round++) {
    const rows = Array.from({ length: quads }, (_, i) => `<urn:s${i}> <urn:p> "${round} ${i}" .`);
    await commit(store, replace(G, rows.join('\n')));
  }
  assert.equal(recordOf(store).length, quads);
  assert.deepEqual(recordOf(store), contentOf(store));
  assert.equal(contentOf(await openOn(disk, { recordMax: heap + 24 * 2 ** 20 })).length, quads);
});

test('a write that the dictionary has no room for is refused, and others go on', async () => {
  const store = await openNew();
  await commit(store, merge(G, '<urn:s> <urn:p> "1" .'));
  const { intern } = DictionaryWriter.prototype;
  DictionaryWriter.prototype.intern = () => {
    throw new SnapshotError('store-full', 'The dictionary of terms is full.');
  };
  try {
    const { results } = await store.commit([
      { preconditions: [], operations: [drop(G), merge(G, '<urn:s> <urn:p> "2" .')] },
      { preconditions: [], operations: [merge('urn:s', '<urn:s> <urn:p> "1" .')] },
    ]);
    assert.deepEqual(
      results.map((result) => result.ok || result.error.code),
      ['store-full', true],
    );
  } finally {
    DictionaryWriter.prototype.intern = intern;
  }
  assert.equal(store.fault, undefined);
  assert.equal(contentOf(store).length, 2);
  assert.deepEqual(recordOf(store), contentOf(store));
});

test('an Oxigraph that fails after the sync is replaced by a new one, and the commit stands', async () => {
  const store = await openNew();
  await commit(store, merge(G, '<urn:s> <urn:p> "1" .'));
  const { Store } = sharedOxigraph();
  const { load } = Store.prototype;
  let failures = 1;
  Store.prototype.load = function (...args: Parameters<typeof load>) {
    if (failures-- > 0) throw new WebAssemblyTrap('unreachable');
    return load.apply(this, args);
  };
  try {
    await commit(store, merge(G, '<urn:s> <urn:p> "2" .'));
  } finally {
    Store.prototype.load = load;
  }
  assert.equal(store.fault, undefined);
  assert.deepEqual(recordOf(store), contentOf(store));
  assert.equal(contentOf(store).length, 2);
});

class WebAssemblyTrap extends Error {
  override readonly name = 'RuntimeError';
}

test('a refused transaction leaves no trace: terms have the order that a restart gives them', async () => {
  const disk = new SimDisk({ seed: 1 });
  const heap = freshOxigraph().heapBytes();
  const store = await openOn(disk, { recordMax: heap + 4 * 2 ** 20 });
  const many = Array.from({ length: 20_000 }, (_, i) => `<urn:z> <urn:p> "${20_000 - i}" .`).join('\n');
  const { results } = await store.commit([
    { preconditions: [], operations: [merge(G, many)] },
    { preconditions: [], operations: [merge(G, '<urn:a> <urn:p> "7" .\n<urn:z> <urn:p> "6" .')] },
  ]);
  assert.deepEqual(
    results.map((result) => result.ok || result.error.code),
    ['store-full', true],
  );
  assert.equal(orderedContentOf(await openOn(disk)), orderedContentOf(store));
});

test('a checkpoint that fails is tried again later, and its files go', async () => {
  const disk = new SimDisk({ seed: 1 });
  const store = await openOn(disk, { journalMax: 64 });
  await commit(store, merge(G, '<urn:s> <urn:p> "1" .'));
  const wanted = await store.wantedMaintenance();
  assert.ok(wanted?.kind === 'checkpoint');
  disk.put(wanted.quadsFile, Buffer.from('half'));
  const error = { code: 'internal', message: 'no', details: {} } as const;
  await assert.rejects(store.endMaintenance({ kind: 'checkpoint', result: { ok: false, error } }));
  assert.deepEqual(
    (await disk.list('')).filter((name) => name.startsWith('checkpoint')),
    [],
  );
  await commit(store, merge(G, '<urn:s> <urn:p> "2" .'));
  assert.equal(await store.wantedMaintenance(), undefined);
});

test('a group too big for one append is committed in parts, and answered whole', async () => {
  const disk = new SimDisk({ seed: 1 });
  const store = await openOn(disk);
  const long = 'long '.repeat(2 ** 20);
  const rows = Array.from({ length: 8 }, (_, i) => `<urn:s${i}> <urn:p> "${long}" .`).join('\n');
  const group = ['a', 'b', 'c'].map((name) => ({
    preconditions: [],
    operations: [merge(`urn:x:${name}`, rows)],
  }));
  const { steps } = disk;
  const { results, published } = await store.commit(group);
  const appendAndSync = 2;
  assert.equal(disk.steps - steps, 2 * appendAndSync);
  assert.deepEqual(
    results.map((result) => result.ok && result.value.sequence),
    [1, 2, 3],
  );
  assert.equal(published?.snapshot.sequence, 3);
  assert.equal(published?.graphs.length, 3);
});
