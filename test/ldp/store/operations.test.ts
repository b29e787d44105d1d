import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dcterms, ldp, RDF_TYPE } from '../../../src/ldp/model/vocabulary.ts';
import { LDP_GRAPH } from '../../../src/snapshot/graphs/system-graph.ts';
import { openSnapshot } from '../../../src/snapshot/read/reader.ts';
import type { Operation, Transaction } from '../../../src/store/main/transaction.ts';
import { contentOf as storedContent } from '../../../src/store/registry/resource-registry.ts';
import type { Store } from '../../../src/store/thread/store.ts';
import { SimDisk } from '../../simulation/sim-disk.ts';
import { blockOf } from '../../support/blocks.ts';
import {
  asOxigraphWrites,
  attempt,
  bytes,
  create,
  editLdp,
  entryOf,
  graphNames,
  ldpStore,
  managed,
  membership,
  ROOT,
  replaceLdp,
  sequenceOf,
  triplesIn,
} from '../../support/ldp-store.ts';
import { oracleLines } from '../../support/oxigraph-oracle.ts';
import { commit, contentOf, maintain, merge, openOn } from '../../support/stores.ts';

const X = `${ROOT}/x`;
const C = `${ROOT}/c`;
const B = `${ROOT}/b.png`;
const dates = [dcterms.created, dcterms.modified];

function type(uri: string, ...kinds: (keyof typeof ldp)[]): string[] {
  return kinds.map((kind) => `<${uri}> <${RDF_TYPE}> <${ldp[kind]}>`);
}

function contains(parent: string, child: string): string {
  return `<${parent}> <${ldp.contains}> <${child}>`;
}

const rootTriples = [
  ...type(ROOT, 'Resource', 'RDFSource', 'Container', 'BasicContainer'),
  `<${ROOT}> <http://www.w3.org/2000/01/rdf-schema#label> "Root"`,
];

async function codeOf(store: Store, transaction: Transaction): Promise<string> {
  const [result] = (await store.commit([transaction])).results;
  return result?.ok ? 'done' : (result?.error.code ?? '');
}

test('L-1: the root is a Basic Container with a label, and is created once', async () => {
  const store = await ldpStore();
  assert.deepEqual(managed(store, ...dates), rootTriples.toSorted());
  assert.equal(
    await attempt(store, { kind: 'ldp-root', target: ROOT, label: 'Other' }),
    'precondition-failed',
  );
});

test('L-36: a resource is created with its triples, types and dates, and in its container', async () => {
  const store = await ldpStore();
  const { outcomes, sequence } = await commit(
    store,
    create(X, { body: `<${X}> <urn:p> "1" .\n<${X}> <urn:p> _:b .` }),
  );
  assert.equal(outcomes[0]?.existed, false);
  assert.equal(triplesIn(store, X).length, 2);
  assert.deepEqual(
    managed(store, ...dates),
    [...rootTriples, contains(ROOT, X), ...type(X, 'Resource', 'RDFSource')].sort(),
  );
  const entry = entryOf(store, X);
  assert.ok(entry && entry !== 'gone');
  assert.deepEqual([entry.kind, entry.sequence], ['rdf-source', sequence]);
  const date = `"${new Date(entry.modified).toISOString()}"^^<http://www.w3.org/2001/XMLSchema#dateTime>`;
  for (const predicate of dates) assert.ok(managed(store).includes(`<${X}> <${predicate}> ${date}`));
  assert.equal(sequenceOf(store, ROOT), sequence);
  assert.ok(managed(store).includes(`<${ROOT}> <${dcterms.modified}> ${date}`));
});

test('5.3: containers state all their types, and their configuration', async () => {
  const store = await ldpStore();
  await commit(store, create(`${ROOT}/basic`, { model: 'basic' }));
  await commit(store, create(`${ROOT}/direct`, { model: 'direct', configuration: membership(X) }));
  const configuration = membership(X, { inverse: true, insertedContentRelation: 'urn:topic' });
  await commit(store, create(`${ROOT}/indirect`, { model: 'indirect', configuration }));
  assert.deepEqual(
    managed(store, ldp.contains, ...dates),
    [
      ...rootTriples,
      ...type(`${ROOT}/basic`, 'Resource', 'RDFSource', 'Container', 'BasicContainer'),
      ...type(`${ROOT}/direct`, 'Resource', 'RDFSource', 'Container', 'DirectContainer'),
      `<${ROOT}/direct> <${ldp.membershipResource}> <${X}>`,
      `<${ROOT}/direct> <${ldp.hasMemberRelation}> <${ldp.member}>`,
      ...type(`${ROOT}/indirect`, 'Resource', 'RDFSource', 'Container', 'IndirectContainer'),
      `<${ROOT}/indirect> <${ldp.membershipResource}> <${X}>`,
      `<${ROOT}/indirect> <${ldp.isMemberOfRelation}> <${ldp.member}>`,
      `<${ROOT}/indirect> <${ldp.insertedContentRelation}> <urn:topic>`,
    ].sort(),
  );
});

