import assert from 'node:assert/strict';
import { test } from 'node:test';
import { evaluateUpdate } from '../../../src/sparql/engine/update.ts';
import { contentOf } from '../../support/stores.ts';
import { commitEffects, requestOf } from '../updates.ts';
import { mirroredStore } from './mirrors.ts';

/** Earlier versions stored these IRIs; RFC 3987 forbids them. */
const iris = ['http://h/100%', 'http://h/%zz', 'http://h/#a#b', 'http://[x', 'http://a:b:c/'];
const typed = '"x"^^<http://www.w3.org/2001/XMLSchema#%zz>';
const rows = iris.flatMap((iri) => [
  `<${iri}> <${iri}> <${iri}> <${iri}> .`,
  `_:b <${iri}> "x"^^<${iri}> <${iri}> .`,
  `<${iri}> <urn:p> _:b <urn:g> .`,
  `_:b <urn:p> ${typed} <${iri}> .`,
]);

test('IRIs that Oxigraph considers invalid are loaded, followed and updated like others', async () => {
  const { store, mirror, follows } = await mirroredStore(rows);

  const [iri] = iris;
  for (const named of [
    `WITH <${iri}> INSERT { ?s <urn:q> ?o } WHERE { ?s ?p ?o }`,
    `INSERT DATA { GRAPH <${iri}> { <urn:s> <urn:p> 1 } }`,
    `INSERT DATA { <urn:s> <urn:p> "x"^^<${iri}> }`,
  ]) {
    const { result: rejected, isSpoilt: isBroken } = evaluateUpdate(mirror, requestOf(named, store));
    assert.ok(!rejected.ok && !isBroken);
    assert.equal(rejected.error.code, 'parse-error', named);
    assert.equal(typeof rejected.error.details.column, 'number');
  }
  const updates = [
    'INSERT { GRAPH ?g { ?s ?p ?o, 1 } } WHERE { GRAPH ?g { ?s ?p ?o } FILTER(isBlank(?s)) }',
    'INSERT { GRAPH ?g { [] ?p ?p } } WHERE { GRAPH ?g { ?s ?p ?o } } ; DELETE { ?s ?p 1 } WHERE { ?s ?p ?o }',
    'DELETE { GRAPH ?g { ?s ?p ?o } } WHERE { GRAPH ?g { ?s ?p ?o } }',
  ];
  for (const text of updates) {
    const { result, isSpoilt } = evaluateUpdate(mirror, requestOf(text, store));
    assert.ok(result.ok && !isSpoilt, JSON.stringify(result));
    await commitEffects(store, result.value);
    follows();
  }
  assert.deepEqual(contentOf(store), []);
  await store.close();
});

/** The grammars of Turtle and SPARQL allow these, and BCP 47 forbids them. */
const tags = ['a-b', 'en-x', 'x', 'en-a-b', 'abcd-efgh-ijkl'];

test('language tags that Oxigraph considers invalid are loaded, followed and updated like others', async () => {
  const tagged = tags.flatMap((tag) => [
    `_:b <urn:p> "x"@${tag} <urn:g> .`,
    `<urn:s> <urn:p> "x"@${tag} <urn:g> .`,
    `<urn:s> <urn:p> "x"@${tag} <urn:h> .`,
  ]);
  const { store, mirror, follows } = await mirroredStore(tagged);
  for (const text of [
    ...tags.map((tag) => `INSERT DATA { <urn:t> <urn:p> "y"@${tag} } ; DELETE WHERE { ?s <urn:none> ?o }`),
    ...tags.map((tag) => `DELETE DATA { <urn:t> <urn:p> "y"@${tag} } ; DELETE WHERE { ?s <urn:none> ?o }`),
    'INSERT { GRAPH ?g { [] ?p ?o } } WHERE { GRAPH ?g { ?s ?p ?o } } ; DELETE { ?s ?p 1 } WHERE { ?s ?p ?o }',
    'DELETE { GRAPH ?g { ?s ?p ?o } } WHERE { GRAPH ?g { ?s ?p ?o } }',
  ]) {
    const { result, isSpoilt } = evaluateUpdate(mirror, requestOf(text, store));
    assert.ok(result.ok && !isSpoilt, `${text}: ${JSON.stringify(result)}`);
    await commitEffects(store, result.value);
    follows();
  }
  assert.deepEqual(contentOf(store), []);
  await store.close();
});
