import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { MembershipConfiguration } from '../../../src/ldp/model/kinds.ts';
import { RepresentationCursor } from '../../../src/ldp/pool/representation.ts';
import { linesOf, ROOT, Space } from './space.ts';

const everything = { minimal: true, containment: true, membership: true };
const LDP = 'http://www.w3.org/ns/ldp#';
const TYPE = '<http://www.w3.org/1999/02/22-rdf-syntax-ns#type>';

function shown(space: Space, uri: string, parts: Partial<typeof everything> = everything): string[] {
  const all = { minimal: false, containment: false, membership: false, ...parts };
  return linesOf(new RepresentationCursor(space.reader, { ldp: uri, parts: all }));
}

/** Without dates. */
function undated(lines: readonly string[]): string[] {
  return lines.filter((line) => !/terms\/(created|modified)>/.test(line)).sort();
}

function direct(configuration: Partial<MembershipConfiguration> = {}): MembershipConfiguration {
  return {
    membershipResource: `${ROOT}/c`,
    relation: 'http://example.org/has',
    inverse: false,
    insertedContentRelation: null,
    ...configuration,
  };
}

test('L-10: a document shows its user triples, its types and its dates, itself first', async () => {
  const space = await Space.open();
  const uri = await space.create('a', {
    body: 'ex:other ex:p 1 . <> ex:title "A" ; ex:x _:b . _:b ex:y 2 .',
  });
  const lines = shown(space, uri);
  assert.equal(lines.filter((line) => line.startsWith(`<${uri}>`)).length, 6);
  assert.ok(lines.slice(0, 6).every((line) => line.startsWith(`<${uri}>`)));
  assert.equal(lines.length, 8);
  assert.ok(lines.includes(`<${uri}> ${TYPE} <${LDP}RDFSource>`));
  assert.equal(lines.filter((line) => line.includes('/created>')).length, 1);
});

test('5.5: each part of a container can be requested separately', async () => {
  const space = await Space.open();
  const uri = await space.create('c', {
    model: 'direct',
    configuration: direct(),
    body: '<> ex:title "C" .',
  });
  const child = await space.create('c/1');
  assert.deepEqual(shown(space, uri, { containment: true }), [`<${uri}> <${LDP}contains> <${child}>`]);
  assert.deepEqual(shown(space, uri, { membership: true }), [`<${uri}> <http://example.org/has> <${child}>`]);
  const minimal = shown(space, uri, { minimal: true });
  assert.ok(minimal.includes(`<${uri}> <${LDP}membershipResource> <${uri}>`));
  assert.ok(!minimal.some((line) => line.includes(child)));
  assert.deepEqual(shown(space, uri).length, minimal.length + 2);
});

test('the label of the root is not confused with a membership by the same property', async () => {
  const space = await Space.open();
  const label = 'http://www.w3.org/2000/01/rdf-schema#label';
  await space.create('c', {
    model: 'direct',
    configuration: direct({ membershipResource: ROOT, relation: label }),
  });
  await space.create('c/1');
  assert.ok(shown(space, ROOT, { minimal: true }).includes(`<${ROOT}> <${label}> "All resources"`));
  assert.ok(!shown(space, ROOT, { minimal: true }).includes(`<${ROOT}> <${label}> <${ROOT}/c/1>`));
  assert.deepEqual(shown(space, ROOT, { membership: true }), [`<${ROOT}> <${label}> <${ROOT}/c/1>`]);
});

test('a membership by rdf:type is not confused with the types that the server adds', async () => {
  const space = await Space.open();
  const type = TYPE.slice(1, -1);
  const document = await space.create('doc');
  const uri = await space.create('c', {
    model: 'direct',
    configuration: direct({ membershipResource: document, relation: type }),
  });
  await space.create('c/1');
  assert.deepEqual(shown(space, uri, { membership: true }), [`<${document}> ${TYPE} <${uri}/1>`]);
  assert.deepEqual(shown(space, document, { membership: true }), [`<${document}> ${TYPE} <${uri}/1>`]);
  assert.equal(shown(space, document, { minimal: true }).filter((line) => line.includes(TYPE)).length, 2);
});

