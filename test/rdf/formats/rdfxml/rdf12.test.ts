import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parse, parseError, quads, write } from '../documents.ts';

const XML = 'application/rdf+xml';
const NT = 'application/n-triples';
const REIFIES = '<http://www.w3.org/1999/02/22-rdf-syntax-ns#reifies>';

function xml(body: string, attributes = 'rdf:version="1.2"'): string {
  const namespaces =
    'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:e="urn:e:" xmlns:its="http://www.w3.org/2005/11/its"';
  return `<rdf:RDF ${namespaces} ${attributes}>${body}</rdf:RDF>`;
}

const about = (properties: string) => `<rdf:Description rdf:about="urn:s">${properties}</rdf:Description>`;

describe('RDF 1.2 in RDF/XML', () => {
  it('an annotation reifies its statement, also in a triple term of its own', () => {
    const text = about(
      '<e:p rdf:annotation="urn:r">x</e:p><e:q rdf:annotationNodeID="n" rdf:resource="urn:o"/>',
    );
    assert.deepEqual(quads(xml(text), XML), [
      '<urn:s> <urn:e:p> "x" .',
      `<urn:r> ${REIFIES} <<( <urn:s> <urn:e:p> "x" )>> .`,
      '<urn:s> <urn:e:q> <urn:o> .',
      `_:0 ${REIFIES} <<( <urn:s> <urn:e:q> <urn:o> )>> .`,
    ]);
  });

  it('directions are inherited, apply with a language, and end with the version', () => {
    const text = about(
      '<e:p>a</e:p><e:p xml:lang="">b</e:p><e:p its:dir="ltr">c</e:p><e:p rdf:version="1.1">d</e:p>',
    );
    const attributes = 'rdf:version="1.2" xml:lang="en" its:version="2.0" its:dir="rtl"';
    const texts = quads(xml(text, attributes), XML).map((line) =>
      line.slice('<urn:s> <urn:e:p> '.length, -2),
    );
    assert.deepEqual(texts, ['"a"@en--rtl', '"b"', '"c"@en--ltr', '"d"@en']);
  });

  for (const [text, message] of [
    [about('<e:p rdf:parseType="Triple"/>'), /no triple/],
    [about('<e:p rdf:parseType="Triple"><e:T rdf:about="urn:a" e:q="1"/></e:p>'), /second triple/],
    [about('<e:p rdf:parseType="Triple">x</e:p>'), /Text is not allowed/],
    [about('<e:p rdf:annotation="urn:a" rdf:annotationNodeID="b"/>'), /both/],
    [about('<e:p its:dir="up"/>'), /ltr or rtl/],
    ['<e:T rdf:annotation="urn:a"/>', /only allowed for a property/],
    [
      `${'<e:T><e:p rdf:parseType="Triple">'.repeat(102)}<e:T/>${'</e:p></e:T>'.repeat(102)}`,
      /Nested deeper/,
    ],
  ] as const) {
    it(`rejects ${text.slice(0, 80)}`, () => {
      const error = parseError(xml(text), XML);
      assert.match(error.message, message);
      assert.equal(error.details.line, 1);
    });
  }

  it('accepts an annotation without rdf:version, and then ignores directions', () => {
    const text = about('<e:p rdf:annotation="urn:a" xml:lang="en" its:dir="ltr">x</e:p>');
    assert.deepEqual(quads(xml(text, ''), XML), [
      '<urn:s> <urn:e:p> "x"@en .',
      `<urn:a> ${REIFIES} <<( <urn:s> <urn:e:p> "x"@en )>> .`,
    ]);
  });

  it('what is written can be read back', () => {
    const lines = [
      '<urn:s> <urn:e:p> <<( <urn:a> <urn:e:q> <urn:b> )>> .',
      '<urn:s> <urn:e:p> <<( _:a <urn:e:q> <<( _:b <urn:e:r> _:a )>> )>> .',
      '<urn:s> <urn:e:p> <<( _:a <urn:f:q> "x<&\\" y"@en--ltr )>> .',
      '<urn:s> <urn:e:p> <<( _:a <urn:f:q> "1"^^<urn:d> )>> .',
      '<urn:s> <urn:e:p> "x"@en--rtl .',
      '_:a <urn:e:p> _:b .',
    ];
    const written = write(parse(lines.join('\n'), NT), XML);
    const relabelled = lines.map((line) => line.replaceAll('_:a', '_:0').replaceAll('_:b', '_:1'));
    assert.deepEqual(quads(written, XML), relabelled);
  });
});
