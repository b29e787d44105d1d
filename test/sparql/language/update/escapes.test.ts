import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { withoutEscapes } from '../../../../src/sparql/language/update/escapes.ts';
import { UpdateSyntaxError } from '../../../../src/sparql/language/update/syntax-error.ts';

function errorIn(text: string): UpdateSyntaxError {
  try {
    withoutEscapes(text);
  } catch (error) {
    assert.ok(error instanceof UpdateSyntaxError);
    return error;
  }
  throw new Error(`accepted: ${text}`);
}

describe('escapes of characters in an update', () => {
  for (const text of [
    'DROP GRAPH <urn:a\\u003E#b>',
    'DROP GRAPH <urn:a\\U0000003e#b>',
    'DELETE WHERE { <urn:\\u0020a> ?p ?o }',
    'DELETE WHERE { ?x\\u0020y ?p ?o }',
    'DELETE WHERE { ex:a\\u0023 ?p ?o }',
    'DELETE WHERE { ex:a\\u003Bb ?p ?o }',
    'DELETE WHERE \\u007B ?s ?p ?o }',
  ]) {
    it(`cannot end an IRI or a name: ${text}`, () => {
      const { message, details, offset } = errorIn(text);
      assert.match(message, /(An IRI|A name) cannot contain the character \\[uU][0-9A-Fa-f]+/);
      assert.equal(offset, text.search(/\\[uU]/));
      assert.deepEqual([details.line, details.column], [1, offset + 1]);
    });
  }

  for (const [text, decoded] of [
    ['INS\\u0045RT DATA { <urn:\\u00E9> ex:\\u0061 1 }', 'INSERT DATA { <urn:é> ex:a 1 }'],
    ['"\\u0041\\U0001F600\\uD83D\\uDE00\\u0009"', '"A😀😀\t"'],
    ['"x\\u0022 } ; DROP ALL #"', '"x\\" } ; DROP ALL #"'],
    ["'x\\u0027 } ; DROP ALL #'", "'x\\' } ; DROP ALL #'"],
    ['"x\\u000A\\u000D\\u005C"', '"x\\n\\r\\\\"'],
    ['"""\\u0022\\u0022\\u0022 ; DROP ALL"""', '"""\\"\\"\\" ; DROP ALL"""'],
    ['"\\u005Cu0041"', '"\\\\u0041"'],
    ['"C:\\\\u0041" "a\\\\\\u0041"', '"C:\\\\u0041" "a\\\\A"'],
    ['# \\u000A DROP ALL\nCLEAR GRAPH <urn:\\u0061>', '# \\u000A DROP ALL\nCLEAR GRAPH <urn:a>'],
  ] as const) {
    it(`stand for characters of their IRI, string, name or keyword: ${text}`, () => {
      assert.equal(withoutEscapes(text), decoded);
    });
  }

  it('encode characters of Unicode', () => {
    assert.match(errorIn('DROP GRAPH <urn:\\uD800>').message, /does not encode a character/);
    assert.match(errorIn('DROP GRAPH <urn:\\U00110000>').message, /does not encode a character/);
  });
});
