import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { compactedJsonLd } from '../../../../src/rdf/media-types/json-ld-profile.ts';
import { formatTerm, literal } from '../../../../src/rdf/model/term.ts';
import { parse, quads, write } from '../documents.ts';

const JSON_LD = 'application/ld+json';
const RDF = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#';
const FOAF = 'http://xmlns.com/foaf/0.1/';

const block = (turtle: string) =>
  parse(`@prefix foaf: <${FOAF}> . @prefix rdf: <${RDF}> . ${turtle}`, 'text/turtle');
const expanded = (turtle: string) => JSON.parse(write(block(turtle), JSON_LD));
const compacted = (turtle: string) => JSON.parse(write(block(turtle), compactedJsonLd.mediaType));
/** Returns the values of one property. */
const values = (objects: string) =>
  expanded(`<urn:s> <urn:p> ${objects} .`).find((node: { '@id': string }) => node['@id'] === 'urn:s')[
    'urn:p'
  ];
const jsonLiteral = (text: string) => formatTerm(literal(text, `${RDF}JSON`));

describe('expanded JSON-LD', () => {
  it('has lists, also in lists, as @list, and other blank nodes with labels', () => {
    assert.deepEqual(values('( 1 ( "a" ) () ), ()'), [
      {
        '@list': [
          { '@value': '1', '@type': 'http://www.w3.org/2001/XMLSchema#integer' },
          { '@list': [{ '@value': 'a' }] },
          { '@list': [] },
        ],
      },
      { '@list': [] },
    ]);
    assert.equal(values('[ <urn:q> 1 ]')[0]['@id'].slice(0, 2), '_:');
  });

  it('has a list that is a type under the full name of the property', () => {
    assert.deepEqual(expanded('<urn:s> a ( 1 ), <urn:T> .'), [
      { '@id': 'urn:s', [`${RDF}type`]: [{ '@list': values('1') }] },
      { '@id': 'urn:s', '@type': ['urn:T'] },
    ]);
  });

  it('has the value of rdf:JSON as @json', () => {
    for (const text of ['{"a":[1,true,null]}', '"x"', '[]', '1.5', '{"é\\n":"\\"  \\\\"}']) {
      assert.deepEqual(values(jsonLiteral(text)), [{ '@type': '@json', '@value': JSON.parse(text) }]);
    }
  });

  it('has text of rdf:JSON that is not JSON, or would lose something, as a typed literal', () => {
    const deep = '['.repeat(101) + ']'.repeat(101);
    const numbers = ['12345678901234567890', '1.0', '-0', '1e400'];
    const others = ['{"a": 1}', ' 1', '{"b":1,"a":2}', '{"9":1,"10":2}', '"\\u0041"'];
    for (const text of [...numbers, ...others, 'bareword', '[{]', '', '{"a":1,"a":2}', '"\\ud800"', deep]) {
      const line = `<urn:s> <urn:p> ${jsonLiteral(text)} .`;
      assert.deepEqual(values(jsonLiteral(text)), [{ '@value': text, '@type': `${RDF}JSON` }], text);
      assert.deepEqual(quads(write(block(line), JSON_LD), JSON_LD), [line]);
    }
    const long = `"${'x'.repeat(1 << 20)}"`;
    assert.deepEqual(values(jsonLiteral(long)), [{ '@value': long, '@type': `${RDF}JSON` }]);
  });

  it('has values of rdf:JSON that are read back as they were', () => {
    const value = fc.jsonValue({ maxDepth: 3 });
    const text = fc.oneof(
      value.map((each) => JSON.stringify(each)),
      value.map((each) => JSON.stringify(each, null, 1)),
    );
    fc.assert(
      fc.property(text, (json) => {
        const line = `<urn:s> <urn:p> ${jsonLiteral(json)} .`;
        assert.deepEqual(quads(write(parse(line, 'application/n-triples'), JSON_LD), JSON_LD), [line]);
      }),
      { numRuns: 500 },
    );
  });
});

describe('compacted JSON-LD', () => {
  it('G-49: abbreviates IRIs with the prefixes that it declares, and writes single values without arrays', () => {
    assert.deepEqual(
      compacted('<urn:s> a foaf:Person ; foaf:name "A", "B"@en ; foaf:age 5 ; foaf:knows <urn:t>, [] .'),
      {
        '@context': { foaf: FOAF, xsd: 'http://www.w3.org/2001/XMLSchema#' },
        '@graph': [
          {
            '@id': 'urn:s',
            '@type': 'foaf:Person',
            'foaf:name': ['A', { '@value': 'B', '@language': 'en' }],
            'foaf:age': { '@value': '5', '@type': 'xsd:integer' },
            'foaf:knows': [{ '@id': 'urn:t' }, { '@id': '_:0' }],
          },
        ],
      },
    );
  });

  it('has lists and JSON values', () => {
    const [node] = compacted(`<urn:s> foaf:a ( "x" foaf:b ) ; foaf:c '{"d":1}'^^rdf:JSON .`)['@graph'];
    assert.deepEqual(node['foaf:a'], { '@list': ['x', { '@id': 'foaf:b' }] });
    assert.deepEqual(node['foaf:c'], { '@type': '@json', '@value': { d: 1 } });
  });

  it('does not apply its context to IRIs that look abbreviated', () => {
    const lines = [
      '<foaf:s> <foaf:p> <foaf:o> .',
      `<urn:s> <foaf:p> <${FOAF}o> .`,
      `<urn:s> <${FOAF}p> <foaf:o> .`,
      `<urn:s> <${FOAF}p> "x"^^<foaf:d> .`,
      `<urn:s> <${RDF}type> <${FOAF}T> .`,
      `<urn:s> <${RDF}type> <foaf:T> .`,
      `<urn:s> <${RDF}type> "foaf:T" .`,
    ];
    const text = write(parse(lines.join('\n'), 'application/n-triples'), compactedJsonLd.mediaType);
    assert.deepEqual(quads(text, JSON_LD).sort(), lines.sort(), text);
  });

  it('names graphs, also those whose names look abbreviated', () => {
    const lines = [`<${FOAF}s> <${FOAF}p> <${FOAF}o> <foaf:g> .`, `<${FOAF}s> <${FOAF}p> "x" <${FOAF}g> .`];
    const text = write(parse(lines.join('\n'), 'application/n-quads'), compactedJsonLd.mediaType);
    assert.deepEqual(quads(text, JSON_LD).sort(), lines.sort(), text);
    assert.match(text, /"@id":"foaf:g","@graph"/);
  });

  it('declares prefixes only while the beginning of the document can be changed', () => {
    const rows = Array.from({ length: 3000 }, (_, i) => `<urn:s${i}> <urn:p> "${'x'.repeat(50)}" .`);
    const lines = [
      `<urn:s> <${FOAF}p> "x" .`,
      ...rows,
      `<urn:t> <http://purl.org/dc/terms/title> <${FOAF}z> .`,
    ];
    const text = write(parse(lines.join('\n'), 'application/n-triples'), compactedJsonLd.mediaType);
    assert.deepEqual(JSON.parse(text)['@context'], { foaf: FOAF });
    assert.match(text, /"http:\/\/purl\.org\/dc\/terms\/title":\{"@id":"foaf:z"\}/);
    assert.equal(quads(text, JSON_LD).length, lines.length);
  });
});
