import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GraphTable } from '../../../src/snapshot/graphs/table.ts';
import { openSnapshot } from '../../../src/snapshot/read/reader.ts';
import type { Operation, Transaction } from '../../../src/store/main/transaction.ts';
import { stateOf as stateOfCommit } from '../../../src/store/registry/identity.ts';
import type { ResourceOperation } from '../../../src/store/registry/resource-operation.ts';
import {
  contentOf,
  contentState,
  refersTo,
  resourceExists,
} from '../../../src/store/registry/resource-registry.ts';
import { resourceStates } from '../../../src/store/registry/resource-state.ts';
import type { Store } from '../../../src/store/thread/store.ts';
import { SimDisk } from '../../simulation/sim-disk.ts';
import { blockOf } from '../../support/blocks.ts';
import { oracleLines } from '../../support/oxigraph-oracle.ts';
import { commit, merge, openOn, contentOf as quadsOf } from '../../support/stores.ts';

const X = 'http://example.org/x';
const DEFAULT = 'http://base/context/default';
const LDP = 'http://base/ldp';
const content = { contentType: 'image/png', bytes: 3, digest: 'a'.repeat(64), modified: 1_760_000_000_000 };

/** The state of the description of X. */
function descriptionOf(store: Store, stateOfSequence = stateOf): string | undefined {
  const graphs = new GraphTable();
  graphs.apply(store.opened().graphs);
  return resourceStates({ resource: X, aspect: 'description' }, reader(store), graphs, stateOfSequence)[0]
    ?.state;
}

/** The state of a commit's number. */
function stateOf(sequence: number): string {
  return `s${sequence}`;
}

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

async function outcome(store: Store, operation: Operation) {
  return (await commit(store, operation)).outcomes[0]!;
}

test('a resource is registered once, and only in the registry', async () => {
  const store = await openOn(new SimDisk({ seed: 1 }));
  assert.equal((await outcome(store, { kind: 'register', resource: X })).existed, false);
  assert.equal((await outcome(store, { kind: 'register', resource: X })).existed, true);
  assert.ok(exists(store));
  const view = reader(store);
  assert.equal(view.mentions(view.find(`<${X}>`)), false);
  assert.equal((await outcome(store, erase())).existed, true);
  assert.equal(exists(store), false);
});

test('a description is replaced in all graphs, and unchanged triples stay in theirs', async () => {
  const disk = new SimDisk({ seed: 1 });
  const store = await openOn(disk);
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
  assert.deepEqual(await oracleLines(disk), quadsOf(store));
});

