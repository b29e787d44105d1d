import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { RdfError } from '../../../src/rdf/formats/errors.ts';
import { checkRdfXml } from '../../../src/rdf/formats/rdfxml/serialize.ts';
import { serializeRdf } from '../../../src/rdf/formats/serialize-quads.ts';
import { storedBlockOf as stored } from '../../support/blocks.ts';
import { blockCursor } from './block-cursor.ts';
import { parse, write } from './documents.ts';

const TURTLE = 'text/turtle';
const XML = 'application/rdf+xml';
const NT = 'application/n-triples';
const NQ = 'application/n-quads';
const JSON_LD = 'application/ld+json';
const everyType = [
  TURTLE,
  XML,
  NT,
  NQ,
  'text/n3',
  'application/trig',
  'application/ld+json',
  'application/rdf+json',
];

const person = parse(
  `@prefix foaf: <http://xmlns.com/foaf/0.1/> .
  <urn:p1> a foaf:Person ; foaf:name "Å \\"x\\"\\n"@en ; foaf:age 42, 4.2, true, "x"^^<urn:d> ; foaf:knows <urn:p2>, _:b .
  _:b foaf:name "<&>" .`,
  TURTLE,
);

describe('blank nodes in triple terms', () => {
  it('have labels wherever they are', () => {
    const lines = [
      '<urn:s> <urn:x:p> _:a .',
      '_:a <urn:x:q> "1" .',
      '<urn:r> <urn:x:reifies> <<( _:a <urn:x:q> "1" )>> .',
    ];
    const read = parse(write(parse(lines.join('\n'), NT), 'text/turtle'), 'text/turtle');
    assert.match(write(read, NT, undefined, false), /<<\( (_:\S+) <urn:x:q> "1" \)>>/);
    const label = /<<\( (_:\S+) /.exec(write(read, NT))![1]!;
    assert.ok(write(read, NT).includes(`<urn:s> <urn:x:p> ${label} .`));
  });
});

describe('serializeRdf', () => {
  it('groups the triples of Turtle, and declares only prefixes that are used', () => {
    assert.equal(
      write(person, TURTLE),
      `@prefix foaf: <http://xmlns.com/foaf/0.1/> .
<urn:p1> a foaf:Person ;
    foaf:name "Å \\"x\\"\\n"@en ;
    foaf:age 42, 4.2, true, "x"^^<urn:d> ;
    foaf:knows <urn:p2>, [ foaf:name "<&>" ] .
`,
    );
  });

  it('writes TriG with a block for the graph', () => {
    assert.equal(
      write(parse('<urn:a> a <urn:b> .', TURTLE), 'application/trig', 'urn:g'),
      '<urn:g> {\n<urn:a> a <urn:b> .\n}\n',
    );
  });

  it('names a single graph in TriG and N-Quads, and in no other format (C-10)', () => {
    const block = parse('<urn:a> <urn:b> "c" .', TURTLE);
    assert.equal(write(block, NQ, 'urn:g'), '<urn:a> <urn:b> "c" <urn:g> .\n');
    assert.equal(write(block, NT, 'urn:g'), '<urn:a> <urn:b> "c" .\n');
    assert.equal(write(block, JSON_LD, 'urn:g'), '[{"@id":"urn:a","urn:b":[{"@value":"c"}]}]\n');
  });

  it('names the graphs of quads in JSON-LD', () => {
    const block = parse('<urn:a> <urn:b> "c" <urn:g> .\n<urn:a> <urn:b> "d" .\n', NQ);
    assert.deepEqual(JSON.parse(write(block, JSON_LD)), [
      { '@id': 'urn:g', '@graph': [{ '@id': 'urn:a', 'urn:b': [{ '@value': 'c' }] }] },
      { '@id': 'urn:a', 'urn:b': [{ '@value': 'd' }] },
    ]);
  });

  it('writes RDF/XML with the namespaces of its predicates', () => {
    assert.equal(
      write(person, XML),
      `<?xml version="1.0" encoding="UTF-8"?>
<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  xmlns:foaf="http://xmlns.com/foaf/0.1/">
<rdf:Description rdf:about="urn:p1">
<rdf:type rdf:resource="http://xmlns.com/foaf/0.1/Person"/>
<foaf:name xml:lang="en">Å "x"\n</foaf:name>
<foaf:age rdf:datatype="http://www.w3.org/2001/XMLSchema#integer">42</foaf:age>
<foaf:age rdf:datatype="http://www.w3.org/2001/XMLSchema#decimal">4.2</foaf:age>
<foaf:age rdf:datatype="http://www.w3.org/2001/XMLSchema#boolean">true</foaf:age>
<foaf:age rdf:datatype="urn:d">x</foaf:age>
<foaf:knows rdf:resource="urn:p2"/>
<foaf:knows rdf:nodeID="_0"/>
</rdf:Description>
<rdf:Description rdf:nodeID="_0">
<foaf:name>&lt;&amp;&gt;</foaf:name>
</rdf:Description>
</rdf:RDF>
`,
    );
  });

  it('writes RDF/JSON as an object by subject (G-44)', () => {
    const [subject] = Object.keys(JSON.parse(write(person, 'application/rdf+json')));
    assert.equal(subject, 'urn:p1');
    const { '_:0': blank } = JSON.parse(write(person, 'application/rdf+json'));
    assert.deepEqual(blank, { 'http://xmlns.com/foaf/0.1/name': [{ type: 'literal', value: '<&>' }] });
  });

  it('does not write literal types as @type in JSON-LD', () => {
    const block = parse('<urn:a> a <urn:t>, "literal", <urn:u> .', TURTLE);
    const nodes = JSON.parse(write(block, 'application/ld+json'));
    assert.deepEqual(nodes, [
      { '@id': 'urn:a', '@type': ['urn:t'] },
      { '@id': 'urn:a', 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type': [{ '@value': 'literal' }] },
      { '@id': 'urn:a', '@type': ['urn:u'] },
    ]);
  });

  it('writes an empty document for an empty graph in every format', () => {
    for (const mediaType of everyType) {
      const text = write(parse('', TURTLE), mediaType, 'urn:g');
      assert.equal(parse(text, mediaType).quads.length, 0, mediaType);
    }
  });

  it('produces chunks of about 64 KiB, and uses prefixes that first occur late', () => {
    const lines = Array.from(
      { length: 3000 },
      (_, index) => `<urn:s${index}> <urn:p> "${'x'.repeat(50)}" .\n`,
    );
    lines.push('<urn:z> <http://purl.org/dc/terms/title> "z" .\n');
    const block = parse(lines.join(''), NT);
    for (const mediaType of everyType) {
      const chunks = [...serializeRdf(blockCursor(block), { mediaType })];
      assert.ok(chunks.length > 2, mediaType);
      for (const chunk of chunks.slice(0, -1))
        assert.ok(chunk.length >= 65536 && chunk.length < 68_000, mediaType);
      assert.equal(parse(Buffer.concat(chunks), mediaType).quads.length, block.quads.length, mediaType);
    }
    const turtle = write(block, TURTLE);
    assert.match(turtle, /\n@prefix dct: <http:\/\/purl.org\/dc\/terms\/> \.\n<urn:z> dct:title "z" \.\n$/);
  });

  it('writes a full IRI when part of its statement has already been produced', () => {
    const objects = Array.from(
      { length: 3000 },
      (_, index) => `<urn:s> <urn:p> "${'x'.repeat(50)}${index}" .\n`,
    );
    const block = parse(`${objects.join('')}<urn:s> <http://purl.org/dc/terms/title> "z" .\n`, NT);
    assert.match(write(block, TURTLE), / ;\n {4}<http:\/\/purl.org\/dc\/terms\/title> "z" \.\n$/);
  });

  it('writes terms larger than a chunk', () => {
    const long = 'é<&\\n'.repeat(50_000);
    const block = parse(`<urn:a> <urn:b> "${long}" .`, NT);
    for (const mediaType of everyType) {
      assert.deepEqual(parse(write(block, mediaType), mediaType).termBytes, block.termBytes, mediaType);
    }
  });

  for (const line of [
    '<urn:a> <http://e.example/> "x" .',
    '<urn:a> <http://e.example/12> "x" .',
    '<urn:a> <http://www.w3.org/1999/02/22-rdf-syntax-ns#li> "x" .',
    '<urn:a> <http://www.w3.org/2000/xmlns/x> "x" .',
    '<urn:a> <urn:b> "\\u0000" .',
    '<urn:a> <urn:b> "\uffff" .',
    '<urn:a\ufffe> <urn:b> "x" .',
  ]) {
    it(`rejects RDF/XML as not acceptable for ${line}`, () => {
      assert.throws(
        () => write(stored(line), XML),
        (error) => error instanceof RdfError && error.code === 'not-acceptable',
      );
      assert.throws(
        () => checkRdfXml(blockCursor(stored(line)), () => {}),
        (error) => error instanceof RdfError && error.code === 'not-acceptable',
      );
    });
  }

  it('checks in advance, including escapes, that RDF/XML can represent the data', () => {
    const text = String.raw`<urn:é> <urn:b> "a\\b\\u0001\"\n\t\r\u007F &<>\uF000"@en .`;
    checkRdfXml(blockCursor(parse(text, NT)), () => {});
    checkRdfXml(blockCursor(person), () => {});
    assert.ok(write(parse(text, NT), XML).length > 0);
  });

  it('yields to the event loop while it checks data for RDF/XML', () => {
    const rows = Array.from({ length: 70_000 }, (_, i) => `<urn:s> <urn:p> "${i}" .`);
    let turns = 0;
    checkRdfXml(blockCursor(parse(rows.join('\n'), NT)), () => turns++);
    assert.equal(turns, 1);
  });

  it('reuses the memory of consumed chunks, in every format', () => {
    const rows = Array.from({ length: 3_000 }, (_, i) => `<urn:s${i}> <urn:x:p> "${'x'.repeat(i % 90)}" .`);
    const block = parse(rows.join('\n'), NT);
    for (const mediaType of everyType) {
      const memories = new Set<ArrayBufferLike>();
      const taken: Uint8Array[] = [];
      const spare = () => {
        const chunk = taken.pop();
        return chunk && new Uint8Array(chunk.buffer);
      };
      let text = '';
      for (const chunk of serializeRdf(blockCursor(block), { mediaType, spare })) {
        text += Buffer.from(chunk).toString();
        memories.add(chunk.buffer);
        taken.push(chunk);
      }
      assert.equal(text, write(block, mediaType), mediaType);
      assert.ok(memories.size <= 2, `${mediaType} takes ${memories.size} pieces of memory`);
    }
  });

  it('fills spare memory of any size, and writes rows that are longer than it', () => {
    const rows = Array.from(
      { length: 3_000 },
      (_, i) => `<urn:s${i >> 3}> <urn:x:p> "${'x'.repeat(i % 90)}${i}" .`,
    );
    const long = `<urn:s0> <urn:x:p> "${'x'.repeat(40_000)}" .`;
    const block = parse([...rows, long].join('\n'), NT);
    for (const mediaType of everyType) {
      const spare = () => new Uint8Array(new SharedArrayBuffer(20_000));
      const chunks = [...serializeRdf(blockCursor(block), { mediaType, spare })];
      assert.ok(chunks.length > 4, mediaType);
      assert.equal(Buffer.concat(chunks).toString(), write(block, mediaType), mediaType);
    }
  });

  it('rejects media types without a serializer as not acceptable', () => {
    assert.throws(
      () => serializeRdf(blockCursor(person), { mediaType: 'text/html' }),
      (error) => error instanceof RdfError && error.code === 'not-acceptable',
    );
  });
});
