import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { missingDeclarations } from '../../../src/sparql/language/undeclared.ts';

const known = { ex: 'urn:ex:', foaf: 'urn:foaf:', größe: 'urn:ä:' };

describe('the declarations that a SPARQL text lacks (P-96)', () => {
  const cases: readonly (readonly [text: string, expected: string])[] = [
    ['SELECT * { ?s ex:p ?o }', 'PREFIX ex: <urn:ex:> '],
    [
      'SELECT * { ex:s foaf:p ex:o ; größe:x 1 }',
      'PREFIX ex: <urn:ex:> PREFIX foaf: <urn:foaf:> PREFIX größe: <urn:ä:> ',
    ],
    ['PREFIX ex: <urn:mine:> SELECT * { ?s ex:p foaf:x }', 'PREFIX foaf: <urn:foaf:> '],
    ['prefix ex: <urn:mine:> SELECT * { ?s ex:p ?o }', ''],
    ['SELECT * { ?s unknown:p :x, constructor:x }', ''],
    ['SELECT * { ?s ?p "ex:p" , <ex:p> , _:ex } # foaf:x', ''],
    ['INSERT DATA { ex:s a 1 } ; PREFIX ex: <urn:late:> DELETE DATA { ex:s a 1 }', ''],
    ['', ''],
  ];
  for (const [text, expected] of cases) {
    it(text || 'an empty text', async () => {
      assert.equal(await missingDeclarations(text, known), expected);
    });
  }
});
