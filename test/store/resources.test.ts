import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openSnapshot } from '../../src/snapshot/reader.ts';
import { contentOf, contentState, refersTo, resourceExists } from '../../src/store/resource-books.ts';
import type { ResourceOperation } from '../../src/store/resource-operation.ts';
import { resourceState } from '../../src/store/resource-state.ts';
import type { Store } from '../../src/store/store.ts';
import type { Transaction } from '../../src/store/transaction.ts';
import { SimDisk } from '../simulation/sim-disk.ts';
import { blockOf } from '../support/blocks.ts';
import { commit, merge, openOn, contentOf as quadsOf, recordOf } from '../support/stores.ts';

const X = 'http://example.org/x';
const DEFAULT = 'http://base/context/default';
const LDP = 'http://base/ldp';
const content = { contentType: 'image/png', bytes: 3, digest: 'a'.repeat(64), modified: 1_760_000_000_000 };

function describe(nquads: string): ResourceOperation {
  return {
    kind: 'describe',
    resource: X,
    block: blockOf(nquads),
    defaultGraph: DEFAULT,
    protectedSpace: LDP,
  };
}

function erase(resource = X): ResourceOperation {
  return { kind: 'erase', resource, keep: false, protectedSpace: LDP };
}

function exists(store: Store, uri = X): boolean {
  const { snapshot, graphs } = store.opened();
  const names = new Set(graphs.map(([name]) => name));
  return resourceExists(openSnapshot(snapshot), uri, (name) => names.has(name));
}

function reader(store: Store) {
  return openSnapshot(store.opened().snapshot);
}

/** Quads but for blank nodes' labels and the server's own. */
function visible(store: Store): string[] {
  return quadsOf(store)
    .filter((line) => !line.includes('urn:x-pathpool:system'))
    .map((line) => line.replaceAll(/_:\w+/g, '_:b'))
    .sort();
}

async function outcome(store: Store, operation: ResourceOperation) {
  return (await commit(store, operation)).outcomes[0]!;
}

test('a resource is registered once, and exists in no view but the register', async () => {
  const store = await openOn(new SimDisk({ seed: 1 }));
  assert.equal((await outcome(store, { kind: 'register', resource: X })).existed, false);
  assert.equal((await outcome(store, { kind: 'register', resource: X })).existed, true);
  assert.ok(exists(store));
  const view = reader(store);
  assert.equal(view.mentions(view.find(`<${X}>`)), false);
  assert.equal((await outcome(store, erase())).existed, true);
  assert.equal(exists(store), false);
});

test('a description is replaced in all graphs, and what stays, stays where it is', async () => {
  const store = await openOn(new SimDisk({ seed: 1 }));
  await commit(store, merge('urn:x:g', `<${X}> <urn:x:p> "1", "2" .`.replace('"1", "2"', '"1"')));
  await commit(store, merge('urn:x:g', `<${X}> <urn:x:p> "2" .\n<urn:x:other> <urn:x:p> <${X}> .`));
  await commit(
    store,
    merge('urn:x:h', `<${X}> <urn:x:p> "1" .\n<${X}> <urn:x:q> _:a .\n_:a <urn:x:r> "deep" .`),
  );
  const body = `<${X}> <urn:x:p> "2" .\n<${X}> <urn:x:q> _:n .\n_:n <urn:x:r> "new" .\n<urn:x:else> <urn:x:p> "no" .`;
  const done = await outcome(store, describe(body));
  assert.deepEqual(
    { existed: done.existed, added: done.added, removed: done.removed, ignored: done.ignored },
    { existed: true, added: 2, removed: 4, ignored: 1 },
  );
  assert.deepEqual(visible(store), [
    `<${X}> <urn:x:p> "2" <urn:x:g> .`,
    `<${X}> <urn:x:q> _:b <${DEFAULT}> .`,
    `<urn:x:other> <urn:x:p> <${X}> <urn:x:g> .`,
    `_:b <urn:x:r> "new" <${DEFAULT}> .`,
  ]);
  assert.deepEqual(recordOf(store), quadsOf(store));
});

test('an empty description of a resource that did not exist registers it, and of another does not', async () => {
  const store = await openOn(new SimDisk({ seed: 1 }));
  assert.equal((await outcome(store, describe(''))).existed, false);
  assert.ok(exists(store));
  await outcome(store, erase());
  await outcome(store, describe(`<${X}> <urn:x:p> "1" .`));
  await outcome(store, { kind: 'undescribe', resource: X, protectedSpace: LDP });
  assert.equal(exists(store), false);
});

test('protected graphs are never changed', async () => {
  const store = await openOn(new SimDisk({ seed: 1 }));
  await commit(store, merge(`${LDP}/r`, `<${X}> <urn:x:p> "kept" .`));
  await commit(store, merge('urn:x:g', `<${X}> <urn:x:p> "gone" .`));
  await outcome(store, describe(''));
  await outcome(store, erase());
  assert.deepEqual(visible(store), [`<${X}> <urn:x:p> "kept" <${LDP}/r> .`]);
});

