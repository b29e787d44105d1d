import assert from 'node:assert/strict';
import { test } from 'node:test';
import { evaluateUpdate } from '../../../src/sparql/engine/update.ts';
import { contentOf } from '../../support/stores.ts';
import { commitEffects, requestOf } from '../updates.ts';
import { mirroredStore } from './mirrors.ts';

const XSD = 'http://www.w3.org/2001/XMLSchema#';
const nest = (depth: number): string => (depth === 0 ? '<urn:o>' : `<<( _:a <urn:p> ${nest(depth - 1)} )>>`);
const terms = [
  '<<( <urn:a> <urn:p> <urn:b> )>>',
  '<<( _:a <urn:p> _:b )>>',
  `<<( <urn:a> <urn:p> "01"^^<${XSD}integer> )>>`,
  `<<( <urn:a> <urn:p> "1"^^<${XSD}integer> )>>`,
  `<<( _:a <urn:p> <<( <urn:b> <urn:q> "1.0"^^<${XSD}decimal> )>> )>>`,
  '<<( _:a <urn:p> "x"@en-x )>>',
  '<<( <urn:a> <urn:p> "tab\\t )>> \\"quote"@en--rtl )>>',
  '"x"@en--ltr',
  '"x"@en-x--rtl',
  nest(100),
];
const rows = [
  ...terms.flatMap((term) => [`<urn:s> <urn:v> ${term} <urn:g> .`, `_:a <urn:v> ${term} <urn:h> .`]),
  ...Array.from({ length: 70 }, (_, i) => `<urn:s${i}> <urn:v> <<( <urn:a${i}> <urn:p> "${i}" )>> <urn:g> .`),
];

test('triple terms and directions are loaded, followed and updated like other terms', async () => {
  const { store, mirror, follows } = await mirroredStore(rows);
  assert.equal(contentOf(store).length, rows.length);

  for (const text of [
    'INSERT { GRAPH ?g { ?s <urn:w> ?o } } WHERE { GRAPH ?g { ?s <urn:v> ?o } }',
    'DELETE { GRAPH ?g { ?s <urn:v> ?o } } WHERE { GRAPH ?g { ?s <urn:v> ?o } }',
  ]) {
    const { result, isSpoilt } = evaluateUpdate(mirror, requestOf(text, store));
    assert.ok(result.ok && !isSpoilt, JSON.stringify(result));
    await commitEffects(store, result.value);
    follows();
  }
  const moved = contentOf(store);
  assert.ok(moved.every((line) => line.includes('<urn:w>')));
  const removal = 'DELETE { GRAPH ?g { ?s ?p ?o } } WHERE { GRAPH ?g { ?s ?p ?o } }';
  const { result } = evaluateUpdate(mirror, requestOf(removal, store));
  assert.ok(result.ok);
  await commitEffects(store, result.value);
  follows();
  assert.deepEqual(contentOf(store), []);
  await store.close();
});
