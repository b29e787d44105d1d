import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { iriPatterns } from '../../../src/rdf/model/resources/iri-patterns.ts';
import { openSnapshot } from '../../../src/snapshot/read/reader.ts';
import type { Operation } from '../../../src/store/main/transaction.ts';
import { datasetPrefixes, graphPrefixes } from '../../../src/store/registry/graph-prefixes.ts';
import type { Store } from '../../../src/store/thread/store.ts';
import { parse } from '../../rdf/formats/documents.ts';
import { SimDisk } from '../../simulation/sim-disk.ts';
import { commitBig } from '../../support/big-write.ts';
import { create, ROOT } from '../../support/ldp-store.ts';
import { commit, contentOf, drop, maintain, merge, openOn } from '../../support/stores.ts';

const graph = 'urn:x:g';
const A = 'a http://a.example/';
const B = 'b http://b.example/';

function block(prefixes: readonly string[], body = '<urn:s> <urn:p> 1 .') {
  const declared = prefixes.map((each) => `@prefix ${each.replace(' ', ': <')}> .\n`);
  return parse(declared.join('') + body, 'text/turtle');
}

function trig(prefixes: readonly string[], ...graphs: readonly string[]) {
  const declared = prefixes.map((each) => `@prefix ${each.replace(' ', ': <')}> .\n`);
  const quads = graphs.map((name) => `<${name}> { <urn:s> <urn:${prefixes.length}> 2 }\n`);
  return parse([...declared, ...quads].join(''), 'application/trig');
}

const put = (prefixes: readonly string[], body?: string): Operation => ({
  kind: 'replace',
  graph,
  block: block(prefixes, body),
});
const post = (prefixes: readonly string[], body?: string): Operation => ({
  kind: 'merge',
  graph,
  block: block(prefixes, body),
});

