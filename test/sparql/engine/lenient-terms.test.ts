import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newChangeFeed } from '../../../src/snapshot/feed/change-feed.ts';
import { evaluateUpdate } from '../../../src/sparql/engine/update.ts';
import { Mirror } from '../../../src/sparql/thread/mirror.ts';
import { SimDisk } from '../../simulation/sim-disk.ts';
import { storedBlockOf } from '../../support/blocks.ts';
import { commit, contentOf, openOn } from '../../support/stores.ts';
import { commitEffects, defaultGraph, requestOf } from '../updates.ts';
import { expectedLines, linesIn, mirrorSettings, readerOf } from './mirrors.ts';

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
  const changeFeed = newChangeFeed({ rows: 4096, commits: 64 });
  const store = await openOn(new SimDisk({ seed: 1 }), { changeFeed });
  const mirror = Mirror.fill(readerOf(store), mirrorSettings);
  const follows = () => {
    const reader = readerOf(store);
    assert.ok(mirror.follow(reader, changeFeed));
    assert.deepEqual(linesIn(mirror), expectedLines(reader, mirror));
  };
  await commit(store, { kind: 'load', defaultGraph, block: storedBlockOf(rows.join('\n')) });
  follows();
  const filled = Mirror.fill(readerOf(store), mirrorSettings);
  assert.deepEqual(linesIn(filled), linesIn(mirror));

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
  const changeFeed = newChangeFeed({ rows: 4096, commits: 64 });
  const store = await openOn(new SimDisk({ seed: 1 }), { changeFeed });
  const mirror = Mirror.fill(readerOf(store), mirrorSettings);
  const follows = () => {
    const reader = readerOf(store);
    assert.ok(mirror.follow(reader, changeFeed));
    assert.deepEqual(linesIn(mirror), expectedLines(reader, mirror));
  };
  const tagged = tags.flatMap((tag) => [
    `_:b <urn:p> "x"@${tag} <urn:g> .`,
    `<urn:s> <urn:p> "x"@${tag} <urn:g> .`,
    `<urn:s> <urn:p> "x"@${tag} <urn:h> .`,
  ]);
  await commit(store, { kind: 'load', defaultGraph, block: storedBlockOf(tagged.join('\n')) });
  follows();
  const filled = Mirror.fill(readerOf(store), mirrorSettings);
  assert.deepEqual(linesIn(filled), linesIn(mirror));
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
