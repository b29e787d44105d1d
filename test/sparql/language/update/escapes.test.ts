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
    'DELETE DATA { <urn:a> <urn:b> "x\\u0022 } ; DROP ALL #" }',
    "DELETE DATA { <urn:a> <urn:b> 'x\\u0027 } ; DROP ALL #' }",
    'DELETE DATA { <urn:a> <urn:b> "x\\u000A" }',
    'DELETE DATA { <urn:a> <urn:b> "x\\u005C" }',
    'DELETE DATA { <urn:a> <urn:b> """x\\u0022\\u0022\\u0022 } ; DROP ALL #""" }',
    'DELETE WHERE { ?x\\u0020y ?p ?o }',
    'DELETE WHERE { ex:a\\u0023 ?p ?o }',
  ]) {
    it(`may not delimit: ${text}`, () => {
      const { message, details, offset } = errorIn(text);
      assert.match(message, /The escape \\[uU][0-9A-Fa-f]+ is not allowed here/);
      assert.equal(offset, text.search(/\\[uU]/));
      assert.deepEqual([details.line, details.column], [1, offset + 1]);
    });
  }

  it('may be part of an IRI, a string, a name, a keyword or a comment', () => {
    const text = `INS\\u0045RT DATA { <urn:\\u00E9> ex:\\u0061 "\\u0027\\u0009", '\\u0022', """\\u000A""" } # \\u0022`;
    assert.equal(withoutEscapes(text), `INSERT DATA { <urn:é> ex:a "'\t", '"', """\n""" } # "`);
  });

  it('encode characters of Unicode', () => {
    assert.match(errorIn('DROP GRAPH <urn:\\uD800>').message, /does not encode a character/);
    assert.match(errorIn('DROP GRAPH <urn:\\U00110000\\u003E>').message, /not allowed here/);
    assert.match(errorIn('DROP GRAPH <urn:\\U00110000>').message, /does not encode a character/);
  });
});
