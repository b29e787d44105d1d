import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MAX_TRIPLE_DEPTH } from '../../../../src/rdf/model/triple-term.ts';
import { parseError, quads } from '../documents.ts';

const TURTLE = 'text/turtle';
const REIFIES = '<http://www.w3.org/1999/02/22-rdf-syntax-ns#reifies>';
const prefix = 'PREFIX : <urn:x:> ';

describe('RDF 1.2 in Turtle and TriG', () => {
  for (const [text, expected] of [
    [':s :p <<( :a :b "c"@EN--rtl )>> .', ['<urn:x:s> <urn:x:p> <<( <urn:x:a> <urn:x:b> "c"@en--rtl )>> .']],
    [
      ':s :p <<( :a :b <<( _:c :d 1 )>> )>> .',
      [
        '<urn:x:s> <urn:x:p> <<( <urn:x:a> <urn:x:b> <<( _:c <urn:x:d> "1"^^<http://www.w3.org/2001/XMLSchema#integer> )>> )>> .',
      ],
    ],
    [
      '<< :s :p :o ~ :r >> :q :z .',
      [`<urn:x:r> ${REIFIES} <<( <urn:x:s> <urn:x:p> <urn:x:o> )>> .`, '<urn:x:r> <urn:x:q> <urn:x:z> .'],
    ],
    [
      ':s :p :o ~ :r {| :q :z |} , :o2 .',
      [
        '<urn:x:s> <urn:x:p> <urn:x:o> .',
        `<urn:x:r> ${REIFIES} <<( <urn:x:s> <urn:x:p> <urn:x:o> )>> .`,
        '<urn:x:r> <urn:x:q> <urn:x:z> .',
        '<urn:x:s> <urn:x:p> <urn:x:o2> .',
      ],
    ],
    [':s :p "a\\"b"@en--ltr .', ['<urn:x:s> <urn:x:p> "a\\"b"@en--ltr .']],
  ] as const) {
    it(`reads ${text}`, () => {
      const read = quads(prefix + text, TURTLE);
      assert.deepEqual(
        read.map((line) => line.replaceAll('_:0', '_:c')),
        expected,
      );
    });
  }

  it('in TriG, a reifier is in the graph of its triple', () => {
    const read = quads(`${prefix} :g { :s :p :o ~ :r . }`, 'application/trig');
    assert.deepEqual(read, [
      '<urn:x:s> <urn:x:p> <urn:x:o> <urn:x:g> .',
      `<urn:x:r> ${REIFIES} <<( <urn:x:s> <urn:x:p> <urn:x:o> )>> <urn:x:g> .`,
    ]);
  });

  it('anonymous reifiers and nodes in triple terms are the blank nodes of the document', () => {
    const read = quads(`${prefix} _:a :p _:b {| :q _:a |} . _:b :p <<( _:a :q _:b )>> .`, TURTLE);
    assert.equal(read.length, 4);
    assert.equal(new Set(read.join(' ').match(/_:\w+/g)).size, 3);
    assert.ok(read.includes('_:1 <urn:x:p> <<( _:0 <urn:x:q> _:1 )>> .'), read.join('\n'));
  });

  for (const text of [
    ':s :p <<( :a :b )>> .',
    '<<( :a :b :c )>> :p :o .',
    ':s :p <<( "a" :b :c )>> .',
    ':s :p <<( :a _:b :c )>> .',
    ':s :p <<( <<( :a :b :c )>> :b :c )>> .',
    ':s :p <<( :a <x%> :c )>> .',
    ':s :p <<( :a :b "1"^^<http://h/%> )>> .',
    ':s :p "x"@en--up .',
  ]) {
    it(`rejects ${text}`, () => {
      const { code, details } = parseError(prefix + text, TURTLE);
      assert.deepEqual([code, details.line], ['parse-error', 1]);
    });
  }

  it('nesting is limited', () => {
    const nested = (depth: number) =>
      `${prefix} :s :p ${'<<( :a :b '.repeat(depth)}:o${' )>>'.repeat(depth)} .`;
    assert.equal(quads(nested(MAX_TRIPLE_DEPTH), TURTLE).length, 1);
    assert.match(parseError(nested(MAX_TRIPLE_DEPTH + 1), TURTLE).message, /nested deeper/);
    const reified = nested(MAX_TRIPLE_DEPTH).replace(/ \.$/, ' ~ :r .');
    assert.match(parseError(reified, TURTLE).message, /Nested deeper/);
  });

  it('what expands too much is rejected', () => {
    const long = `PREFIX l: <urn:${'x'.repeat(100_000)}> `;
    const many = Array.from({ length: 2_000 }, (_, i) => `<< l:a l:b l:c${i} >> l:p l:o .`).join('\n');
    assert.equal(parseError(long + many, TURTLE).code, 'too-large');
  });
});
