import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MembershipConfiguration } from '../../../src/ldp/model/kinds.ts';
import { dcterms, ldp, RDF_TYPE } from '../../../src/ldp/model/vocabulary.ts';
import { configurationOf } from '../../../src/ldp/store/membership.ts';
import { openSnapshot } from '../../../src/snapshot/read/reader.ts';
import type { Store } from '../../../src/store/thread/store.ts';
import { SimDisk } from '../../simulation/sim-disk.ts';
import {
  bytes,
  type Creation,
  create,
  ldpStore,
  managed,
  membership,
  ROOT,
  sequenceOf,
} from '../../support/ldp-store.ts';
import { commit, contentOf, openOn } from '../../support/stores.ts';

const C = `${ROOT}/c`;
const M = `${ROOT}/m`;
const TOPIC = 'urn:x:topic';
const indirect = { insertedContentRelation: TOPIC };

/** A container, and its membership resource, which is an RDF source. */
async function storeWith(configuration: MembershipConfiguration, disk?: SimDisk): Promise<Store> {
  const store = await ldpStore(disk);
  await commit(store, create(M));
  const model = configuration.insertedContentRelation === null ? 'direct' : 'indirect';
  await commit(store, create(C, { model, configuration }));
  return store;
}

function membershipTriples(store: Store): string[] {
  return managed(
    store,
    ...Object.values(dcterms),
    ldp.contains,
    ldp.membershipResource,
    ldp.hasMemberRelation,
    ldp.isMemberOfRelation,
    ldp.insertedContentRelation,
  ).filter((line) => !line.includes(RDF_TYPE) && !line.includes('label'));
}

async function membersAfter(configuration: MembershipConfiguration, child: Creation): Promise<string[]> {
  const store = await storeWith(configuration);
  await commit(store, create(`${C}/x`, child));
  return membershipTriples(store);
}

const topics = (subject: string, ...objects: string[]) =>
  objects.map((object) => `<${subject}> <${TOPIC}> ${object} .`).join('\n');

test('L-45: a container keeps the configuration of its creation, and other resources have none', async () => {
  const given = [
    membership(M),
    membership(C, { relation: 'urn:x:rel', inverse: true }),
    membership(M, { insertedContentRelation: ldp.MemberSubject }),
    membership(M, indirect),
  ];
  for (const configuration of given) {
    const reader = openSnapshot((await storeWith(configuration)).opened().snapshot);
    assert.deepEqual(configurationOf(reader, C), configuration);
    for (const uri of [ROOT, M, 'urn:x:none']) assert.equal(configurationOf(reader, uri), null);
  }
});

test('L-45: user triples do not change the configuration', async () => {
  const store = await ldpStore();
  await commit(
    store,
    create(C, { model: 'basic', body: `<${C}> <${ldp.membershipResource}> <urn:x:fake> .` }),
  );
  assert.equal(configurationOf(openSnapshot(store.opened().snapshot), C), null);
});

test('L-47: any child is a member of a Direct Container, in both forms', async () => {
  const child = `<${C}/x>`;
  const inverse = membership(M, { relation: 'urn:x:in', inverse: true });
  const subject = membership(M, { insertedContentRelation: ldp.MemberSubject });
  for (const creation of [{}, { model: 'basic' as const }, { content: bytes('a') }]) {
    assert.deepEqual(await membersAfter(membership(M), creation), [`<${M}> <${ldp.member}> ${child}`]);
    assert.deepEqual(await membersAfter(inverse, creation), [`${child} <urn:x:in> <${M}>`]);
    assert.deepEqual(await membersAfter(subject, creation), [`<${M}> <${ldp.member}> ${child}`]);
  }
});

test("L-48: the members of an Indirect Container are the objects of the relation in the child's body", async () => {
  const of = async (body: string) =>
    (await membersAfter(membership(M, indirect), { body })).map((line) => line.split(' ')[2]);
  const x = `${C}/x`;
  assert.deepEqual(await of(topics(x, '<urn:x:1>')), ['<urn:x:1>']);
  assert.deepEqual(await of(topics(x, '<urn:x:2>', '<urn:x:1>')), ['<urn:x:1>', '<urn:x:2>']);
  assert.deepEqual(await of(topics('urn:x:other', '<urn:x:1>')), ['<urn:x:1>']);
  const both = `${topics(x, '<urn:x:1>')}\n${topics('urn:x:other', '<urn:x:2>')}`;
  assert.deepEqual(await of(both), ['<urn:x:1>']);
  assert.deepEqual(await of(topics(x, '"literal"', '_:blank')), []);
  assert.deepEqual(await of(`${topics(x, '"literal"')}\n${topics('urn:x:other', '<urn:x:2>')}`), []);
  assert.deepEqual(await of('<urn:x:a> <urn:x:b> <urn:x:c> .'), []);
});

test('L-48: a binary does not define members', async () => {
  const creation = { content: bytes('a'), body: topics(`${C}/x`, '<urn:x:1>') };
  assert.deepEqual(await membersAfter(membership(M, indirect), creation), []);
});

test('L-66: a created ancestor is a member like any child, without an inserted relation', async () => {
  for (const [configuration, expected] of [
    [membership(M), [`<${M}> <${ldp.member}> <${C}/a>`]],
    [membership(M, indirect), []],
  ] as const) {
    const store = await storeWith(configuration);
    const body = topics(`${C}/a/x`, '<urn:x:1>');
    await commit(store, create(`${C}/a/x`, { ancestors: true, body }));
    assert.deepEqual(membershipTriples(store), expected);
  }
});

