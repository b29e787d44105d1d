import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Commits } from '../../../src/changes/thread/commit-source.ts';
import { check } from '../../../src/cli/check.ts';
import { inspect } from '../../../src/cli/inspect.ts';
import { openNodeDisk } from '../../../src/journal/disk/node-disk.ts';
import { openJournal } from '../../../src/journal/journal.ts';
import { newChangeFeed } from '../../../src/snapshot/feed/change-feed.ts';
import { openSnapshot } from '../../../src/snapshot/read/reader.ts';
import { StateDigest } from '../../../src/store/cluster/state-digest.ts';
import type { GraphPrecondition, Operation } from '../../../src/store/main/transaction.ts';
import { blocksOf } from '../../../src/store/patch/patch.ts';
import type { Store } from '../../../src/store/thread/store.ts';
import { type BigWriteOptions, commitBig } from '../../support/big-write.ts';
import { receiveAll, type SharedProcess, SharedStores } from '../../support/shared-stores.ts';
import { commit, contentOf, drop, merge, openOn, orderedContentOf, replace } from '../../support/stores.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const graph = 'urn:x:g';

function big(
  { store }: SharedProcess,
  operation: Operation,
  options: BigWriteOptions & { readonly preconditions?: readonly GraphPrecondition[] } = {},
) {
  const { preconditions = [] } = options;
  return commitBig(store, null, { preconditions, operations: [operation] }, options);
}

/** Runs `work` before the first encoding. */
function beforeEncoding(work: () => unknown): BigWriteOptions {
  let isDone = false;
  return {
    before: async ({ kind }) => {
      if (kind !== 'encode-changes' || isDone) return;
      isDone = true;
      await work();
    },
  };
}

function termsOf({ snapshot }: Store): string[] {
  const { terms } = openSnapshot(snapshot);
  return Array.from({ length: snapshot.dictionary.termCount }, (_, index) => terms.text(index + 1));
}

function viewOf(store: Store) {
  const { snapshot } = store;
  return {
    sequence: snapshot.sequence,
    quads: orderedContentOf(store),
    terms: termsOf(store),
    graphs: store.opened().graphs,
    digest: StateDigest.of(snapshot).text(snapshot.dictionary.termCount),
  };
}

/** The writer, a follower and a process that starts now are equal in everything. */
async function verifyEqual(stores: SharedStores, writer: SharedProcess, follower: SharedProcess) {
  await receiveAll(follower);
  const joined = await stores.open(false);
  const expected = viewOf(joined.store);
  assert.deepEqual(viewOf(writer.store), expected);
  assert.deepEqual(viewOf(follower.store), expected);
  // Its digest is compared by the others when it commits.
  await commit(writer.store, merge('urn:x:end', '<urn:s> <urn:p> "end" .'));
  await receiveAll(follower);
  assert.equal(follower.store.failure, undefined);
}

async function two(): Promise<[SharedStores, SharedProcess, SharedProcess]> {
  const stores = new SharedStores();
  return [stores, await stores.open(true), await stores.open(false)];
}

/** Triples whose first one has terms of all places, and blank nodes. */
function triples(from: number, to: number): string {
  const lines = Array.from({ length: to - from }, (_, i) => {
    const number = from + i;
    return `<urn:s${number}> <urn:p${number % 3}> "${number}" .\n_:a <urn:knows> <urn:s${to - i}> .`;
  });
  return lines.join('\n');
}

/** Counts the turns of the event loop until `work` is done. */
async function turnsDuring(work: () => Promise<void>): Promise<number> {
  let turns = 0;
  let next = setImmediate(function count() {
    turns++;
    next = setImmediate(count);
  });
  await work().finally(() => clearImmediate(next));
  return turns;
}