test('L-5: a binary has a description, and the managed triples of both', async () => {
  const store = await ldpStore();
  const { sequence } = await commit(
    store,
    create(B, { content: bytes('a'), body: `<${B}> <urn:p> "about" .` }),
  );
  assert.deepEqual(
    managed(store, ...dates).filter((line) => !line.startsWith(`<${ROOT}> `)),
    [
      ...type(B, 'Resource', 'NonRDFSource'),
      ...type(`${B}.meta`, 'Resource', 'RDFSource'),
      `<${B}> <${dcterms.format}> "image/png"`,
      `<${B}> <${dcterms.extent}> "3"^^<http://www.w3.org/2001/XMLSchema#integer>`,
      `<${B}> <${dcterms.isFormatOf}> <${B}.meta>`,
      `<${B}.meta> <${dcterms.hasFormat}> <${B}>`,
    ].sort(),
  );
  assert.deepEqual(triplesIn(store, `${B}.meta`), [`<${B}> <urn:p> "about"`]);
  assert.deepEqual([sequenceOf(store, B), sequenceOf(store, `${B}.meta`)], [sequence, sequence]);
  const reader = openSnapshot(store.opened().snapshot);
  assert.deepEqual(storedContent(reader, reader.find(`<${B}>`)), { ...bytes('a'), sequence: 2 });
});

test('L-61, L-65: replacing changes the user triples, the state and the date of the resource, and of nothing else', async () => {
  const store = await ldpStore();
  await commit(store, create(C, { model: 'basic', body: `<${C}> <urn:p> "1" .` }));
  await commit(store, create(`${C}/x`));
  const before = managed(store, ...dates);
  const root = sequenceOf(store, ROOT);
  const { sequence } = await commit(store, replaceLdp(C, `<${C}> <urn:p> "2" .`));
  assert.deepEqual(triplesIn(store, C), [`<${C}> <urn:p> "2"`]);
  assert.deepEqual(managed(store, ...dates), before);
  assert.deepEqual([sequenceOf(store, C), sequenceOf(store, ROOT)], [sequence, root]);
});

test('L-72: an operation without effect changes no state, no date and no data', async () => {
  const store = await ldpStore();
  await commit(store, create(X, { body: `<${X}> <urn:p> "1" .` }));
  await commit(store, create(B, { content: bytes('a') }));
  const before = contentOf(store);
  const idle = [
    replaceLdp(X, `<${X}> <urn:p> "1" .`),
    editLdp(X, `<${X}> <urn:p> "1" .`, `<${X}> <urn:p> "2" .`),
    { kind: 'ldp-content', target: B, content: { ...bytes('a'), modified: 1 } } as const,
  ];
  const { sequence } = store.opened().snapshot;
  for (const operation of idle) assert.equal((await commit(store, operation)).sequence, sequence);
  assert.deepEqual(contentOf(store), before);
});

test('L-70: an edit removes, then adds', async () => {
  const store = await ldpStore();
  await commit(store, create(X, { body: `<${X}> <urn:p> "1" .\n<${X}> <urn:p> "2" .` }));
  const { sequence } = await commit(
    store,
    editLdp(X, `<${X}> <urn:p> "3" .`, `<${X}> <urn:p> "1" .\n<${X}> <urn:p> "3" .`),
  );
  assert.deepEqual(triplesIn(store, X), [`<${X}> <urn:p> "2"`, `<${X}> <urn:p> "3"`]);
  assert.equal(sequenceOf(store, X), sequence);
});

