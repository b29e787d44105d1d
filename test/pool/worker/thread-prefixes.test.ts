import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { ThreadPrefixes } from '../../../src/pool/worker/thread-prefixes.ts';
import { openSnapshot } from '../../../src/snapshot/read/reader.ts';
import type { Store } from '../../../src/store/thread/store.ts';
import { SimDisk } from '../../simulation/sim-disk.ts';
import { commit, merge, openOn } from '../../support/stores.ts';

const fixed = {
  prefixes: { foaf: 'urn:foaf:', given: 'urn:given:' },
  documentPrefixes: { given: 'urn:given:' },
};

describe('the prefixes of a thread', () => {
  let store: Store;
  let prefixes: ThreadPrefixes;
  const reader = () => openSnapshot(store.opened().snapshot);
  const known = () => prefixes.of(reader());
  const put = async (prefix: string, namespace: string) =>
    (await commit(store, { kind: 'store-prefix', prefix, namespace })).sequence;

  beforeEach(async () => {
    store = await openOn(new SimDisk({ seed: 1 }));
    prefixes = new ThreadPrefixes(fixed);
  });

  it('are those of the snapshot, before those that are fixed (P-96)', async () => {
    assert.deepEqual(known().forPrograms, fixed.prefixes);
    await put('foaf', 'urn:stored:');
    assert.deepEqual(known().forPrograms, { foaf: 'urn:stored:', given: 'urn:given:' });
    const documents = known().forDocuments;
    assert.equal(documents.byIri('urn:stored:')?.prefix, 'foaf');
    assert.equal(documents.byIri('urn:given:')?.prefix, 'given');
    assert.equal(documents.byIri('urn:foaf:'), undefined);
  });

  it('are the same object for two states, so that compiled programs are kept', async () => {
    await put('a', 'urn:a:');
    const earlier = reader();
    const first = prefixes.of(earlier);
    await commit(store, merge('urn:x:g', '<urn:s> <urn:p> "1" .'));
    assert.equal(known(), first);
    await put('b', 'urn:b:');
    const second = known();
    assert.notEqual(second, first);
    assert.equal(prefixes.of(earlier), first);
    assert.equal(known(), second);
    assert.deepEqual(first.forPrograms, { ...fixed.prefixes, a: 'urn:a:' });
  });

  it('may change the meaning of programs that name them, and a removal that of all', async () => {
    const since = await put('ex', 'urn:a:');
    assert.equal(known().mayChangeMeaning('x = ex:p ;', since), false);
    await put('ex', 'urn:b:');
    await put('größe', 'urn:c:');
    for (const source of [
      'x = ex:p ;',
      'x = ^ex : p ;',
      'x=(ex:p)*;',
      'fn:xpath("ex:a/größe:b")',
      'a\\:b = . ;',
    ]) {
      assert.equal(known().mayChangeMeaning(source, since), true, source);
    }
    for (const source of ['x = foaf:name ;', 'x = example:p ;', 'x = my-ex:p ;']) {
      assert.equal(known().mayChangeMeaning(source, since), false, source);
    }
    await commit(store, { kind: 'remove-prefix', prefix: 'ex' });
    assert.equal(known().mayChangeMeaning('x = foaf:name ;', since), true);
    const now = store.opened().snapshot.sequence;
    assert.equal(known().mayChangeMeaning('x = ex:p ;', now), false);
  });
});
