import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseNQuads } from '../../../../src/rdf/formats/nquads/parse.ts';
import { MAX_TRIPLE_DEPTH } from '../../../../src/rdf/model/triple-term.ts';
import { parseError, quads } from '../documents.ts';

const NT = 'application/n-triples';
const line = (object: string) => `<urn:s> <urn:p> ${object} .`;

describe('RDF 1.2 in N-Triples and N-Quads', () => {
  it('triple terms are objects, with any white space', () => {
    const canonical = '<<( <urn:a> <urn:b> <<( <urn:c> <urn:d> "e f"@en--ltr )>> )>>';
    for (const text of [
      canonical,
      canonical.replaceAll(/(?<=\() | (?=\))/g, ''),
      canonical.replaceAll(' <urn:b> ', '\t<urn:b>\t'),
    ]) {
      assert.deepEqual(quads(line(text), NT), [line(canonical)]);
    }
    const named = `<urn:s> <urn:p> ${canonical} <urn:g> .`;
    assert.deepEqual(quads(named, 'application/n-quads'), [named]);
  });

  it('terms in a triple term are canonical', () => {
    const text = '<<( <urn:\\u0061> <urn:p> "\\u0041"^^<http://www.w3.org/2001/XMLSchema#string> )>>';
    assert.deepEqual(quads(line(text), NT), [line('<<( <urn:a> <urn:p> "A" )>>')]);
    assert.deepEqual(quads(line('<<( <urn:a> <urn:p> "A"@EN )>>'), NT), [
      line('<<( <urn:a> <urn:p> "A"@en )>>'),
    ]);
  });

  it('blank nodes in a triple term are those of the document, and terms of the block', () => {
    const text = '_:x <urn:p> <<( _:y <urn:p> _:x )>> .\n_:y <urn:p> <<( _:x <urn:p> _:z )>> .';
    const { termBytes, termOffsets } = parseNQuads(Buffer.from(text), {
      freshBlankNodes: true,
      graphs: false,
    });
    const terms = Array.from({ length: termOffsets.length - 1 }, (_, i) =>
      Buffer.from(termBytes.subarray(termOffsets[i], termOffsets[i + 1])).toString(),
    );
    assert.deepEqual(terms, [
      '_:0',
      '<urn:p>',
      '_:1',
      '<<( _:1 <urn:p> _:0 )>>',
      '_:2',
      '<<( _:0 <urn:p> _:2 )>>',
    ]);
  });

  for (const [text, column, message] of [
    ['<<( <urn:a> <urn:p> <urn:b> )>> <urn:p> <urn:o> .', 2, /only be an object/],
    ['<urn:s> <<( <urn:a> <urn:p> <urn:b> )>> <urn:o> .', 10, /only be an object/],
    [line('<<( <<( <urn:a> <urn:p> <urn:b> )>> <urn:p> <urn:o> )>>'), 22, /only be an object/],
    [line('<<( "a" <urn:p> <urn:b> )>>'), 21, /Expected a subject/],
    [line('<<( <urn:a> _:b <urn:b> )>>'), 29, /Expected a predicate/],
    [line('<<( <urn:a> <urn:b> )>>'), 37, /Expected an object/],
    [line('<<( <urn:a> <urn:b> <urn:c>'), 45, /Expected \)>>/],
    [line('<< <urn:a> <urn:b> <urn:c> >>'), 19, /Expected <<\(/],
    [line('<<( <urn:a> <b> <urn:c> )>>'), 29, /not an absolute IRI/],
    [line('<<( <urn:a> <urn:b> "x"^^<urn:%> )>>'), 37, /not allowed/],
    [line('"x"@en--LTR'), 25, /ltr or rtl/],
    [line('"x"@en--left'), 25, /ltr or rtl/],
    [line('"x"@en--'), 25, /ltr or rtl/],
  ] as const) {
    it(`rejects ${text}`, () => {
      const error = parseError(text, NT);
      assert.match(error.message, message);
      assert.deepEqual([error.details.line, error.details.column], [1, column]);
    });
  }

  it('nesting is limited', () => {
    const nested = (depth: number) =>
      line(`${'<<( <urn:a> <urn:p> '.repeat(depth)}<urn:o>${' )>>'.repeat(depth)}`);
    assert.equal(quads(nested(MAX_TRIPLE_DEPTH), NT).length, 1);
    assert.match(parseError(nested(MAX_TRIPLE_DEPTH + 1), NT).message, /Nested deeper/);
  });
});