test('an empty description registers only a new resource', async () => {
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

test('R-62, G-72: a resource has one content, whose state depends on bytes, type and commit', async () => {
  const store = await openOn(new SimDisk({ seed: 1 }));
  const put = (value: typeof content | null) =>
    outcome(store, { kind: 'content', resource: X, content: value });
  assert.equal((await put(content)).removed, 0);
  const view = reader(store);
  const first = contentOf(view, view.find(`<${X}>`))!;
  assert.deepEqual(first, { ...content, sequence: 1 });
  const again = await put({ ...content, modified: content.modified + 1 });
  assert.deepEqual([again.added, again.removed, again.contentSequence], [0, 0, 1]);
  assert.ok(refersTo(view, content.digest));
  const other = { ...content, digest: 'b'.repeat(64), contentType: 'text/plain; charset=latin1' };
  assert.ok((await put(other)).removed > 0);
  assert.equal(refersTo(reader(store), content.digest), false);
  assert.deepEqual(contentOf(reader(store), reader(store).find(`<${X}>`)), { ...other, sequence: 2 });
  assert.notEqual(
    contentState(first, stateOf),
    contentState({ ...first, contentType: 'image/gif' }, stateOf),
  );
  assert.notEqual(contentState(first, stateOf), contentState({ ...first, digest: 'b'.repeat(64) }, stateOf));
  assert.notEqual(contentState(first, stateOf), contentState({ ...first, sequence: 2 }, stateOf));
  assert.equal(
    contentState(first, stateOf),
    contentState({ ...first, modified: 0 } as typeof first, stateOf),
  );
  assert.ok((await put(null)).removed > 0);
  assert.equal(exists(store), false);
});

test('erasure removes all mentions, the graph of that name, the content, and unreachable blank nodes, also in cycles', async () => {
  const disk = new SimDisk({ seed: 1 });
  const store = await openOn(disk);
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
  // All else are notes of what lost something (G-72).
  assert.deepEqual(
    quadsOf(store).filter((line) => line.includes('urn:x-pathpool:system')),
    ['urn:x:a', 'urn:x:y', X]
      .map((uri) => `<${uri}> <urn:x-pathpool:removed> "4" <urn:x-pathpool:system> .`)
      .sort(),
  );
  assert.deepEqual(await oracleLines(disk), quadsOf(store));
  assert.equal((await outcome(store, erase())).existed, false);
});

test('preconditions on a description and on content are checked when the transaction runs', async () => {
  const store = await openOn(new SimDisk({ seed: 1 }));
  const ofIdentity = (sequence: number) => stateOfCommit(store.opened().identity, sequence);
  const write = (value: string, match: '*' | string[]): Transaction => ({
    preconditions: [{ resource: X, aspect: 'description', match }],
    operations: [describe(`<${X}> <urn:x:p> "${value}" .`)],
  });
  const codes = async (...group: Transaction[]) =>
    (await store.commit(group)).results.map((result) => (result.ok ? 'ok' : result.error.code));
  assert.deepEqual(await codes(write('1', '*')), ['precondition-failed']);
  await outcome(store, describe(`<${X}> <urn:x:p> "0" .`));
  const before = [descriptionOf(store, ofIdentity)!];
  assert.deepEqual(await codes(write('1', before), write('2', before)), ['ok', 'precondition-failed']);
  assert.deepEqual(visible(store), [`<${X}> <urn:x:p> "1" <${DEFAULT}> .`]);
  const putContent = (noneMatch: '*' | string[]): Transaction => ({
    preconditions: [{ resource: X, aspect: 'content', noneMatch }],
    operations: [{ kind: 'content', resource: X, content }],
  });
  assert.deepEqual(await codes(putContent('*'), putContent('*')), ['ok', 'precondition-failed']);
});

test('the state of a description is the same after a restart and for the same triples', async () => {
  const disk = new SimDisk({ seed: 1 });
  const store = await openOn(disk);
  await outcome(store, describe(`<${X}> <urn:x:p> "1" .\n<${X}> <urn:x:p> _:a .\n_:a <urn:x:p> "2" .`));
  await commit(store, { kind: 'content', resource: X, content });
  const state = (of: Store) =>
    resourceStates({ resource: X, aspect: 'description' }, reader(of), new Map(), stateOf)[0]?.state;
  const before = state(store);
  await store.close();
  const again = await openOn(disk);
  assert.equal(state(again), before);
  assert.deepEqual(contentOf(reader(again), reader(again).find(`<${X}>`)), { ...content, sequence: 2 });
  await commit(again, merge('urn:x:other', `<${X}> <urn:x:p> "1" .`));
  assert.equal(state(again), before);
  await commit(again, merge('urn:x:other', `<${X}> <urn:x:p> "3" .`));
  assert.notEqual(state(again), before);
});

test('G-72: a description that is removed and created again has a new state', async () => {
  const disk = new SimDisk({ seed: 1 });
  let store = await openOn(disk);
  const seen: string[] = [];
  const state = () => descriptionOf(store);
  const triple = `<${X}> <urn:x:p> "1" .`;
  const isNew = () => {
    const now = state()!;
    assert.ok(!seen.includes(now), `state ${now} came back`);
    seen.push(now);
  };
  const undescribe = { kind: 'undescribe', resource: X, protectedSpace: LDP } as const;
  const drop = (graph: string) => ({ kind: 'drop', graph, keep: false }) as const;
  const replace = (graph: string, text: string) =>
    ({ kind: 'replace', graph, block: blockOf(text) }) as const;
  await outcome(store, describe(triple));
  isNew();
  for (const went of [undescribe, erase(), drop(DEFAULT), replace(DEFAULT, ''), describe('')]) {
    await outcome(store, went);
    await outcome(store, describe(triple));
    isNew();
  }
  await outcome(store, drop(DEFAULT));
  for (const graph of ['urn:x:g', 'urn:x:h', 'urn:x:g']) {
    await commit(store, merge(graph, triple));
    isNew();
    await outcome(store, drop(graph));
  }
  await commit(store, merge('urn:x:i', `<${X}> <urn:x:p> <urn:x:y> .`));
  isNew();
  await outcome(store, erase('urn:x:y'));
  await commit(store, merge('urn:x:i', `<${X}> <urn:x:p> <urn:x:y> .`));
  isNew();
  const last = state();
  await store.close();
  store = await openOn(disk);
  assert.equal(state(), last);
});

test('G-72: the state of a description lasts as long as its triples', async () => {
  const store = await openOn(new SimDisk({ seed: 1 }));
  const state = () => descriptionOf(store);
  await outcome(store, describe(`<${X}> <urn:x:p> "1" .`));
  const before = state();
  await outcome(store, describe(`<${X}> <urn:x:p> "1" .`));
  await outcome(store, {
    ...describe('<urn:x:other> <urn:x:p> "1" .'),
    resource: 'urn:x:other',
  } as ResourceOperation);
  await outcome(store, erase('urn:x:other'));
  await commit(store, merge('urn:x:g', '<urn:x:other> <urn:x:p> "1" .'));
  await outcome(store, { kind: 'drop', graph: 'urn:x:g', keep: false });
  assert.equal(state(), before);
});