test('L-50: a deleted child loses its membership, and the membership resource changes both times', async () => {
  const store = await storeWith(membership(M, indirect));
  const made = await commit(store, create(`${C}/x`, { body: topics(`${C}/x`, '<urn:x:1>', '<urn:x:2>') }));
  assert.equal(sequenceOf(store, M), made.sequence);
  const gone = await commit(store, { kind: 'ldp-delete', target: `${C}/x` });
  assert.deepEqual(membershipTriples(store), []);
  assert.deepEqual([sequenceOf(store, M), sequenceOf(store, C)], [gone.sequence, gone.sequence]);
  assert.deepEqual(
    contentOf(store).filter((line) => line.includes('ldpMember')),
    [],
  );
});

test('L-50: a member of several children lasts until the last of them is deleted, also across restarts', async () => {
  const disk = new SimDisk({ seed: 1 });
  let store = await storeWith(membership(M, { ...indirect, inverse: true }), disk);
  const triple = `<urn:x:1> <${ldp.member}> <${M}>`;
  const names = ['a', 'b', 'c', 'd'].map((name) => `${C}/${name}`);
  const first = await commit(store, create(names[0]!, { body: topics(names[0]!, '<urn:x:1>') }));
  for (const name of names.slice(1)) await commit(store, create(name, { body: topics(name, '<urn:x:1>') }));
  assert.equal(sequenceOf(store, M), first.sequence, 'a triple that is there already changes nothing');
  for (const name of names.slice(1)) {
    store = await openOn(disk);
    await commit(store, { kind: 'ldp-delete', target: name });
    assert.deepEqual(membershipTriples(store), [triple]);
    assert.equal(sequenceOf(store, M), first.sequence);
  }
  const last = await commit(store, { kind: 'ldp-delete', target: names[0]! });
  assert.deepEqual(membershipTriples(store), []);
  assert.equal(sequenceOf(store, M), last.sequence);
  assert.deepEqual(
    contentOf(store).filter((line) => line.includes('ldpMade')),
    [],
  );
});

test('L-50: containers with one configuration share their membership triples, and change together', async () => {
  const store = await storeWith(membership(M, indirect));
  const other = `${ROOT}/other`;
  await commit(store, create(other, { model: 'direct', configuration: membership(M) }));
  const child = `${other}/x`;
  const { sequence } = await commit(store, create(child));
  assert.deepEqual(
    [C, other, M].map((uri) => sequenceOf(store, uri)),
    [sequence, sequence, sequence],
  );
  await commit(store, create(`${C}/y`, { body: topics(`${C}/y`, `<${child}>`) }));
  await commit(store, { kind: 'ldp-delete', target: child });
  assert.deepEqual(membershipTriples(store), [`<${M}> <${ldp.member}> <${child}>`]);
  await commit(store, { kind: 'ldp-delete', target: `${C}/y` });
  assert.deepEqual(membershipTriples(store), []);
});

test('L-49: an inverse member that is an RDF source changes with its membership, a binary does not', async () => {
  const store = await storeWith(membership(M, { ...indirect, inverse: true }));
  const source = `${ROOT}/source`;
  const binary = `${ROOT}/binary`;
  await commit(store, create(source), create(binary, { content: bytes('a') }));
  const before = sequenceOf(store, binary);
  const body = topics(`${C}/x`, `<${source}>`, `<${binary}>`, '<urn:x:1>');
  const made = await commit(store, create(`${C}/x`, { body }));
  assert.deepEqual(
    [source, binary].map((uri) => sequenceOf(store, uri)),
    [made.sequence, before],
  );
  const gone = await commit(store, { kind: 'ldp-delete', target: `${C}/x` });
  assert.deepEqual(
    [source, binary].map((uri) => sequenceOf(store, uri)),
    [gone.sequence, before],
  );
});

test('the member of a forward relation does not change, because it does not show the triple', async () => {
  const store = await storeWith(membership(M, indirect));
  const source = `${ROOT}/source`;
  const { sequence } = await commit(store, create(source));
  await commit(store, create(`${C}/x`, { body: topics(`${C}/x`, `<${source}>`) }));
  assert.equal(sequenceOf(store, source), sequence);
});

test('a deleted membership resource does not change, and the container keeps its membership triples', async () => {
  const store = await storeWith(membership(M));
  await commit(store, create(`${C}/x`));
  await commit(store, { kind: 'ldp-delete', target: M });
  const { sequence } = await commit(store, create(`${C}/y`));
  assert.equal(sequenceOf(store, C), sequence);
  assert.deepEqual(membershipTriples(store), [
    `<${M}> <${ldp.member}> <${C}/x>`,
    `<${M}> <${ldp.member}> <${C}/y>`,
  ]);
});

test('a server-managed type is not a member', async () => {
  const configuration = membership(M, { ...indirect, relation: RDF_TYPE });
  const store = await storeWith(configuration);
  const before = managed(store, ...Object.values(dcterms));
  await commit(store, create(`${C}/x`, { body: topics(`${C}/x`, `<${ldp.Container}>`) }));
  await commit(store, { kind: 'ldp-delete', target: `${C}/x` });
  assert.deepEqual(managed(store, ...Object.values(dcterms)), before);
});
