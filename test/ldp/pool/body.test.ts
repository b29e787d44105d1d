import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AppError } from '../../../src/errors.ts';
import type { InteractionModel } from '../../../src/ldp/model/kinds.ts';
import { ldp } from '../../../src/ldp/model/vocabulary.ts';
import { readBody } from '../../../src/ldp/pool/body.ts';
import { RepresentationCursor } from '../../../src/ldp/pool/representation.ts';
import type { LdpPurpose } from '../../../src/pool/messages.ts';
import { parseRdf } from '../../../src/rdf/formats/parse-document.ts';
import { blockLines, linesOf, ROOT, Space, turtle } from './space.ts';

const NEW = `${ROOT}/new`;
const EX = 'http://example.org/';
const DCT = 'http://purl.org/dc/terms/';

function create(model: InteractionModel | null, defaultModel: InteractionModel = 'rdf-source'): LdpPurpose {
  return { kind: 'create', model, defaultModel };
}
const replace: LdpPurpose = { kind: 'replace' };

function read(space: Space, target: string, purpose: LdpPurpose, text: string) {
  return readBody(space.reader, { target }, purpose, turtle(text, target));
}

/** The code and the properties of the error. */
function refusal(run: () => unknown): readonly [string, readonly string[] | undefined] {
  try {
    run();
  } catch (error) {
    assert.ok(error instanceof AppError, String(error));
    return [error.code, error.details.properties];
  }
  return assert.fail('It was not refused.');
}

function document(space: Space, uri: string): string[] {
  const parts = { minimal: true, containment: true, membership: true };
  return linesOf(new RepresentationCursor(space.reader, { ldp: uri, parts }));
}

/** A body that states these triples, in canonical form. */
function body(lines: readonly string[]): string {
  return lines.map((line) => `${line} .\n`).join('');
}

test('L-41: dates are dropped, and kinds that agree with the model are absorbed', async () => {
  const space = await Space.open();
  const { block, model } = read(
    space,
    NEW,
    create('rdf-source'),
    '<> dct:created "x" ; dct:modified 1 ; a ldp:Resource, ldp:RDFSource, ex:Thing ; ex:p <#me> . <#me> dct:created "y" .',
  );
  assert.equal(model, 'rdf-source');
  assert.deepEqual(blockLines(block), [
    `<${NEW}#me> <${DCT}created> "y"`,
    `<${NEW}> <${EX}p> <${NEW}#me>`,
    `<${NEW}> <http://www.w3.org/1999/02/22-rdf-syntax-ns#type> <${EX}Thing>`,
  ]);
});

test('L-41: containment is no client’s to state', async () => {
  const space = await Space.open();
  for (const model of ['rdf-source', 'basic'] as const) {
    assert.deepEqual(
      refusal(() => read(space, NEW, create(model), '<> ldp:contains <new/a> .')),
      ['constraint-violation', [ldp.contains]],
    );
  }
  assert.equal(read(space, NEW, create('basic'), '<#x> ldp:contains <new/a> .').block.quads.length, 4);
});

test('L-41: a kind that contradicts the model is rejected', async () => {
  const space = await Space.open();
  const cases = [
    ['rdf-source', 'ldp:NonRDFSource'],
    ['basic', 'ldp:DirectContainer'],
    ['basic', 'ldp:NonRDFSource'],
    ['direct', 'ldp:BasicContainer'],
  ] as const;
  for (const [model, kind] of cases) {
    const [code] = refusal(() => read(space, NEW, create(model), `<> a ${kind} .`));
    assert.equal(code, 'type-conflict', `${model} ${kind}`);
  }
  assert.equal(
    read(space, NEW, create('basic'), '<> a ldp:Container, ldp:BasicContainer .').block.quads.length,
    0,
  );
});

test('L-53: with an explicit model a container type is an ordinary triple, now and later', async () => {
  const space = await Space.open();
  const { block, model } = read(
    space,
    NEW,
    create('rdf-source'),
    '<> a ldp:Container, ldp:DirectContainer .',
  );
  assert.equal(model, 'rdf-source');
  assert.equal(block.quads.length, 8);
  await space.create('new', { body: '<> a ldp:Container .' });
  assert.equal(read(space, NEW, replace, '<> a ldp:Container .').block.quads.length, 4);
  assert.equal(refusal(() => read(space, NEW, replace, '<> a ldp:BasicContainer .'))[0], 'type-conflict');
});

test('5.8: without a link the body decides the model, or else the default', async () => {
  const space = await Space.open();
  const modelOf = (text: string, fallback?: InteractionModel) =>
    read(space, NEW, create(null, fallback), text).model;
  assert.equal(modelOf('<> a ldp:Container .'), 'basic');
  assert.equal(modelOf('<> a ldp:Container, ldp:DirectContainer .'), 'direct');
  assert.equal(modelOf('<> a ldp:IndirectContainer ; ldp:insertedContentRelation ex:t .'), 'indirect');
  assert.equal(modelOf('<> a ldp:Resource .'), 'rdf-source');
  assert.equal(modelOf('<#x> a ldp:Container .'), 'rdf-source');
  assert.equal(modelOf('<> ex:p 1 .', 'basic'), 'basic');
  const [code] = refusal(() => modelOf('<> a ldp:BasicContainer, ldp:DirectContainer .'));
  assert.equal(code, 'bad-interaction-model');
});