test('L-64: new content changes the binary and its description', async () => {
  const store = await ldpStore();
  await commit(store, create(B, { content: bytes('a') }));
  const root = sequenceOf(store, ROOT);
  const { sequence } = await commit(store, {
    kind: 'ldp-content',
    target: B,
    content: bytes('b', 'text/plain', 3),
  });
  assert.deepEqual(
    managed(store).filter((line) => line.includes('format>') || line.includes('extent')),
    [
      `<${B}> <${dcterms.extent}> "3"^^<http://www.w3.org/2001/XMLSchema#integer>`,
      `<${B}> <${dcterms.format}> "text/plain"`,
    ],
  );
  const sequences = [B, `${B}.meta`, ROOT].map((uri) => sequenceOf(store, uri));
  assert.deepEqual(sequences, [sequence, sequence, root]);
});

test('L-67: replacing a description does not change the binary', async () => {
  const store = await ldpStore();
  const made = await commit(store, create(B, { content: bytes('a') }));
  const { sequence } = await commit(store, replaceLdp(`${B}.meta`, `<${B}> <urn:p> "1" .`));
  assert.deepEqual([sequenceOf(store, B), sequenceOf(store, `${B}.meta`)], [made.sequence, sequence]);
});

test('L-80: a deleted resource leaves a tombstone and nothing else, and its parent changes', async () => {
  const disk = new SimDisk({ seed: 1 });
  const store = await ldpStore(disk);
  await commit(store, create(X, { body: `<${X}> <urn:p> "1" .` }));
  await commit(store, create(C, { model: 'indirect', configuration: membership(X, {}) }));
  await commit(store, create(B, { content: bytes('a'), body: `<${B}> <urn:p> "1" .` }));
  for (const uri of [C, B, X]) {
    const { sequence, outcomes } = await commit(store, { kind: 'ldp-delete', target: uri });
    assert.equal(outcomes[0]?.existed, true);
    assert.equal(sequenceOf(store, ROOT), sequence);
  }
  const gone = [X, C, B, `${B}.meta`].map((uri) => `<${uri}> <urn:x-pathpool:ldp> "gone"`);
  assert.deepEqual(
    contentOf(store).filter((line) => !line.startsWith(`<${ROOT}> `)),
    gone.map((line) => `${line} <urn:x-pathpool:system> .`).sort(),
  );
  assert.deepEqual(graphNames(store).sort(), [LDP_GRAPH, 'urn:x-pathpool:system']);
  assert.deepEqual(await oracleLines(disk), asOxigraphWrites(contentOf(store)));
});

test('L-6: a tombstone is permanent, also after a restart from journal and from checkpoint', async () => {
  const disk = new SimDisk({ seed: 1 });
  let store = await ldpStore(disk);
  await commit(store, create(B, { content: bytes('a') }));
  await commit(store, create(X));
  await commit(store, { kind: 'ldp-delete', target: B });
  await commit(store, { kind: 'ldp-delete', target: X });
  for (const expected of ['nothing', 'checkpoint']) {
    const before = contentOf(store);
    assert.equal(await maintain(store, disk), expected);
    await store.close();
    store = await openOn(disk, { journalMax: 1 });
    assert.deepEqual(contentOf(store), before);
    for (const uri of [B, `${B}.meta`, X]) {
      assert.equal(entryOf(store, uri), 'gone');
      assert.equal(await attempt(store, create(uri)), 'gone');
      assert.equal(await attempt(store, replaceLdp(uri, '')), 'gone');
      assert.equal(await attempt(store, { kind: 'ldp-delete', target: uri }), 'gone');
    }
  }
});

test('C-6: the graph of user triples exists as long as it has one', async () => {
  const disk = new SimDisk({ seed: 1 });
  let store = await ldpStore(disk);
  await commit(store, create(X));
  assert.ok(!graphNames(store).includes(X));
  await commit(store, replaceLdp(X, `<${X}> <urn:p> "1" .`));
  assert.ok(graphNames(store).includes(X));
  await commit(store, replaceLdp(X, ''));
  assert.ok(!graphNames(store).includes(X));
  const graphs = new Map(store.opened().graphs);
  store = await openOn(disk);
  assert.deepEqual(new Map(store.opened().graphs), graphs);
});

test('L-66: missing ancestors are created on request as Basic Containers, each in its parent', async () => {
  const store = await ldpStore();
  const target = `${ROOT}/a/b/x`;
  assert.equal(await attempt(store, create(target)), 'resource-not-found');
  await commit(store, create(target, { ancestors: true }));
  assert.deepEqual(
    managed(store, ...dates),
    [
      ...rootTriples,
      contains(ROOT, `${ROOT}/a`),
      ...type(`${ROOT}/a`, 'Resource', 'RDFSource', 'Container', 'BasicContainer'),
      contains(`${ROOT}/a`, `${ROOT}/a/b`),
      ...type(`${ROOT}/a/b`, 'Resource', 'RDFSource', 'Container', 'BasicContainer'),
      contains(`${ROOT}/a/b`, target),
      ...type(target, 'Resource', 'RDFSource'),
    ].sort(),
  );
});

