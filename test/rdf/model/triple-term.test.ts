import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isRdf12Term } from '../../../src/rdf/model/rdf12.ts';
import { formatTerm, languageLiteral, parseTerm } from '../../../src/rdf/model/term.ts';
import {
  hasBlankNode,
  hasInnerBlankNodes,
  innerTerms,
  partsOfTriple,
  tripleTerm,
  withInnerBlankNodes,
} from '../../../src/rdf/model/triple-term.ts';

const INNER = '<<( _:a.b <urn:p> "x \\" )>> _:c <y>"@en )>>';
const TEXT = `<<( <urn:s> <urn:p> ${INNER} )>>`;

describe('a triple term in canonical form', () => {
  it('is taken apart and put together', () => {
    assert.deepEqual(partsOfTriple(TEXT), ['<urn:s>', '<urn:p>', INNER]);
    assert.equal(tripleTerm('<urn:s>', '<urn:p>', INNER), TEXT);
    assert.deepEqual(parseTerm(TEXT), { kind: 'triple', value: TEXT });
    assert.equal(formatTerm(parseTerm(TEXT)), TEXT);
  });

  it('has terms, and blank nodes that can be replaced, but not in strings', () => {
    assert.deepEqual(innerTerms(TEXT), ['<urn:s>', '<urn:p>', '_:a.b', '<urn:p>', '"x \\" )>> _:c <y>"@en']);
    assert.equal(
      withInnerBlankNodes(TEXT, (label) => `${label}1`),
      TEXT.replace('_:a.b', '_:a.b1'),
    );
    assert.ok(hasBlankNode(TEXT) && hasBlankNode('_:b'));
    assert.ok(!hasBlankNode('<<( <urn:s> <urn:p> " _:c" )>>') && !hasBlankNode('<urn:_:a>'));
  });

  it('shows in its bytes, too, whether it contains blank nodes', () => {
    const cases: readonly (readonly [string, boolean])[] = [
      [TEXT, true],
      ['<<( <urn:_:a> <urn:p> "_:b" )>>', false],
      ['<<( <urn:s> <urn:p> "x _:b" )>>', false],
      ['<<( <urn:s> <urn:p> "\\" _:b \\\\" )>>', false],
      ['<<( <urn:s> <urn:p> " _:b"@en--ltr )>>', false],
      ['<<( <urn:s> <urn:p> <<( <urn:t> <urn:p> " _:b" )>> )>>', false],
      ['<<( _:b <urn:p> "x" )>>', true],
      ['<<( <urn:s> <urn:p> _:b )>>', true],
    ];
    for (const [text, expected] of cases) {
      const bytes = Buffer.from(`_: ${text} _:`);
      assert.equal(hasInnerBlankNodes(bytes, 3, bytes.length - 3), expected, text);
      assert.equal(hasBlankNode(text), expected, text);
    }
  });
});

describe('terms of RDF 1.2', () => {
  for (const [text, expected] of [
    [TEXT, true],
    ['"x"@en--ltr', true],
    ['"x"@a--rtl', true],
    ['"x"@en-gb', false],
    ['"--"@r', false],
    ['"--"@tr', false],
    ['"--ltr"', false],
    ['_:a--ltr', false],
    ['<urn:a--ltr>', false],
    ['"<<("', false],
  ] as const) {
    it(`are known by their bytes: ${text}`, () => {
      assert.equal(isRdf12Term(Buffer.from(text), 0, Buffer.byteLength(text)), expected);
    });
  }

  it('are literals with a language and a direction', () => {
    const term = languageLiteral('x', 'en--ltr');
    assert.deepEqual([term.language, term.direction, formatTerm(term)], ['en', 'ltr', '"x"@en--ltr']);
    assert.deepEqual(parseTerm('"x"@en--ltr'), term);
  });
});