test('L-49: a membership triple is shown in the container and in the membership resource', async () => {
  const space = await Space.open();
  const document = await space.create('doc', { body: '<> ex:title "Doc" .' });
  const uri = await space.create('c', {
    model: 'direct',
    configuration: direct({ membershipResource: document }),
  });
  const child = await space.create('c/1');
  const triple = `<${document}> <http://example.org/has> <${child}>`;
  assert.deepEqual(shown(space, uri, { membership: true }), [triple]);
  assert.deepEqual(shown(space, document, { membership: true }), [triple]);
  assert.deepEqual(shown(space, child, { membership: true }), []);
});

test('L-49: an inverse membership is shown in the member, too', async () => {
  const space = await Space.open();
  const document = await space.create('doc');
  const configuration = direct({ membershipResource: document, inverse: true });
  const uri = await space.create('c', { model: 'direct', configuration });
  const child = await space.create('c/1');
  const triple = `<${child}> <http://example.org/has> <${document}>`;
  for (const place of [uri, document, child]) {
    assert.deepEqual(shown(space, place, { membership: true }), [triple], place);
  }
});

test('L-48, L-49: the member of an indirect container shows the inverse triple, wherever it lies', async () => {
  const space = await Space.open();
  const member = await space.create('elsewhere');
  const configuration = direct({ inverse: true, insertedContentRelation: 'http://example.org/topic' });
  const uri = await space.create('c', { model: 'indirect', configuration });
  const child = await space.create('c/1', { body: `<> ex:topic <${member}> .` });
  const triple = `<${member}> <http://example.org/has> <${uri}>`;
  assert.deepEqual(shown(space, member, { membership: true }), [triple]);
  assert.deepEqual(shown(space, uri, { membership: true }), [triple]);
  assert.deepEqual(shown(space, child, { membership: true }), []);
});

test("L-10: a description has the server's triples about its binary", async () => {
  const space = await Space.open();
  const binary = await space.create('b', { model: 'binary', body: '<> ex:title "picture" .' });
  const lines = undated(shown(space, `${binary}.meta`));
  const dct = 'http://purl.org/dc/terms/';
  for (const line of [
    `<${binary}> ${TYPE} <${LDP}NonRDFSource>`,
    `<${binary}> <${dct}format> "image/png"`,
    `<${binary}> <${dct}isFormatOf> <${binary}.meta>`,
    `<${binary}> <http://example.org/title> "picture"`,
    `<${binary}.meta> <${dct}hasFormat> <${binary}>`,
    `<${binary}.meta> ${TYPE} <${LDP}RDFSource>`,
  ]) {
    assert.ok(lines.includes(line), line);
  }
});

test('a triple that both the client and the server state is written once', async () => {
  const space = await Space.open();
  const uri = await space.create('c', { model: 'direct', configuration: direct() });
  const graph = { kind: 'ldp-replace', target: uri } as const;
  const { turtle } = await import('./space.ts');
  await space.commit({ ...graph, block: turtle(`<> ex:has <${uri}/1> .`, uri) });
  await space.create('c/1');
  const lines = shown(space, uri);
  assert.equal(lines.length, new Set(lines).size);
  assert.ok(lines.includes(`<${uri}> <http://example.org/has> <${uri}/1>`));
});

test('where nothing is, or is no more, nothing is shown', async () => {
  const space = await Space.open();
  const uri = await space.create('a', { body: '<> ex:title "A" .' });
  await space.commit({ kind: 'ldp-delete', target: uri });
  assert.deepEqual(shown(space, uri), []);
  assert.deepEqual(shown(space, `${ROOT}/none`), []);
});
