import assert from 'node:assert/strict';
import { test } from 'node:test';
import { syntaxOf } from '../../../../src/sparql/language/update/read-update.ts';
import { isSparql12 } from '../../../../src/sparql/language/update/sparql12.ts';
import { UpdateSyntaxError } from '../../../../src/sparql/language/update/syntax-error.ts';

function isOf12(text: string): boolean {
  try {
    syntaxOf(text);
  } catch (error) {
    assert.ok(error instanceof UpdateSyntaxError, text);
    return isSparql12(error);
  }
  return assert.fail(`It was read: ${text}`);
}

test('syntax errors caused by SPARQL 1.2 are distinguished from others', () => {
  const added = [
    'INSERT DATA { <a> <b> <<( <c> <d> <e> )>> }',
    'INSERT DATA { << <a> <b> <c> >> <d> <e> }',
    'INSERT DATA { <a> <b> "x"@en--ltr }',
    'INSERT DATA { <a> <b> <c> {| <d> <e> |} }',
    'INSERT DATA { <a> <b> <c> ~ <d> }',
    'INSERT { <a> <b> ?t } WHERE { BIND(TRIPLE(<a>, <b>, <c>) AS ?t) }',
    'INSERT { <a> <b> ?t } WHERE { ?t ?p ?o FILTER isTRIPLE(?t) }',
    'VERSION "1.2" INSERT DATA { }',
  ];
  for (const text of added) assert.equal(isOf12(text), true, text);
  const wrong = [
    'INSERT DATA { <a> <b> }',
    'INSERT DATA { <a> <b> < }',
    'INSERT DATA { <a> <b> "x"@ }',
    'INSERT DATA { subject }',
    'INSERT { <a> <b> ?t } WHERE { BIND(TRIPLES(1) AS ?t) }',
  ];
  for (const text of wrong) assert.equal(isOf12(text), false, text);
});
