import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { failure, type Result } from '../../../src/errors.ts';
import { StoredPrograms } from '../../../src/services/ldpath/stored-programs.ts';
import type { Transaction } from '../../../src/store/main/transaction.ts';
import type { Store } from '../../../src/store/thread/store.ts';
import { SimDisk } from '../../simulation/sim-disk.ts';
import { fakeCaller } from '../../support/callers.ts';
import { commit, drop, maintain, merge, openOn } from '../../support/stores.ts';

const caller = fakeCaller();
const fine: Result<Uint8Array> = { ok: true, value: Buffer.from('[]') };

describe('the service of stored programs', () => {
  let disk: SimDisk;
  let store: Store;
  let checked: Result<Uint8Array>;
  let programs: StoredPrograms;
  const put = async (name: string, source: string) => {
    const stored = await programs.put(name, { source, starts: undefined }, undefined, caller);
    assert.ok(stored.ok, JSON.stringify(stored));
    return stored.value;
  };

  beforeEach(async () => {
    disk = new SimDisk({ seed: 1 });
    store = await openOn(disk);
    checked = fine;
    const client = {
      get snapshot() {
        return store.opened().snapshot;
      },
      commit: async (transaction: Transaction) => (await store.commit([transaction])).results[0]!,
      state: (sequence: number) => `s${sequence}`,
      identityName: 'abcdefgh',
      writeError: undefined,
    };
    programs = new StoredPrograms(client, { check: async () => checked, traceability: async () => checked });
  });

  it('returns one object for a program as long as it is the same, so that caches find it', async () => {
    await put('a', 'x = . ;');
    const first = programs.get('a');
    await commit(store, merge('urn:x:g', '<urn:s> <urn:p> "1" .'));
    assert.equal(programs.get('a'), first);
    assert.equal(programs.list()[0], first);
    await put('a', 'y = . ;');
    assert.equal(programs.get('a')?.source, 'y = . ;');
    await programs.remove('a', undefined);
    assert.equal(programs.get('a'), undefined);
    assert.deepEqual(programs.list(), []);
  });

  it('reads the right rows after terms have got other ids', async () => {
    await put('a', 'x = . ;');
    await put('b', 'y = . ;');
    const rows = Array.from({ length: 400 }, (_, i) => `<urn:s${i}> <urn:p> "${i}" .`);
    await commit(store, merge('urn:x:g', rows.join('\n')));
    const before = programs.list();
    await commit(store, drop('urn:x:g'));
    while ((await maintain(store, disk)) !== 'nothing');
    await store.close();
    store = await openOn(disk);
    assert.deepEqual(programs.list(), before);
    await put('c', 'z = . ;');
    assert.deepEqual(
      programs.list().map(({ name, source }) => [name, source]),
      [
        ['a', 'x = . ;'],
        ['b', 'y = . ;'],
        ['c', 'z = . ;'],
      ],
    );
  });

  it('stores nothing that does not compile', async () => {
    checked = failure('parse-error', 'No.');
    const stored = await programs.put('a', { source: 'x', starts: undefined }, undefined, caller);
    assert.equal(!stored.ok && stored.error.code, 'parse-error');
    assert.deepEqual(programs.list(), []);
  });

  it('takes prefixes in another order for the same program', async () => {
    const source = 'x = a:x | b:x ;';
    const [a, b] = [
      { a: 'urn:a:', b: 'urn:b:' },
      { b: 'urn:b:', a: 'urn:a:' },
    ];
    const first = await programs.put('p', { source, starts: undefined, namespaces: a }, undefined, caller);
    const again = await programs.put('p', { source, starts: undefined, namespaces: b }, undefined, caller);
    assert.ok(first.ok && again.ok);
    assert.equal(again.value.commit, first.value.commit);
    assert.deepEqual(programs.get('p')?.namespaces, a);
  });

  it('names commits as clients know them', () => {
    assert.equal(programs.position(7), 'abcdefgh.7');
    assert.deepEqual(programs.validators({ commit: 7, modified: 5 }), { state: 's7', modified: 5 });
  });
});