test('creation is rejected for a name that is taken, reserved or outside of containers', async () => {
  const store = await ldpStore();
  await commit(store, create(X), create(B, { content: bytes('a') }));
  await commit(store, create(C, { model: 'basic' }));
  await commit(store, { kind: 'ldp-delete', target: C });
  const before = contentOf(store);
  const deep = `${ROOT}${'/a'.repeat(200)}`;
  const expected: [code: string, operation: ReturnType<typeof create>][] = [
    ['precondition-failed', create(X)],
    ['precondition-failed', create(ROOT)],
    ['gone', create(C)],
    ['parent-gone', create(`${C}/x`)],
    ['parent-gone', create(`${C}/x/y`, { ancestors: true })],
    ['resource-not-found', create(`${C}/x/y`)],
    ['parent-not-container', create(`${X}/y`)],
    ['parent-not-container', create(`${B}/y`, { ancestors: true })],
    ['parent-not-container', create(`${B}.meta/y`)],
    ['resource-not-found', create(`${ROOT}/none/y`)],
    ['resource-not-found', create('http://elsewhere/ldp/x', { ancestors: true })],
    ['reserved-name', create(`${ROOT}/y.meta`)],
    ['reserved-name', create(`${ROOT}/y.meta/z`, { ancestors: true })],
    ['bad-path', create(deep, { ancestors: true })],
  ];
  for (const [code, operation] of expected) assert.equal(await attempt(store, operation), code);
  assert.deepEqual(contentOf(store), before);
});

test('a server-managed predicate cannot be a membership predicate', async () => {
  const store = await ldpStore();
  const codes = [
    membership(X, { relation: ldp.contains }),
    membership(X, { relation: dcterms.created }),
    membership(ldp.Container, { relation: RDF_TYPE, inverse: true }),
    membership('urn:x:Class', { relation: RDF_TYPE, inverse: true }),
  ].map(async (configuration, i) =>
    attempt(store, create(`${ROOT}/c${i}`, { model: 'direct', configuration })),
  );
  const refused = 'constraint-violation';
  assert.deepEqual(await Promise.all(codes), [refused, refused, refused, 'done']);
});

test('changes of a missing resource or of another kind are rejected', async () => {
  const store = await ldpStore();
  await commit(store, create(X), create(B, { content: bytes('a') }));
  assert.equal(await attempt(store, replaceLdp(C, '')), 'resource-not-found');
  assert.equal(await attempt(store, editLdp(C, '', '')), 'resource-not-found');
  assert.equal(await attempt(store, { kind: 'ldp-delete', target: C }), 'resource-not-found');
  assert.equal(await attempt(store, replaceLdp(B, '')), 'type-conflict');
  assert.equal(
    await attempt(store, { kind: 'ldp-content', target: X, content: bytes('a') }),
    'type-conflict',
  );
});

test('5.11: the root, descriptions and containers that contain something are not deleted', async () => {
  const store = await ldpStore();
  await commit(store, create(C, { model: 'basic' }));
  await commit(store, create(`${C}/x`), create(B, { content: bytes('a') }));
  assert.equal(await attempt(store, { kind: 'ldp-delete', target: ROOT }), 'method-not-allowed');
  assert.equal(await attempt(store, { kind: 'ldp-delete', target: `${B}.meta` }), 'method-not-allowed');
  assert.equal(await attempt(store, { kind: 'ldp-delete', target: C }), 'container-not-empty');
  await commit(store, { kind: 'ldp-delete', target: `${C}/x` });
  assert.equal(await attempt(store, { kind: 'ldp-delete', target: C }), 'done');
});

