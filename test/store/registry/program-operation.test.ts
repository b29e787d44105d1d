import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import fc from 'fast-check';
import { openSnapshot } from '../../../src/snapshot/read/reader.ts';
import type { Transaction } from '../../../src/store/main/transaction.ts';
import { stateOf } from '../../../src/store/registry/identity.ts';
import type { ProgramOperation } from '../../../src/store/registry/program-operation.ts';
import {
  MAX_PROGRAM_BYTES,
  MAX_PROGRAMS,
  programNames,
  programRow,
} from '../../../src/store/registry/program-registry.ts';
import type { Store } from '../../../src/store/thread/store.ts';
import { SimDisk } from '../../simulation/sim-disk.ts';
import { commit, contentOf, drop, maintain, merge, openOn } from '../../support/stores.ts';

const TEXT = '{"program":"name = foaf:name ;\\n \\"é\\""}';

function put(program: string, definition: string): ProgramOperation {
  return { kind: 'store-program', program, definition };
}

function remove(program: string): ProgramOperation {
  return { kind: 'remove-program', program };
}

describe('stored programs of a store', () => {
  let disk: SimDisk;
  let store: Store;
  const reader = () => openSnapshot(store.opened().snapshot);
  const row = (name: string) => programRow(reader(), name);
  const state = (sequence: number) => stateOf(store.opened().identity, sequence);
  const attempt = async (transaction: Transaction) => (await store.commit([transaction])).results[0]!;

  beforeEach(async () => {
    disk = new SimDisk({ seed: 1 });
    store = await openOn(disk);
  });

  it('are found by their names, with the commit that stored them', async () => {
    await commit(store, merge('urn:x:g', '<urn:s> <urn:p> "1" .'));
    const { sequence, outcomes } = await commit(store, put('people', TEXT));
    assert.deepEqual(row('people')?.definition, TEXT);
    assert.equal(row('people')?.sequence, sequence);
    assert.equal(outcomes[0]?.contentSequence, sequence);
    assert.equal(outcomes[0]?.existed, false);
    assert.equal(row('peopl'), undefined);
    assert.equal(row('people2'), undefined);
  });

  it('are listed by name, in order', async () => {
    await commit(store, put('b', '1'), put('a', '2'), put('a.b-C_9', '3'), {
      kind: 'register',
      resource: 'urn:x-pathpool:system',
    });
    assert.deepEqual(programNames(reader()), ['a', 'a.b-C_9', 'b']);
  });

  it('keep their commit when the same definition is stored again', async () => {
    const first = await commit(store, put('people', TEXT));
    const again = await commit(store, put('people', TEXT));
    assert.equal(again.sequence, first.sequence);
    assert.equal(again.outcomes[0]?.contentSequence, first.sequence);
    assert.equal(again.outcomes[0]?.existed, true);
  });

  it('get a newer state when they are changed, or removed and stored again', async () => {
    const first = await commit(store, put('people', TEXT));
    const changed = await commit(store, put('people', '{}'));
    assert.ok(changed.sequence > first.sequence);
    const { outcomes } = await commit(store, remove('people'));
    assert.equal(outcomes[0]?.existed, true);
    assert.equal(row('people'), undefined);
    assert.deepEqual(programNames(reader()), []);
    const again = await commit(store, put('people', TEXT));
    assert.equal(row('people')?.sequence, again.sequence);
    assert.ok(again.sequence > changed.sequence);
  });

  it('removes nothing where there is none', async () => {
    const before = store.opened().snapshot.sequence;
    const { sequence, outcomes } = await commit(store, remove('people'));
    assert.equal(sequence, before);
    assert.equal(outcomes[0]?.existed, false);
  });

  it('are changed only in the state that a precondition names', async () => {
    const { sequence } = await commit(store, put('people', TEXT));
    const ifMatch = (states: readonly string[], operation: ProgramOperation) =>
      attempt({ preconditions: [{ program: 'people', match: states }], operations: [operation] });
    const failed = await ifMatch([state(sequence - 1)], put('people', '{}'));
    assert.equal(!failed.ok && failed.error.code, 'precondition-failed');
    assert.match(failed.ok ? '' : failed.error.message, /'people'/);
    assert.equal((await ifMatch([state(sequence)], put('people', '{}'))).ok, true);
    const taken = await attempt({
      preconditions: [{ program: 'people', noneMatch: '*' }],
      operations: [put('people', TEXT)],
    });
    assert.equal(!taken.ok && taken.error.code, 'precondition-failed');
  });

  it('survive checkpoints, compactions and restarts', async () => {
    await commit(store, put('people', TEXT), put('places', '{}'));
    await commit(store, remove('places'), merge('urn:x:g', '<urn:s> <urn:p> "1" .'));
    const before = row('people');
    while ((await maintain(store, disk)) !== 'nothing');
    await store.close();
    store = await openOn(disk);
    assert.deepEqual(row('people'), before);
    assert.deepEqual(programNames(reader()), ['people']);
    disk.kill();
    store = await openOn(disk);
    assert.deepEqual(row('people'), before);
  });

  it('are not part of the data, and survive the deletion of all of it', async () => {
    await commit(store, merge('urn:x:g', '<urn:s> <urn:p> "1" .'), put('people', TEXT));
    const predicate = reader().find('<urn:x-pathpool:program:people>');
    assert.equal(reader().mentions(predicate), false);
    await commit(store, drop('urn:x:g'));
    const resource = 'urn:x-pathpool:program:people';
    await commit(store, { kind: 'erase', resource, keep: false, protectedSpace: 'http://localhost/ldp' });
    assert.equal(row('people')?.definition, TEXT);
    assert.equal(contentOf(store).length, 1);
  });

  it(`are ${MAX_PROGRAMS} at most`, async () => {
    const all = Array.from({ length: MAX_PROGRAMS }, (_, i) => put(`p${i}`, '{}'));
    await commit(store, ...all);
    const one = await attempt({ preconditions: [], operations: [put('more', '{}')] });
    assert.equal(!one.ok && one.error.code, 'store-full');
    await commit(store, put('p7', '{"changed":true}'));
    await commit(store, remove('p8'));
    await commit(store, put('more', '{}'));
    assert.equal(programNames(reader()).length, MAX_PROGRAMS);
  });

  it('have a limited length together', async () => {
    const quarter = 'x'.repeat(MAX_PROGRAM_BYTES / 4);
    const parts = ['a', 'b', 'c', 'd'].map((name) => put(name, quarter.slice(100)));
    for (const part of parts) await commit(store, part);
    for (const name of ['more', 'a']) {
      const one = await attempt({ preconditions: [], operations: [put(name, quarter.repeat(2))] });
      assert.equal(!one.ok && one.error.code, 'store-full', name);
    }
    assert.equal((await attempt({ preconditions: [], operations: [parts[0]!] })).ok, true);
    await commit(store, put('a', '{}'));
    await commit(store, put('more', quarter));
    assert.deepEqual(programNames(reader()), ['a', 'b', 'c', 'd', 'more']);
  });

  it('change all together or not at all', async () => {
    const { sequence } = await commit(store, put('people', TEXT));
    await assert.rejects(
      commit(store, put('people', '{}'), merge('urn:x-pathpool:system', '<urn:s> <urn:p> "1" .')),
    );
    assert.equal(row('people')?.sequence, sequence);
  });
});