test('L-45: the configuration is read from the body, with its defaults, and is no user triple', async () => {
  const space = await Space.open();
  const bare = read(space, NEW, create('direct'), '<> ex:p 1 .');
  assert.deepEqual(bare.configuration, {
    membershipResource: NEW,
    relation: ldp.member,
    inverse: false,
    insertedContentRelation: null,
  });
  const full = read(
    space,
    NEW,
    create('indirect'),
    '<> ldp:membershipResource <#it> ; ldp:isMemberOfRelation ex:of ; ldp:insertedContentRelation ex:topic ; ex:p 1 .',
  );
  assert.deepEqual(full.configuration, {
    membershipResource: `${NEW}#it`,
    relation: `${EX}of`,
    inverse: true,
    insertedContentRelation: `${EX}topic`,
  });
  assert.equal(full.block.quads.length, 4);
  assert.equal(read(space, NEW, create('basic'), '<> ldp:membershipResource <#it> .').configuration, null);
});

test('L-46: an invalid configuration is rejected with the name of the property', async () => {
  const space = await Space.open();
  const cases: [InteractionModel, string, string[]][] = [
    ['direct', 'ldp:membershipResource <a>, <b>', [ldp.membershipResource]],
    ['direct', 'ldp:membershipResource "a"', [ldp.membershipResource]],
    ['direct', 'ldp:membershipResource []', [ldp.membershipResource]],
    ['direct', 'ldp:hasMemberRelation ex:a, ex:b', [ldp.hasMemberRelation]],
    [
      'direct',
      'ldp:hasMemberRelation ex:a ; ldp:isMemberOfRelation ex:b',
      [ldp.hasMemberRelation, ldp.isMemberOfRelation],
    ],
    ['indirect', 'ex:p 1', [ldp.insertedContentRelation]],
    ['indirect', 'ldp:insertedContentRelation ex:a, ex:b', [ldp.insertedContentRelation]],
    ['direct', 'ldp:insertedContentRelation ex:a', [ldp.insertedContentRelation]],
    ['direct', 'ldp:hasMemberRelation ldp:contains', [ldp.hasMemberRelation]],
  ];
  for (const [model, text, properties] of cases) {
    const refused = refusal(() => read(space, NEW, create(model), `<> ${text} .`));
    assert.deepEqual(refused, ['constraint-violation', properties], text);
  }
  const stated = read(space, NEW, create('direct'), '<> ldp:insertedContentRelation ldp:MemberSubject .');
  assert.equal(stated.configuration?.insertedContentRelation, ldp.MemberSubject);
});

test('L-12: a new container cannot state its own members', async () => {
  const space = await Space.open();
  assert.deepEqual(
    refusal(() => read(space, NEW, create('direct'), '<> ldp:member <a> .')),
    ['constraint-violation', [ldp.member]],
  );
  assert.deepEqual(
    refusal(() => read(space, NEW, create('direct'), '<> ldp:isMemberOfRelation ex:of . <a> ex:of <> .')),
    ['constraint-violation', [`${EX}of`]],
  );
  assert.equal(read(space, NEW, create('rdf-source'), '<> ldp:member <a> .').block.quads.length, 4);
});

test('L-62: a representation from GET can be PUT back, for every kind of resource', async () => {
  const space = await Space.open();
  const member = await space.create('doc', { body: '<> ex:title "Doc" .' });
  const inverse = {
    membershipResource: member,
    relation: `${EX}of`,
    inverse: true,
    insertedContentRelation: null,
  };
  const basic = await space.create('basic', { model: 'basic', body: '<> ex:title "B" .' });
  const container = await space.create('d', {
    model: 'direct',
    configuration: inverse,
    body: '<> ex:title "D" .',
  });
  const child = await space.create('d/1', { body: '<> ex:title "1" ; ex:n 01 .' });
  const binary = await space.create('d/2', { model: 'binary', body: '<> ex:title "2" .' });
  for (const uri of [member, basic, container, child, `${binary}.meta`, ROOT]) {
    const lines = document(space, uri);
    const { block } = read(space, uri, replace, body(lines));
    const user = lines.filter((line) => line.includes('example.org/title') || line.includes('example.org/n'));
    assert.deepEqual(blockLines(block), user.sort(), uri);
  }
});

