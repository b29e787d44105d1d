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

/** A store as the main thread sees it. */
function clientOf(store: Store) {
  return {
    get snapshot() {
      return store.opened().snapshot;
    },
    graphs: { entries: () => new Map(store.opened().graphs).entries() as never },
    commit: async (transaction: Transaction) => (await store.commit([transaction])).results[0]!,
  };
}

/** A start with a base: `served`, or the code of its error. It makes the root as a server does. */
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

test('the first base is recorded, once', async () => {
  const store = await newStore();
  assert.equal(await start(store, A), 'served');
  assert.equal(recordOf(store), A);
  const { sequence } = store.opened().snapshot;
  assert.equal(await start(store, A), 'served');
  assert.equal(store.opened().snapshot.sequence, sequence);
});

test('another base is recorded while nothing depends on the first, and the first root is deleted', async () => {
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
  test(`another base is rejected when ${what} has a name of the first, and nothing changes`, async () => {
    const store = await newStore();
    await start(store, A);
    await commit(store, operation);
    const content = contentOf(store);
    assert.equal(await start(store, B), 'bad-arguments');
    assert.deepEqual(contentOf(store), content);
    assert.equal(await start(store, A), 'served');
  });
}

test('another base replaces the first when it is accepted, and the first is rejected from then on', async () => {
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

test('a migration replaces the names of the first base by those of the other', async () => {
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

/** What versions did that recorded no base: they made a root for each. */
async function startedUnrecorded(...bases: readonly string[]): Promise<Store> {
  const store = await newStore();
  for (const base of bases) await commit(store, { kind: 'ldp-root', target: `${base}/ldp`, label: 'Root' });
  return store;
}

test('the base of an older directory is that of its resources', async () => {
  const store = await startedUnrecorded(A);
  await commit(store, create(`${A}/ldp/x`));
  assert.equal(await start(store, B), 'bad-arguments');
  assert.equal(recordOf(store), undefined);
  assert.equal(await start(store, A), 'served');
  assert.equal(recordOf(store), A);
});

test('of an older directory that was served under another base by mistake too', async () => {
  const store = await startedUnrecorded(A, B, 'http://localhost:8082');
  await commit(store, create(`${A}/ldp/x`));
  assert.equal(await start(store, B), 'bad-arguments');
  assert.equal(await start(store, B, 'migrate'), 'served');
  assert.deepEqual([recordOf(store), rootsOf(store)], [B, [B]]);
});

test('of an older directory that has resources of two bases either is right', async () => {
  const store = await startedUnrecorded(A, B);
  await commit(store, create(`${A}/ldp/x`), create(`${B}/ldp/x`));
  assert.equal(await start(store, B), 'served');
  assert.equal(await start(store, A), 'bad-arguments');
});

test('an older directory without a root takes the base of its first start', async () => {
  const store = await newStore();
  await commit(store, replace(`${A}/context/g`, ''));
  assert.equal(await start(store, B), 'served');
  assert.equal(recordOf(store), B);
});