describe('a large write with a shared log', () => {
  it('gives all processes the same data, terms and graphs', async () => {
    const [stores, writer, follower] = await two();
    await commit(writer.store, merge(graph, triples(0, 10)));
    const result = await big(writer, replace(graph, triples(5, 300)));
    assert.ok(result.ok);
    assert.ok(blocksOf(stores.log.history.at(-1)!.payload), 'its rows are in blocks');
    await verifyEqual(stores, writer, follower);
    assert.ok((await big(writer, drop(graph))).ok);
    await verifyEqual(stores, writer, follower);
    assert.deepEqual(contentOf(writer.store), ['<urn:s> <urn:p> "end" <urn:x:end> .']);
  });

  it('does so while other writes add terms, also some of its own', async () => {
    for (const own of ['<urn:s7> <urn:p> "7" .', '<urn:other> <urn:p> "other" .']) {
      const [stores, writer, follower] = await two();
      const work = () => commit(writer.store, merge('urn:x:other', own));
      const result = await big(writer, merge(graph, triples(0, 50)), beforeEncoding(work));
      assert.ok(result.ok && result.value.sequence === 2);
      await verifyEqual(stores, writer, follower);
    }
  });

  it('adds only the terms of its rows', async () => {
    const [stores, writer, follower] = await two();
    const operation = replace(graph, '<urn:s> <urn:p> "1" .');
    await commit(writer.store, operation);
    const removals = merge('', '<urn:gone> <urn:gone> "gone" .');
    assert.ok('block' in removals && 'block' in operation);
    const edit = { kind: 'edit', graph, additions: operation.block, removals: removals.block } as const;
    await big(writer, edit);
    assert.ok(!termsOf(writer.store).includes('<urn:gone>'));
    await verifyEqual(stores, writer, follower);
  });

  it('is worked out again if its graph changes meanwhile', async () => {
    const [stores, writer, follower] = await two();
    const work = () => commit(writer.store, merge(graph, '<urn:s> <urn:p> "theirs" .'));
    const result = await big(writer, replace(graph, '<urn:s> <urn:p> "mine" .'), beforeEncoding(work));
    assert.deepEqual(result.ok && result.value.outcomes, [{ existed: true, added: 1, removed: 1, size: 1 }]);
    assert.deepEqual(contentOf(writer.store), ['<urn:s> <urn:p> "mine" <urn:x:g> .']);
    await verifyEqual(stores, writer, follower);
  });

  it('is worked out again if another process came first, so that no label is used twice', async () => {
    const stores = new SharedStores();
    const [a, b] = [await stores.open(true), await stores.open(true)];
    const blank = merge(graph, '_:x <urn:p> "1" .');
    const work = async () => assert.ok((await big(b, blank)).ok);
    const result = await big(a, merge('urn:x:h', '_:x <urn:p> "2" .'), beforeEncoding(work));
    assert.ok(result.ok && result.value.sequence === 2);
    const labels = contentOf(a.store).map((line) => line.split(' ')[0]);
    assert.equal(new Set(labels).size, 2, labels.join());
    await verifyEqual(stores, a, b);
  });

  it('is worked out again if others drop unused terms meanwhile', async () => {
    const stores = new SharedStores();
    const a = await stores.open(true, { leastDead: 1 });
    const b = await stores.open(true, { leastDead: 1, journalMax: 64 });
    const values = Array.from({ length: 100 }, (_, i) => `<urn:s${i}> <urn:p> "${i}" .`).join('\n');
    await commit(a.store, merge(graph, values));
    await commit(a.store, replace(graph, '<urn:s99> <urn:p> "99" .'));
    await receiveAll(b);
    const work = async () => {
      await b.store.wantedMaintenance();
      await receiveAll(a);
      assert.equal(a.store.snapshot.dictionary.generation, 1);
    };
    const result = await big(a, merge(graph, '<urn:s98> <urn:p> "98" .'), beforeEncoding(work));
    assert.ok(result.ok);
    await verifyEqual(stores, a, b);
  });

  it('keeps unused terms until it has ended', async () => {
    const stores = new SharedStores();
    const writer = await stores.open(true, { leastDead: 1, journalMax: 64 });
    const follower = await stores.open(false);
    await commit(writer.store, merge(graph, triples(0, 100)));
    await commit(writer.store, drop(graph));
    const work = () => writer.store.wantedMaintenance();
    const result = await big(writer, merge('urn:x:h', triples(0, 5)), beforeEncoding(work));
    assert.ok(result.ok && result.value.sequence === 3);
    await verifyEqual(stores, writer, follower);
  });

  it('checks its preconditions on the data to which it is added', async () => {
    const [, writer] = await two();
    const work = () => commit(writer.store, merge('urn:x:other', '<urn:s> <urn:p> "1" .'));
    const preconditions = [{ graph: 'urn:x:other', noneMatch: '*' }] as const;
    const failed = await big(writer, merge(graph, triples(0, 5)), { preconditions, ...beforeEncoding(work) });
    assert.ok(!failed.ok && failed.error.code === 'precondition-failed');
    assert.equal(contentOf(writer.store).length, 1);
  });

  it('is a commit of its own, on which the others of its group are planned', async () => {
    const [stores, writer, follower] = await two();
    const same = { preconditions: [], operations: [merge(graph, '<urn:s7> <urn:p1> "7" .')] };
    assert.ok((await big(writer, merge(graph, triples(0, 20)), { beside: [same] })).ok);
    assert.equal(writer.store.snapshot.sequence, 1);
    await verifyEqual(stores, writer, follower);
  });

  it('is rejected before any work by a process that is not the writer', async () => {
    const [, , follower] = await two();
    const before = () => assert.fail('nothing is to be worked out');
    const refused = await big(follower, merge(graph, triples(0, 5)), { before });
    assert.ok(!refused.ok && refused.error.code === 'unavailable');
  });

  it('is read from a journal, too, as in a backup', async (context) => {
    const [stores, writer] = await two();
    await commit(writer.store, merge(graph, triples(0, 10)));
    assert.ok((await big(writer, replace(graph, triples(5, 30)))).ok);
    const directory = await temporaryDirectory(context);
    const disk = await openNodeDisk(directory);
    await (await openOn(disk)).close();
    const journal = await openJournal(disk, { opened: true });
    for (const { sequence, payload } of stores.log.history) {
      await journal.append([{ sequence, payload: [payload] }]);
    }
    await journal.close();
    assert.equal((await check(directory)).damaged, false);
    const { text, rows } = await inspect(directory, 2);
    assert.match(text, /^H time "\d+" \.\n/);
    let lines = '';
    for await (const piece of rows!) lines += Buffer.from(piece).toString();
    assert.match(lines, /^TX \.\nD <urn:s0> <urn:p0> "0" <urn:x:g> \.\n/);
    assert.match(lines, /A <urn:s29> <urn:p2> "29" <urn:x:g> \.\n/);
    const store = await openOn(disk);
    assert.equal(orderedContentOf(store), orderedContentOf(writer.store));
    assert.deepEqual(store.opened().graphs, writer.store.opened().graphs);
    const commits = new Commits(newChangeFeed({ rows: 64, commits: 16 }), disk);
    let changes = 0;
    for await (const commit of commits.after(1, openSnapshot(store.snapshot))) {
      for await (const cursor of commit.rows()) while (cursor.next()) changes++;
    }
    assert.equal(changes, lines.trim().split('\n').length - 2);
    await store.close();
  });

  it('lets the event loop go on while its rows are taken, so that connections stay alive', async () => {
    const [, writer, follower] = await two();
    const rows = Array.from({ length: 50_000 }, (_, i) => `<urn:s${i}> <urn:p> "1" .`).join('\n');
    assert.ok((await big(writer, merge(graph, rows))).ok);
    assert.ok((await turnsDuring(() => receiveAll(follower))) > 3);
  });

  it('that changes nothing is no commit', async () => {
    const [stores, writer] = await two();
    await commit(writer.store, merge(graph, triples(0, 5).replaceAll('_:a', '<urn:a>')));
    const result = await big(writer, merge(graph, triples(0, 5).replaceAll('_:a', '<urn:a>')));
    assert.ok(result.ok && result.value.sequence === 1);
    assert.equal(stores.log.last, 1);
  });
});