test('L-62: managed triples that differ in their value or its spelling are rejected', async () => {
  const space = await Space.open();
  const configuration = {
    membershipResource: `${ROOT}/doc`,
    relation: `${EX}has`,
    inverse: false,
    insertedContentRelation: null,
  };
  const member = await space.create('doc');
  const container = await space.create('c', { model: 'direct', configuration });
  const binary = await space.create('c/b', { model: 'binary' });
  const created = document(space, member).find((line) => line.includes('created'))!;
  const sameTime = created.slice(created.indexOf('"')).replace('Z"', '+00:00"');
  const cases: [string, string, string][] = [
    [member, `<> dct:created ${sameTime}`, `${DCT}created`],
    [member, '<> dct:modified "2020-01-01T00:00:00.000Z"^^xsd:dateTime', `${DCT}modified`],
    [member, '<> ex:has <none>', `${EX}has`],
    [container, `<${member}> ex:has <none>`, `${EX}has`],
    [container, '<> ldp:contains <none>', ldp.contains],
    [container, '<> ldp:hasMemberRelation ex:other', ldp.hasMemberRelation],
    [container, '<> ldp:isMemberOfRelation ex:other', ldp.isMemberOfRelation],
    [container, '<> ldp:insertedContentRelation ldp:MemberSubject', ldp.insertedContentRelation],
    [`${binary}.meta`, '<> dct:hasFormat <other>', `${DCT}hasFormat`],
    [`${binary}.meta`, `<${binary}> dct:format "text/plain"`, `${DCT}format`],
    [`${binary}.meta`, `<${binary}> dct:extent 4`, `${DCT}extent`],
    [`${binary}.meta`, `<${binary}> ldp:contains <x>`, ldp.contains],
  ];
  for (const [target, text, property] of cases) {
    const refused = refusal(() => read(space, target, replace, `${text} .`));
    assert.deepEqual(refused, ['constraint-violation', [property]], `${target} ${text}`);
  }
});

test('L-62: all rejected properties are named', async () => {
  const space = await Space.open();
  const uri = await space.create('a');
  const text = '<> dct:created 1 ; ldp:contains <x>, <y> ; ex:fine 2 .';
  assert.deepEqual(
    refusal(() => read(space, uri, replace, text)),
    ['constraint-violation', [`${DCT}created`, ldp.contains].sort()],
  );
});

test('a managed property of one resource is an ordinary one of another', async () => {
  const space = await Space.open();
  const uri = await space.create('a');
  const other = await space.create('b');
  const text = `<> dct:format "x" ; dct:extent 1 ; ldp:membershipResource <> ; ldp:member <x> . <${other}> dct:created 1 ; ldp:contains <x> .`;
  assert.equal(read(space, uri, replace, text).block.quads.length, 4 * 6);
});

test('L-55: a kind that differs from that of the resource is rejected', async () => {
  const space = await Space.open();
  const document = await space.create('a');
  const container = await space.create('c', { model: 'basic' });
  const binary = await space.create('b', { model: 'binary' });
  const cases = [
    [document, `<> a ldp:BasicContainer`],
    [document, `<> a ldp:NonRDFSource`],
    [container, `<> a ldp:DirectContainer`],
    [`${binary}.meta`, `<> a ldp:NonRDFSource`],
    [`${binary}.meta`, `<${binary}> a ldp:RDFSource`],
  ] as const;
  for (const [target, text] of cases) {
    assert.equal(refusal(() => read(space, target, replace, `${text} .`))[0], 'type-conflict', text);
  }
  assert.equal(read(space, container, replace, '<> a ldp:Container, ex:Other .').block.quads.length, 4);
});

test('the label of the root is absorbed when it is the same, and the client’s when it is another', async () => {
  const space = await Space.open();
  const text = (label: string) => `<> <http://www.w3.org/2000/01/rdf-schema#label> "${label}" .`;
  assert.equal(read(space, ROOT, replace, text('All resources')).block.quads.length, 0);
  assert.equal(read(space, ROOT, replace, text('Mine')).block.quads.length, 4);
});

test('G-102: managed triples cannot be smuggled in under the name of a graph', async () => {
  const space = await Space.open();
  const uri = await space.create('c', { model: 'basic' });
  const block = (graph: string) =>
    parseRdf(Buffer.from(`<${uri}> <${ldp.contains}> <urn:x> <${graph}> .`), {
      mediaType: 'application/n-quads',
      baseIri: uri,
    });
  for (const graph of ['urn:x-pathpool:ldp-managed', 'urn:x-pathpool:system', uri, 'urn:other']) {
    const [code] = refusal(() => readBody(space.reader, { target: uri }, replace, block(graph)));
    assert.equal(code, 'constraint-violation', graph);
  }
});

test('a blank node of a body is never taken for one of the store', async () => {
  const space = await Space.open();
  const configuration = {
    membershipResource: `${ROOT}/c`,
    relation: `${EX}of`,
    inverse: true,
    insertedContentRelation: null,
  };
  const uri = await space.create('c', { model: 'direct', configuration });
  const [code] = refusal(() => read(space, uri, replace, '_:0 ex:of <> .'));
  assert.equal(code, 'constraint-violation');
});
