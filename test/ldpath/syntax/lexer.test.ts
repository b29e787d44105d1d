import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { tokenize } from '../../../src/ldpath/syntax/lexer.ts';
import { SourceText } from '../../../src/ldpath/syntax/source-text.ts';

function kinds(text: string): string {
  return tokenize(new SourceText(text, 'path'))
    .tokens.slice(0, -1)
    .map(({ kind, value }) =>
      kind === 'name' || kind === 'iri' || kind === 'string' ? `${kind}<${value}>` : kind,
    )
    .join(' ');
}

describe('lexer', () => {
  it('takes the longest match', () => {
    for (const [text, expected] of [
      ['ex:p.', 'name<ex> : name<p.>'],
      ['ex:p/.', 'name<ex> : name<p> / .'],
      ['is"x"', 'is string<x>'],
      ['isex:a', 'name<isex> : name<a>'],
      ['is-a is-all', 'is-a name<is-all>'],
      ['fn:count(', 'fn: name<count> ('],
      ['fn :count', 'name<fn> : name<count>'],
      ['myfn:x', 'name<myfn> : name<x>'],
      ['^^xsd:int', '^^ name<xsd> : name<int>'],
      ['a::b', 'name<a> :: name<b>'],
      ['1.5', 'name<1.5>'],
      ['-1', '- name<1>'],
      ['1e+5', 'name<1e+5>'],
      ['ex:1e+5', 'name<ex> : name<1e> + name<5>'],
      ['@prefix@en', '@prefix @ name<en>'],
      ['"""', 'string<> error'],
    ] as const) {
      const all = expected.endsWith('error') ? `${kinds(text)} error` : kinds(text);
      assert.equal(all, expected, text);
    }
  });

  it('keeps double-quoted strings raw and decodes single-quoted ones', () => {
    assert.equal(kinds('"\\d+" "a\\"'), 'string<\\d+> string<a\\>');
    assert.equal(kinds("'\\u00e9\\t\\''"), "string<é\t'>");
    assert.equal(kinds("'''a'b''c\n'''"), "string<a'b''c\n>");
    assert.equal(kinds("'\\U0001F600'"), 'string<😀>');
  });

  it('ends at a lexical error and reports its position', () => {
    for (const [text, column] of [
      ['a "b', 3],
      ['a "b\nc"', 3],
      ["a 'b", 3],
      ["a '\\x'", 3],
      ["a '\\UFFFFFFFF'", 3],
      ['a <b c>', 3],
      ['a $', 3],
      ['a \u0000', 3],
    ] as const) {
      const { tokens, error } = tokenize(new SourceText(text, 'path'));
      assert.equal(tokens.at(-1)!.kind, 'error', text);
      assert.deepEqual([error!.details.line, error!.details.column], [1, column], text);
    }
  });

  it('recognises no comments inside strings and IRIs', () => {
    assert.equal(kinds('"/* x */ #" <http://e.org/#/*x*/>'), 'string</* x */ #> iri<http://e.org/#/*x*/>');
  });
});