describe('prefixes of graphs (G-56)', () => {
  let disk: SimDisk;
  let store: Store;
  const reader = () => openSnapshot(store.opened().snapshot);
  const remembered = (name = graph) => graphPrefixes(reader(), name);
  const systemRows = () => contentOf(store).filter((line) => line.includes('urn:x-pathpool:prefixes'));

  beforeEach(async () => {
    disk = new SimDisk({ seed: 1 });
    store = await openOn(disk);
  });

  it('are set by a replacement, and extended by what is added', async () => {
    await commit(store, put([A, 'c http://c.example/']));
    assert.equal(remembered(), `${A}\nc http://c.example/`);
    await commit(store, post([B, 'a http://other.example/'], '<urn:s> <urn:p> 2 .'));
    assert.equal(remembered(), `${A}\nc http://c.example/\n${B}`);
    await commit(store, put([B]));
    assert.equal(remembered(), B);
    assert.equal(systemRows().length, 1);
  });

  it('are not counted as triples of the change', async () => {
    const { outcomes } = await commit(store, put([A]), post([B], '<urn:s> <urn:p> 2, 3 .'));
    assert.deepEqual(outcomes, [
      { existed: false, added: 1, removed: 0, size: 1 },
      { existed: true, added: 2, removed: 0, size: 3 },
    ]);
    assert.equal(remembered(), `${A}\n${B}`);
  });

  it('stay as they are when no triple changes, and cause no commit', async () => {
    await commit(store, put([A]));
    const { sequence } = reader();
    await commit(store, put([B]), post([B]));
    assert.equal(remembered(), A);
    assert.equal(reader().sequence, sequence);
  });

  it('end with the graph, and with its replacement by a document that declares none', async () => {
    await commit(store, put([A]), drop(graph));
    assert.deepEqual(contentOf(store), []);
    await commit(store, put([A]));
    await commit(store, put([], '<urn:s> <urn:p> 5 .'));
    assert.deepEqual(systemRows(), []);
    await commit(store, put([A]), drop(graph, true));
    assert.deepEqual(contentOf(store), []);
    await commit(store, put([A]), {
      kind: 'erase',
      resource: graph,
      keep: false,
      protectedSpace: 'urn:x:ldp',
    });
    assert.deepEqual(systemRows(), []);
  });

  it('of an empty graph stay if the client that erases the resource may only read them (G-167)', async () => {
    await commit(store, put([A]));
    await commit(store, put([A], ''));
    const erase = (write: readonly string[]): Operation => ({
      kind: 'erase',
      resource: graph,
      keep: true,
      protectedSpace: 'urn:x:ldp',
      access: { read: iriPatterns([graph]), write: iriPatterns(write) },
    });
    await commit(store, erase([]));
    assert.equal(remembered(), A);
    await commit(store, erase([graph]));
    assert.equal(remembered(), '');
  });

  it('are those of each graph that a document of several graphs changes', async () => {
    await commit(store, { kind: 'merge', graph: 'urn:x:h', block: trig([A], 'urn:x:h') });
    await commit(store, { kind: 'load', defaultGraph: graph, block: trig([B], 'urn:x:h', 'urn:x:i') });
    assert.deepEqual(['urn:x:h', 'urn:x:i', graph].map(remembered), [A, B, '']);
    await commit(store, { kind: 'load', defaultGraph: graph, block: trig([A, B], 'urn:x:i') });
    assert.equal(remembered('urn:x:i'), `${B}\n${A}`);
  });

  it('are replaced in the graphs that an update clears', async () => {
    await commit(store, put([A]), { kind: 'merge', graph: 'urn:x:h', block: block([A]) });
    const none = parse('', 'text/turtle');
    const update = { kind: 'update', removals: none, created: [] } as const;
    const additions = trig([B], graph);
    await commit(store, { ...update, cleared: [graph, 'urn:x:h'], additions, dropped: ['urn:x:h'] });
    assert.deepEqual([graph, 'urn:x:h'].map(remembered), [B, '']);
    assert.equal(systemRows().length, 1);
  });

  it('are the same after a big write, a restart and a checkpoint', async () => {
    await commit(store, put([A]));
    const big = { preconditions: [], operations: [post([B], '<urn:s> <urn:p> 2, 3 .')] };
    const result = await commitBig(store, disk, big);
    assert.deepEqual(result.ok && result.value.outcomes, [{ existed: true, added: 2, removed: 0, size: 3 }]);
    const content = contentOf(store);
    const { graphs } = store.opened();
    for (const save of [false, true]) {
      if (save) await maintain(store, disk);
      disk.restart();
      store = await openOn(disk);
      assert.equal(remembered(), `${A}\n${B}`);
      assert.deepEqual(contentOf(store), content);
      assert.deepEqual(store.opened().graphs, graphs);
    }
  });

  it('belong to LDP resources until these are deleted, and not to the data set', async () => {
    const target = `${ROOT}/r`;
    await commit(store, { kind: 'ldp-root', target: ROOT, label: 'Root' });
    await commit(store, { ...(create(target) as object), block: block([A]) } as Operation);
    await commit(store, { kind: 'ldp-replace', target, block: block([B], '<urn:s> <urn:p> 6 .') });
    await commit(store, put([A]));
    assert.equal(remembered(target), B);
    assert.equal(datasetPrefixes(reader(), { ldpSpace: ROOT }), A);
    await commit(store, { kind: 'ldp-delete', target });
    assert.equal(systemRows().length, 1);
  });

  it('do not multiply when a document of many graphs is added', async () => {
    const names = Array.from({ length: 300 }, (_, i) => `urn:x:${i}`);
    const long = (i: number) => `p${i} http://x.example/${'y'.repeat(490)}${i}/`;
    for (const [i, name] of names.entries()) {
      await commit(store, { kind: 'merge', graph: name, block: block([`q${i} http://z.example/`]) });
    }
    const many = Array.from({ length: 90 }, (_, i) => long(i));
    await commit(store, { kind: 'load', defaultGraph: graph, block: trig(many, ...names) });
    const total = names.reduce((sum, name) => sum + remembered(name).length, 0);
    assert.ok(total < 2 ** 20 + 100_000, `${total}`);
    assert.ok(names.every((name, i) => remembered(name).startsWith(`q${i} `)));
  });

  it('are not known of data that have none', async () => {
    await commit(store, merge(graph, '<urn:s> <urn:p> "1" .'), post([]));
    assert.equal(remembered(), '');
    assert.deepEqual(systemRows(), []);
  });
});