test('preconditions are checked against the states of entity tags', async () => {
  const store = await ldpStore();
  const { name } = store.opened().identity;
  const { sequence } = await commit(store, create(X));
  await commit(store, create(`${ROOT}/y`));
  const state = name + sequence.toString(36);
  const entry = entryOf(store, X);
  assert.ok(entry && entry !== 'gone');
  const second = Math.floor(entry.modified / 1000) * 1000;
  const holds = async (precondition: object, target = X) =>
    (await codeOf(store, {
      preconditions: [{ target, ...precondition }],
      operations: [replaceLdp(X, '')],
    })) === 'done';
  assert.ok(await holds({ match: [state] }));
  assert.ok(await holds({ match: '*', noneMatch: ['other'], unmodifiedSince: second }));
  assert.ok(!(await holds({ match: ['other'] })));
  assert.ok(!(await holds({ noneMatch: [state] })));
  assert.ok(!(await holds({ noneMatch: '*' })));
  assert.ok(!(await holds({ unmodifiedSince: second - 1 })));
  assert.ok(!(await holds({ match: '*' }, C)));
  assert.ok(await holds({ noneMatch: '*' }, C));
  await commit(store, { kind: 'ldp-delete', target: `${ROOT}/y` });
  assert.ok(!(await holds({ match: '*' }, `${ROOT}/y`)));
});

test('exactly one of two changes with the same precondition in one group succeeds', async () => {
  const store = await ldpStore();
  const { sequence } = await commit(store, create(X));
  const state = store.opened().identity.name + sequence.toString(36);
  const change = (value: string): Transaction => ({
    preconditions: [{ target: X, match: [state] }],
    operations: [replaceLdp(X, `<${X}> <urn:p> "${value}" .`)],
  });
  const { results } = await store.commit([change('1'), change('2')]);
  assert.deepEqual(
    results.map(({ ok }) => ok),
    [true, false],
  );
  assert.deepEqual(triplesIn(store, X), [`<${X}> <urn:p> "1"`]);
});

test('a transaction of several operations is atomic', async () => {
  const store = await ldpStore();
  const before = contentOf(store);
  const operations = [create(X), create(`${ROOT}/y`), create(X)];
  assert.equal(await codeOf(store, { preconditions: [], operations }), 'precondition-failed');
  assert.deepEqual(contentOf(store), before);
  await commit(store, create(X), replaceLdp(X, `<${X}> <urn:p> "1" .`), { kind: 'ldp-delete', target: X });
  assert.equal(entryOf(store, X), 'gone');
});

test('C-5, C-6: other writes cannot change graphs of LDP resources and system graphs', async () => {
  const store = await ldpStore();
  await commit(store, create(X, { body: `<${X}> <urn:p> "1" .` }));
  const before = contentOf(store);
  const quad = (graph: string) => blockOf(`<urn:s> <urn:p> <urn:o> .\n<urn:s> <urn:p> <urn:o> <${graph}> .`);
  const writes = (graph: string): Operation[] => [
    merge(graph, '<urn:s> <urn:p> <urn:o> .'),
    { kind: 'replace', graph, block: blockOf('') },
    { kind: 'drop', graph, keep: false },
    { kind: 'edit', graph, additions: blockOf(''), removals: blockOf('') },
    { kind: 'load', defaultGraph: 'urn:x:g', block: quad(graph) },
    { kind: 'load', defaultGraph: graph, block: blockOf('') },
  ];
  for (const [graph, code] of [
    [LDP_GRAPH, 'server-managed'],
    ['urn:x-pathpool:system', 'server-managed'],
    [X, 'ldp-managed'],
  ] as const) {
    for (const operation of writes(graph)) {
      assert.equal(await codeOf(store, { preconditions: [], operations: [operation] }), code);
    }
  }
  assert.deepEqual(contentOf(store), before);
});

test('R-35, R-52: erasing or describing a resource does not change managed triples', async () => {
  const store = await ldpStore();
  const outside = 'http://example.org/it';
  await commit(store, create(C, { model: 'direct', configuration: membership(outside) }));
  await commit(store, create(`${C}/x`, { body: `<${outside}> <urn:p> "kept" .` }));
  await commit(store, merge('urn:x:g', `<${outside}> <urn:p> "gone" .`));
  const before = managed(store);
  const graphs = { defaultGraph: 'urn:x:default', protectedSpace: ROOT };
  const block = blockOf(`<${outside}> <urn:p> "new" .`);
  await commit(store, { kind: 'describe', resource: outside, block, ...graphs });
  assert.deepEqual(managed(store), before);
  await commit(store, { kind: 'erase', resource: outside, keep: false, protectedSpace: ROOT });
  assert.deepEqual(managed(store), before);
  assert.deepEqual(triplesIn(store, `${C}/x`), [`<${outside}> <urn:p> "kept"`]);
  assert.deepEqual(triplesIn(store, 'urn:x:g'), []);
});
