import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import { openSnapshot } from '../../../src/snapshot/read/reader.ts';
import type { Operation, Transaction } from '../../../src/store/main/transaction.ts';
import { stateOf } from '../../../src/store/registry/identity.ts';
import type { PrefixOperation, PrefixPair } from '../../../src/store/registry/prefix-operation.ts';
import {
  MAX_STORED_PREFIXES,
  prefixRow,
  prefixRows,
  prefixTableState,
} from '../../../src/store/registry/prefix-registry.ts';
import type { Store } from '../../../src/store/thread/store.ts';
import { SimDisk } from '../../simulation/sim-disk.ts';
import { commit, drop, maintain, merge, openOn } from '../../support/stores.ts';

const put = (prefix: string, namespace: string): PrefixOperation => ({
  kind: 'store-prefix',
  prefix,
  namespace,
});
const remove = (prefix: string): PrefixOperation => ({ kind: 'remove-prefix', prefix });
const learn = (...learned: PrefixPair[]): PrefixOperation => ({ kind: 'learn-prefixes', learned });

function tableOf(store: Store): Record<string, string> {
  const rows = prefixRows(openSnapshot(store.opened().snapshot));
  return Object.fromEntries([...rows].map(([name, { namespace }]) => [name, namespace]));
}

describe('stored prefixes of a store', () => {
  let disk: SimDisk;
  let store: Store;
  const reader = () => openSnapshot(store.opened().snapshot);
  const row = (name: string) => prefixRow(reader(), name);
  const state = (sequence: number) => stateOf(store.opened().identity, sequence);
  const attempt = async (transaction: Transaction) => (await store.commit([transaction])).results[0]!;

  beforeEach(async () => {
    disk = new SimDisk({ seed: 1 });
    store = await openOn(disk);
  });

  it('are found by their names, with the commit that stored them', async () => {
    await commit(store, merge('urn:x:g', '<urn:s> <urn:p> "1" .'));
    const { sequence, outcomes } = await commit(store, put('ex', 'http://example.org/ä#'));
    assert.equal(row('ex')?.namespace, 'http://example.org/ä#');
    assert.equal(row('ex')?.sequence, sequence);
    assert.deepEqual(outcomes[0], { ...outcomes[0], contentSequence: sequence, existed: false });
    assert.equal(row('e'), undefined);
    assert.deepEqual(prefixTableState(reader()), { sequence, removed: 0, count: 1 });
  });

  it('keep their commit and their state when the same namespace is stored again', async () => {
    const first = await commit(store, put('ex', 'urn:ex:'));
    const again = await commit(store, put('ex', 'urn:ex:'));
    assert.equal(again.sequence, first.sequence);
    assert.equal(again.outcomes[0]?.contentSequence, first.sequence);
    assert.equal(again.outcomes[0]?.existed, true);
  });

  it('have a new state when they are changed, removed, and stored again', async () => {
    const states = [prefixTableState(reader())];
    for (const each of [put('ex', 'urn:a:'), put('ex', 'urn:b:'), remove('ex'), put('ex', 'urn:a:')]) {
      const { sequence } = await commit(store, each);
      assert.equal(prefixTableState(reader()).sequence, sequence);
      states.push(prefixTableState(reader()));
    }
    assert.deepEqual(
      states.map(({ count }) => count),
      [0, 1, 1, 0, 1],
    );
    assert.equal(states[4]!.removed, states[3]!.sequence);
    const { outcomes } = await commit(store, remove('nothing'));
    assert.equal(outcomes[0]?.existed, false);
    assert.deepEqual(prefixTableState(reader()), states[4]);
  });

  it('are learned only if they are not stored yet', async () => {
    await commit(store, put('a', 'urn:a:'));
    const before = store.opened().snapshot.sequence;
    await commit(store, merge('urn:x:g', '<urn:s> <urn:p> "1" .'), learn(['a', 'urn:x:'], ['b', 'urn:b:']));
    assert.deepEqual(tableOf(store), { a: 'urn:a:', b: 'urn:b:' });
    assert.equal(prefixTableState(reader()).sequence, before + 1);
    await commit(store, learn(['a', 'urn:x:'], ['b', 'urn:y:']));
    assert.equal(store.opened().snapshot.sequence, before + 1);
  });

  it('are changed only in the state that a precondition names', async () => {
    const { sequence } = await commit(store, put('ex', 'urn:a:'));
    const ifMatch = (seen: number, operation: PrefixOperation) =>
      attempt({ preconditions: [{ prefix: 'ex', match: [state(seen)] }], operations: [operation] });
    const failed = await ifMatch(sequence - 1, put('ex', 'urn:b:'));
    assert.equal(!failed.ok && failed.error.code, 'precondition-failed');
    assert.match(failed.ok ? '' : failed.error.message, /'ex'/);
    assert.equal((await ifMatch(sequence, remove('ex'))).ok, true);
  });

  it('survive checkpoints, compactions and restarts, and the deletion of all data', async () => {
    await commit(store, merge('urn:x:g', '<urn:s> <urn:p> "1" .'), put('a', 'urn:a:'), put('b', 'urn:b:'));
    await commit(store, remove('b'), drop('urn:x:g'));
    const before = row('a');
    while ((await maintain(store, disk)) !== 'nothing');
    await store.close();
    store = await openOn(disk);
    assert.deepEqual(row('a'), before);
    disk.kill();
    store = await openOn(disk);
    assert.deepEqual(row('a'), before);
    assert.equal(prefixTableState(reader()).count, 1);
  });

  it(`are ${MAX_STORED_PREFIXES} at most`, async () => {
    const all = Array.from({ length: MAX_STORED_PREFIXES - 1 }, (_, i): PrefixPair => [`p${i}`, `urn:${i}:`]);
    await commit(store, learn(...all));
    await commit(store, learn(['last', 'urn:last:'], ['over', 'urn:over:']));
    assert.equal(prefixTableState(reader()).count, MAX_STORED_PREFIXES);
    assert.equal(row('over'), undefined);
    const one = await attempt({ preconditions: [], operations: [put('over', 'urn:over:')] });
    assert.equal(!one.ok && one.error.code, 'store-full');
    await commit(store, put('last', 'urn:changed:'));
    await commit(store, remove('p7'));
    await commit(store, put('over', 'urn:over:'));
    assert.equal(prefixRows(reader()).size, MAX_STORED_PREFIXES);
  });
});

