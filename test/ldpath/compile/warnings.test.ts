import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { compilePath, compileProgram } from '../../../src/ldpath/compile/compiler.ts';
import { prefixes } from '../support.ts';

function warn(text: string): string[] {
  return compilePath(text, { prefixes }).warnings.map(({ message }) => message);
}

describe('warnings', () => {
  it('report code that is legal but probably not intended', () => {
    for (const [text, expected] of [
      ['foaf:a | foaf:b & foaf:c', /equal precedence/],
      ['foaf:a[foaf:b | foaf:c & foaf:d]', /equal precedence/],
      ['foaf:a[!foaf:b & foaf:c]', /everything to its right/],
      ['foaf:a[foaf:b & foaf:c is "x"]', /applies to the whole union or intersection/],
      ['foaf:a[fn:lt(foaf:b, "3")]', /true if there is no foaf:b/],
      ['foaf:a[.]', /except literals/],
      ['foaf:nick.', /final dot/],
      ['foaf:a/*', /wildcard/],
      ['fn:first(foaf:a)', /one argument/],
      ['(fn:concat(., "x"))+', /may never end/],
    ] as const) {
      const found = warn(text);
      assert.equal(found.length, 1, `${text}: ${found.join('; ')}`);
      assert.match(found[0]!, expected);
    }
  });

  it('report where the reference reads "&" after parentheses in a test as an intersection (Q-P4b)', () => {
    for (const text of [
      'foaf:a[((foaf:b) & foaf:c)]',
      'foaf:a[((foaf:b)+ & foaf:c)]',
      'foaf:a[(foaf:b & (foaf:c)/foaf:d)]',
      'foaf:a[(fn:last(foaf:b)/foaf:c & foaf:d)]',
      'foaf:a[!((foaf:b) & foaf:c)]',
    ]) {
      assert.match(warn(text).join(), /what they have in common/, text);
    }
    for (const text of [
      'foaf:a[(foaf:b & foaf:c)]',
      'foaf:a[(foaf:b & (foaf:c))]',
      'foaf:a[((foaf:b) | foaf:c)]',
      'foaf:a[((foaf:b) & foaf:c is "x")]',
      'foaf:a[(foaf:b) & foaf:c]',
    ]) {
      assert.doesNotMatch(warn(text).join(), /what they have in common/, text);
    }
  });

  it('do not report code whose meaning is explicit', () => {
    for (const text of [
      'foaf:a | (foaf:b & foaf:c)',
      'foaf:a[!(foaf:b & foaf:c)]',
      'foaf:a[foaf:b & fn:lt(foaf:b, "3")]',
      'foaf:a[fn:lt(., "3")]',
      'foaf:a[fn:anyLt(foaf:b, "3")]',
      'foaf:a/ *',
      'foaf:knows+',
    ]) {
      assert.deepEqual(warn(text), [], text);
    }
  });

  it('do not mistake a prefix with the name of an Object property for a predefined one', () => {
    const text = '@prefix constructor: <http://e.org/> ; x = constructor:a ;';
    assert.deepEqual(compileProgram(text, { prefixes }).warnings, []);
  });

  it('have positions, and cover prefixes and field names', () => {
    const text = '@prefix foaf: <http://e.org/> ; @prefix un: <http://u.org/> ;\nx = foaf:a ;\nx = foaf:b ;';
    const { warnings } = compileProgram(text, { prefixes });
    assert.deepEqual(
      warnings.map(({ message, line }) => [message, line]),
      [
        ['The prefix "foaf" no longer means <http://xmlns.com/foaf/0.1/>', 1],
        ['The prefix "un" is declared but not used', 1],
        ['A second field "x": only the last one counts', 3],
      ],
    );
  });
});