test('content is one per resource, and its state is a function of bytes and type', async () => {
  const store = await openOn(new SimDisk({ seed: 1 }));
  const put = (value: typeof content | null) =>
    outcome(store, { kind: 'content', resource: X, content: value });
  assert.equal((await put(content)).removed, 0);
  const view = reader(store);
  assert.deepEqual(contentOf(view, view.find(`<${X}>`)), content);
  assert.ok(refersTo(view, content.digest));
  const other = { ...content, digest: 'b'.repeat(64), contentType: 'text/plain; charset=latin1' };
  assert.ok((await put(other)).removed > 0);
  assert.equal(refersTo(reader(store), content.digest), false);
  assert.deepEqual(contentOf(reader(store), reader(store).find(`<${X}>`)), other);
  assert.notEqual(contentState(content), contentState({ ...content, contentType: 'image/gif' }));
  assert.equal(contentState(content), contentState({ ...content, modified: 0 }));
  assert.ok((await put(null)).removed > 0);
  assert.equal(exists(store), false);
});

test('erasing takes every mention, the graph of that name, content, and blank nodes left alone, in rings too', async () => {
  const store = await openOn(new SimDisk({ seed: 1 }));
  await commit(store, merge(X, '<urn:x:a> <urn:x:p> "in the graph" .'));
  await commit(
    store,
    merge(
      'urn:x:g',
      [
        `<${X}> <urn:x:p> _:ring1 .`,
        '_:ring1 <urn:x:p> _:ring2 .',
        '_:ring2 <urn:x:p> _:ring1 .',
        `<${X}> <urn:x:p> _:shared .`,
        '<urn:x:y> <urn:x:p> _:shared .',
        '_:shared <urn:x:p> _:below .',
        '_:below <urn:x:p> "stays" .',
        `<urn:x:y> <${X}> "as predicate" .`,
        `<urn:x:y> <urn:x:p> <${X}> .`,
        '<urn:x:y> <urn:x:p> "stays" .',
      ].join('\n'),
    ),
  );
  await commit(store, { kind: 'register', resource: X }, { kind: 'content', resource: X, content });
  assert.equal((await outcome(store, erase())).existed, true);
  assert.equal(exists(store), false);
  assert.deepEqual(visible(store), [
    '<urn:x:y> <urn:x:p> "stays" <urn:x:g> .',
    '<urn:x:y> <urn:x:p> _:b <urn:x:g> .',
    '_:b <urn:x:p> "stays" <urn:x:g> .',
    '_:b <urn:x:p> _:b <urn:x:g> .',
  ]);
  assert.equal(quadsOf(store).length, 4);
  assert.deepEqual(recordOf(store), quadsOf(store));
  assert.equal((await outcome(store, erase())).existed, false);
});

test('conditions on a description and on content are checked when the turn of the transaction comes', async () => {
  const store = await openOn(new SimDisk({ seed: 1 }));
  const state = () => resourceState({ resource: X, aspect: 'description' }, reader(store), new Map());
  const write = (value: string, match: '*' | string[]): Transaction => ({
    preconditions: [{ resource: X, aspect: 'description', match }],
    operations: [describe(`<${X}> <urn:x:p> "${value}" .`)],
  });
  const codes = async (...group: Transaction[]) =>
    (await store.commit(group)).results.map((result) => (result.ok ? 'ok' : result.error.code));
  assert.deepEqual(await codes(write('1', '*')), ['precondition-failed']);
  await outcome(store, describe(`<${X}> <urn:x:p> "0" .`));
  const before = [state()!.state];
  assert.deepEqual(await codes(write('1', before), write('2', before)), ['ok', 'precondition-failed']);
  assert.deepEqual(visible(store), [`<${X}> <urn:x:p> "1" <${DEFAULT}> .`]);
  const putContent = (noneMatch: '*' | string[]): Transaction => ({
    preconditions: [{ resource: X, aspect: 'content', noneMatch }],
    operations: [{ kind: 'content', resource: X, content }],
  });
  assert.deepEqual(await codes(putContent('*'), putContent('*')), ['ok', 'precondition-failed']);
});

test('the state of a description is the same again after a restart, and for the same triples', async () => {
  const disk = new SimDisk({ seed: 1 });
  const store = await openOn(disk);
  await outcome(store, describe(`<${X}> <urn:x:p> "1" .\n<${X}> <urn:x:p> _:a .\n_:a <urn:x:p> "2" .`));
  await commit(store, { kind: 'content', resource: X, content });
  const state = (of: Store) =>
    resourceState({ resource: X, aspect: 'description' }, reader(of), new Map())?.state;
  const before = state(store);
  await store.close();
  const again = await openOn(disk);
  assert.equal(state(again), before);
  assert.deepEqual(contentOf(reader(again), reader(again).find(`<${X}>`)), content);
  await commit(again, merge('urn:x:other', `<${X}> <urn:x:p> "1" .`));
  assert.equal(state(again), before);
  await commit(again, merge('urn:x:other', `<${X}> <urn:x:p> "3" .`));
  assert.notEqual(state(again), before);
});