describe('stored prefixes and failures', () => {
  it('are the earlier or the new ones after a power cut at each step', async () => {
    for (let step = 0, crashed = true; crashed; step++) {
      const disk = new SimDisk({ seed: step });
      const store = await openOn(disk);
      await commit(store, put('changed', 'urn:1:'), put('removed', 'urn:2:'));
      const before = tableOf(store);
      disk.crashAfter(step);
      const operations = [put('changed', 'urn:3:'), remove('removed'), learn(['new', 'urn:4:'])];
      await store.commit([{ preconditions: [], operations }]);
      crashed = disk.crashed;
      disk.restart();
      const after = tableOf(await openOn(disk));
      const isNew = 'new' in after;
      assert.deepEqual(after, isNew ? { changed: 'urn:3:', new: 'urn:4:' } : before, `step ${step}`);
      assert.ok(crashed || isNew);
    }
  });

  it('are what the last operations made them, also several of one transaction', async () => {
    const name = fc.constantFrom('a', 'b', 'c');
    const namespace = fc.constantFrom('urn:1:', 'urn:2:');
    const operation: fc.Arbitrary<Operation> = fc.oneof(
      fc.tuple(name, namespace).map(([each, iri]) => put(each, iri)),
      name.map(remove),
      fc.array(fc.tuple(name, namespace), { maxLength: 3 }).map((pairs) => learn(...pairs)),
    );
    const step = fc.oneof(
      { weight: 6, arbitrary: fc.array(operation, { minLength: 1, maxLength: 4 }) },
      fc.constantFrom('checkpoint', 'kill'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
        const disk = new SimDisk({ seed: 1 });
        let store = await openOn(disk);
        const model = new Map<string, string>();
        for (const each of steps) {
          if (typeof each !== 'string') {
            await commit(store, ...each);
            for (const one of each) applyTo(model, one as PrefixOperation);
          } else if (each === 'checkpoint') while ((await maintain(store, disk)) !== 'nothing');
          else {
            disk.kill();
            store = await openOn(disk);
          }
          assert.deepEqual(tableOf(store), Object.fromEntries([...model].sort()));
          assert.equal(prefixTableState(openSnapshot(store.opened().snapshot)).count, model.size);
        }
      }),
    );
  });
});

function applyTo(model: Map<string, string>, operation: PrefixOperation): void {
  if (operation.kind === 'store-prefix') model.set(operation.prefix, operation.namespace);
  else if (operation.kind === 'remove-prefix') model.delete(operation.prefix);
  else
    for (const [prefix, namespace] of operation.learned) if (!model.has(prefix)) model.set(prefix, namespace);
}