/** Returns the definitions of all programs by name. */
function definitionsOf(store: Store): Record<string, string> {
  const reader = openSnapshot(store.opened().snapshot);
  const names = programNames(reader);
  return Object.fromEntries(names.map((name) => [name, programRow(reader, name)!.definition]));
}

describe('stored programs and failures', () => {
  it('are the earlier or the new ones after a power cut at any step', async () => {
    for (let step = 0, crashed = true; crashed; step++) {
      const disk = new SimDisk({ seed: step });
      const store = await openOn(disk);
      await commit(store, put('changed', '1'), put('removed', '2'));
      const before = definitionsOf(store);
      disk.crashAfter(step);
      const operations = [put('changed', '3'), remove('removed'), put('new', '4')];
      await store.commit([{ preconditions: [], operations }]);
      crashed = disk.crashed;
      disk.restart();
      const after = definitionsOf(await openOn(disk));
      const isNew = 'new' in after;
      assert.deepEqual(after, isNew ? { changed: '3', new: '4' } : before, `step ${step}`);
      assert.ok(crashed || isNew);
    }
  });

  it('are what the last operations made them, whatever happens between', async () => {
    const name = fc.constantFrom('a', 'b', 'c.1');
    const step = fc.oneof(
      { weight: 4, arbitrary: fc.tuple(name, fc.string({ unit: 'binary', maxLength: 8 })) },
      { weight: 2, arbitrary: fc.tuple(name) },
      fc.constantFrom('checkpoint', 'restart', 'kill'),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
        const disk = new SimDisk({ seed: 1 });
        let store = await openOn(disk);
        const model = new Map<string, string>();
        for (const each of steps) {
          if (typeof each !== 'string') {
            const [program, definition] = each;
            await commit(store, definition === undefined ? remove(program) : put(program, definition));
            if (definition === undefined) model.delete(program);
            else model.set(program, definition);
          } else if (each === 'checkpoint') while ((await maintain(store, disk)) !== 'nothing');
          else {
            if (each === 'kill') disk.kill();
            else await store.close();
            store = await openOn(disk);
          }
          assert.deepEqual(definitionsOf(store), Object.fromEntries(model));
        }
      }),
    );
  });
});
