import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type BaseChange, settleBase } from '../../../src/services/resources/base-change.ts';
import { openSnapshot } from '../../../src/snapshot/read/reader.ts';
import type { Transaction } from '../../../src/store/main/transaction.ts';
import { basesOfRoots, recordedBase } from '../../../src/store/registry/base-registry.ts';
import type { Store } from '../../../src/store/thread/store.ts';
import { SimDisk } from '../../simulation/sim-disk.ts';
import { create, graphNames } from '../../support/ldp-store.ts';
import { commit, contentOf, openOn, replace } from '../../support/stores.ts';

const A = 'http://localhost:8080';
const B = 'http://localhost:8081';

/** Returns a store as the main thread sees it. */
function clientOf(store: Store) {
  return {
    get snapshot() {
      return store.opened().snapshot;
    },
    graphs: { entries: () => new Map(store.opened().graphs).entries() as never },
    commit: async (transaction: Transaction) => (await store.commit([transaction])).results[0]!,
  };
}

/** Starts with a base, and creates the root like a server. Returns `served` or an error code. */
async function start(store: Store, base: string, change: BaseChange = 'refuse'): Promise<string> {
  try {
    const { recorded } = await settleBase(clientOf(store), base, change);
    assert.equal(await recorded, undefined);
  } catch (error) {
    return (error as { code: string }).code;
  }
  const target = `${base}/ldp`;
  if (!rootsOf(store).includes(base)) await commit(store, { kind: 'ldp-root', target, label: 'Root' });
  return 'served';
}

function rootsOf(store: Store): string[] {
  return basesOfRoots(openSnapshot(store.opened().snapshot)).sort();
}

function recordOf(store: Store): string | undefined {
  return recordedBase(openSnapshot(store.opened().snapshot));
}

async function newStore(): Promise<Store> {
  return openOn(new SimDisk({ seed: 1 }));
}

test('the first base is recorded once', async () => {
  const store = await newStore();
  assert.equal(await start(store, A), 'served');
  assert.equal(recordOf(store), A);
  const { sequence } = store.opened().snapshot;
  assert.equal(await start(store, A), 'served');
  assert.equal(store.opened().snapshot.sequence, sequence);
});

test('another base replaces the first and deletes its root while nothing else depends on it', async () => {
  const store = await newStore();
  await start(store, A);
  assert.equal(await start(store, B), 'served');
  assert.deepEqual([recordOf(store), rootsOf(store)], [B, [B]]);
});

for (const [what, operation] of [
  ['a resource of the LDP space', create(`${A}/ldp/x`)],
  ['a graph', replace(`${A}/context/g`, '')],
  ['a resource', { kind: 'register', resource: `${A}/resource/r` }],
] as const) {
  test(`another base is rejected if ${what} has a name of the first, and nothing changes`, async () => {
    const store = await newStore();
    await start(store, A);
    await commit(store, operation);
    const content = contentOf(store);
    assert.equal(await start(store, B), 'bad-arguments');
    assert.deepEqual(contentOf(store), content);
    assert.equal(await start(store, A), 'served');
  });
}

test('an accepted base replaces the first, which is rejected from then on', async () => {
  const store = await newStore();
  await start(store, A);
  await commit(store, create(`${A}/ldp/x`));
  const content = contentOf(store).filter((line) => !line.includes('pathpool:base'));
  assert.equal(await start(store, B, 'accept'), 'served');
  assert.ok(content.every((line) => contentOf(store).includes(line)));
  assert.deepEqual([recordOf(store), rootsOf(store)], [B, [A, B]]);
  await commit(store, create(`${B}/ldp/x`));
  assert.equal(await start(store, B), 'served');
  assert.equal(await start(store, A), 'bad-arguments');
  assert.equal(await start(store, A, 'accept'), 'served');
  assert.equal(recordOf(store), A);
});

test('a migration replaces the names of the first base with those of the other', async () => {
  const store = await newStore();
  await start(store, A);
  await commit(store, create(`${A}/ldp/x`), replace(`${A}/context/g`, '<urn:s> <urn:p> <urn:o> .'));
  assert.equal(await start(store, B, 'migrate'), 'served');
  assert.deepEqual([recordOf(store), rootsOf(store)], [B, [B]]);
  assert.deepEqual(
    graphNames(store).filter((name) => name.includes('context')),
    [`${B}/context/g`],
  );
  assert.equal(await start(store, B, 'migrate'), 'served');
  assert.equal(await start(store, A), 'bad-arguments');
});

test('an impossible migration is rejected, and nothing changes', async () => {
  const store = await newStore();
  await start(store, A);
  await commit(store, replace(`${A}/context/g`, ''), replace(`${B}/context/g`, ''));
  const content = contentOf(store);
  assert.equal(await start(store, B, 'migrate'), 'bad-arguments');
  assert.deepEqual(contentOf(store), content);
});

/** Acts like versions that recorded no base, and created a root for each. */
async function startedUnrecorded(...bases: readonly string[]): Promise<Store> {
  const store = await newStore();
  for (const base of bases) await commit(store, { kind: 'ldp-root', target: `${base}/ldp`, label: 'Root' });
  return store;
}

test('an older directory has the base of its resources', async () => {
  const store = await startedUnrecorded(A);
  await commit(store, create(`${A}/ldp/x`));
  assert.equal(await start(store, B), 'bad-arguments');
  assert.equal(recordOf(store), undefined);
  assert.equal(await start(store, A), 'served');
  assert.equal(recordOf(store), A);
});

test('an older directory has the base of its resources, even after starts with other bases', async () => {
  const store = await startedUnrecorded(A, B, 'http://localhost:8082');
  await commit(store, create(`${A}/ldp/x`));
  assert.equal(await start(store, B), 'bad-arguments');
  assert.equal(await start(store, B, 'migrate'), 'served');
  assert.deepEqual([recordOf(store), rootsOf(store)], [B, [B]]);
});

test('an older directory with resources of two bases accepts either', async () => {
  const store = await startedUnrecorded(A, B);
  await commit(store, create(`${A}/ldp/x`), create(`${B}/ldp/x`));
  assert.equal(await start(store, B), 'served');
  assert.equal(await start(store, A), 'bad-arguments');
});

test('an older directory without a root accepts the base of its first start', async () => {
  const store = await newStore();
  await commit(store, replace(`${A}/context/g`, ''));
  assert.equal(await start(store, B), 'served');
  assert.equal(recordOf(store), B);
});
