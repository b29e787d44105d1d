import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { RdfError } from '../../../src/rdf/formats/errors.ts';
import { NO_GRAPH } from '../../../src/rdf/model/quad-block.ts';
import { projectFile } from '../../support/project.ts';
import { BASE, parse, parseError, quads } from './documents.ts';

const TURTLE = 'text/turtle';
const N3 = 'text/n3';
const TRIG = 'application/trig';
const NT = 'application/n-triples';
const NQ = 'application/n-quads';
const RDF_JSON = 'application/rdf+json';

function fixture(name: string): string {
  return readFileSync(projectFile(`test/fixtures/rdf/${name}`), 'utf8');
}

/** This document has too many blank nodes to try every mapping. */
function withoutLabels(lines: readonly string[]): string[] {
  return lines.map((line) => line.replaceAll(/_:\w+/g, '_:')).sort();
}

describe('parseRdf', () => {
  it('reads all syntactic forms of Turtle', () => {
    const read = quads(fixture('syntax.ttl'), TURTLE);
    assert.deepEqual(withoutLabels(read), withoutLabels(fixture('syntax.nt').trimEnd().split('\n')));
  });

  it('resolves relative IRIs against the base (G-100)', () => {
    assert.deepEqual(quads('<> <#p> <../x?y> .', TURTLE), [
      `<${BASE}> <${BASE}#p> <http://base.example/x?y> .`,
    ]);
  });

  it('rejects a base that is not an absolute IRI', () => {
    assert.equal(parseError('', TURTLE, { baseIri: 'foo' }).code, 'bad-iri');
    assert.equal(parseError('', TURTLE, { baseIri: 'http://e/ x' }).code, 'bad-iri');
  });

  it('rejects media types without a parser', () => {
    assert.equal(parseError('', 'text/html').code, 'unsupported-media-type');
  });

  it('numbers blank nodes and terms by their first occurrence', () => {
    const block = parse('_:zz <urn:p> [ <urn:q> _:zz ] .', TURTLE);
    assert.equal(block.freshBlankNodes, true);
    assert.equal(Buffer.from(block.termBytes).toString(), '_:0<urn:q>_:1<urn:p>');
    assert.deepEqual([...block.termOffsets], [0, 3, 10, 13, 20]);
    assert.deepEqual([...block.quads], [0, 1, 2, NO_GRAPH, 2, 3, 0, NO_GRAPH]);
  });

  it('keeps prefixes and datatypes out of the term table', () => {
    const block = parse('@prefix e: <urn:e:> . e:a e:b 5 .', TURTLE);
    assert.equal(block.termOffsets.length, 4);
  });

  it('brings literals into canonical form', () => {
    const canonical = ['"a"@EN-gb', '"b"', '"\\u0001\\n\\"é"'].map((text) => `<urn:a> <urn:b> ${text} .`);
    const xsdString = '<http://www.w3.org/2001/XMLSchema#string>';
    const document = `<urn:a> <urn:b> "a"@EN-gb .\n<urn:a> <urn:b> "b"^^${xsdString} .\n<urn:a> <urn:b> "\\u0001\\u000A\\"\\u00e9" .\n`;
    for (const mediaType of [NT, NQ, TURTLE, TRIG, N3]) {
      assert.deepEqual(quads(document, mediaType), canonical, mediaType);
    }
  });

  it('keeps the graph names of quad formats', () => {
    const trig = 'GRAPH <urn:g> { <urn:a> <urn:b> 1 } { <urn:a> <urn:b> _:c } _:c { <urn:a> <urn:b> "x" }';
    assert.deepEqual(quads(trig, TRIG), [
      '<urn:a> <urn:b> "1"^^<http://www.w3.org/2001/XMLSchema#integer> <urn:g> .',
      '<urn:a> <urn:b> _:0 .',
      '<urn:a> <urn:b> "x" _:0 .',
    ]);
  });

  it('reads empty documents', () => {
    for (const mediaType of [TURTLE, TRIG, N3, NT, NQ]) {
      for (const text of ['', '\n', '# only a comment', '\ufeff']) {
        assert.deepEqual(quads(text, mediaType), [], mediaType);
      }
    }
    assert.deepEqual(quads('{}', RDF_JSON), []);
  });

  it('stops on request, and reports its progress', () => {
    const line = '<urn:a> <urn:b> <urn:c> .\n';
    for (const mediaType of [TURTLE, NT]) {
      const seen: number[] = [];
      const options = {
        onProgress: (bytes: number) => seen.push(bytes),
        shouldStop: () => seen.length === 2,
      };
      assert.equal(parseError(line.repeat(200_000), mediaType, options).code, 'cancelled');
      assert.equal(seen.length, 2);
      assert.ok(seen[0]! < seen[1]!);
    }
  });
});

describe('charsets (G-61)', () => {
  const latin1 = Buffer.from('<urn:a> <urn:b> "é" .', 'latin1');

  it('apply to text formats', () => {
    assert.deepEqual(quads(latin1, TURTLE, { charset: 'ISO-8859-1' }), ['<urn:a> <urn:b> "é" .']);
    assert.deepEqual(
      quads(Buffer.from('\ufeff<urn:a> <urn:b> "é" .', 'utf16le'), TURTLE, { charset: 'utf-16' }),
      ['<urn:a> <urn:b> "é" .'],
    );
  });

  it('are ignored by formats that require UTF-8', () => {
    assert.equal(parseError(latin1, NT, { charset: 'ISO-8859-1' }).code, 'parse-error');
    assert.equal(quads('<urn:a> <urn:b> "é" .', NT, { charset: 'nonsense' }).length, 1);
  });

  it('are rejected with unsupported-media-type when they are unknown', () => {
    assert.equal(parseError(latin1, TURTLE, { charset: 'nonsense' }).code, 'unsupported-media-type');
  });

  it('report the position of an invalid byte', () => {
    const { code, details } = parseError(Buffer.from('<urn:é> \n  "\xe9"', 'latin1'), TURTLE);
    assert.deepEqual(
      { code, details },
      { code: 'parse-error', details: { line: 1, column: 6, source: 'body' } },
    );
  });
});

describe('syntax errors', () => {
  const cases: readonly (readonly [string, string, number, number])[] = [
    [TURTLE, '<a> <b> <c> .\n<a> <b>   foo .', 2, 11],
    [TURTLE, '<a> <b> <c> .\r\n  é:x <b> <c> .', 2, 3],
    [TURTLE, '<a> <b> <c d> .', 1, 9],
    [TURTLE, '<a> <b> <c\\u0020d> .', 1, 9],
    [TURTLE, '<a> <b> "x" "y" .', 1, 13],
    [TURTLE, '<a> <b>', 1, 8],
    [TURTLE, '<a> <b> """\n\n', 1, 9],
    [TURTLE, '<a> <b> """\n""", "x\\q" .', 2, 6],
    [TURTLE, '<a> <b> "\\uD800" .', 1, 9],
    [TURTLE, '<a> <b> "\\U00110000" .', 1, 9],
    [TURTLE, '<a> "b" <c> .', 1, 5],
    [TURTLE, '<a> <b> <c>, .', 1, 14],
    [TURTLE, '{ <a> <b> <c> }', 1, 1],
    [TRIG, '<g> { <a> <b> <c> .', 1, 20],
    [NT, '<urn:a> <urn:b> <urn:c> .\n<a> <urn:b> <urn:c> .', 2, 1],
    [NT, '<urn:a> <urn:b> <urn:c> <urn:g> .', 1, 25],
    [NT, '<urn:a> <urn:b> "é" <urn:c> .', 1, 21],
    [NT, '<urn:a> <urn:b> "c', 1, 19],
    [NT, '<urn:a> <urn:b> "c\\', 1, 20],
    [NT, '<urn:a> <urn:b> "c"@', 1, 21],
    [NT, '<urn:a> <urn:b> "c"^^<c> .', 1, 17],
    [NT, '<urn:a> <urn:b> "\\uDC00" .', 1, 17],
    [NT, '<urn:a> <urn:b> <urn:\\u0020> .', 1, 17],
    [NT, '<urn:a> <urn:b> _:c. <urn:a>', 1, 22],
    [NT, '<urn:a> _:b <urn:c> .', 1, 9],
    [NT, '"a" <urn:b> <urn:c> .', 1, 1],
    [NT, '<urn:a> <urn:b> <urn:c>', 1, 24],
    [NQ, '<urn:a> <urn:b> <urn:c> "g" .', 1, 25],
    [RDF_JSON, '{"urn:s":\n {"urn:p" [1]}}', 2, 11],
    [RDF_JSON, '{"urn:s"', 1, 9],
    [RDF_JSON, '{}x', 1, 3],
    [RDF_JSON, '[1 2]', 1, 4],
    [RDF_JSON, '{}\n } ', 2, 2],
  ];
  for (const [mediaType, text, line, column] of cases) {
    it(`have a position in ${mediaType}: ${JSON.stringify(text)}`, () => {
      const { code, details } = parseError(text, mediaType);
      assert.deepEqual({ code, details }, { code: 'parse-error', details: { line, column, source: 'body' } });
    });
  }

  const structural = [
    ['[]', 1, 1],
    ['\n {"_:":{}}', 2, 3],
    ['{"urn:s":\n5}', 1, 2],
    ['{"urn:s":{"urn:o":[], "urn:p":\n 5}}', 1, 23],
    [
      '{"urn:a":{"urn:p":[{"type":"literal","value":"u:[\\"}"}]},\n"urn:s":{"urn:p":[\n{"type":"uri","value":"urn:x"}, 5]}}',
      3,
      33,
    ],
    ['{"urn:s":{"\\u0075rn:p": [ {"type":"x","value":"é"} ]}}', 1, 27],
  ] as const;
  for (const [text, line, column] of structural) {
    it(`G-103: have a position in RDF/JSON that is valid JSON: ${JSON.stringify(text)}`, () => {
      const { code, details } = parseError(text, RDF_JSON);
      assert.deepEqual({ code, details }, { code: 'parse-error', details: { line, column, source: 'body' } });
    });
  }

  it('name the path in RDF/JSON', () => {
    const wrap = (object: string) => `{"urn:s":{"urn:p":[${object}]}}`;
    for (const object of [
      '5',
      '{"type":"uri","value":"relative"}',
      '{"type":"uri","value":"urn:a b"}',
      '{"type":"uri","value":"urn:\\ufffd"},{"type":"uri","value":"urn:\\ud800"}',
      '{"type":"other","value":"x"}',
      '{"type":"bnode","value":"x"}',
      '{"type":"uri","value":"urn:x","lang":"en"}',
      '{"type":"literal","value":5}',
      '{"type":"literal","value":"\\ud800"}',
      '{"type":"literal","value":"x","lang":"e n"}',
      '{"type":"literal","value":"x","lang":"en","datatype":"urn:d"}',
      '{"type":"literal","value":"x","datatype":"http://www.w3.org/1999/02/22-rdf-syntax-ns#langString"}',
    ]) {
      assert.match(parseError(wrap(object), RDF_JSON).message, /at \["urn:s","urn:p",[01]\]$/, object);
    }
  });
});

describe('syntax beyond RDF', () => {
  for (const text of [
    '<< <a> <b> <c> >> <d> <e> .',
    '<a> <b> <<( <a> <b> <c> )>> .',
    '<a> <b> <c> {| <d> <e> |} .',
    '<a> <b> <c> ~ <r> .',
    '<a> <b> "x"@en--ltr .',
  ]) {
    it(`is rejected in N3 if it is RDF 1.2 (G-42): ${text}`, () => {
      assert.match(parseError(text, N3).message, /RDF 1\.2/);
    });
  }

  for (const text of [
    '{ <a> <b> <c> } => { <d> <e> <f> } .',
    '<a> => <b> .',
    '<a> <= <b> .',
    '<a> <b> { } .',
    '<a> <b> ?x .',
    '@forAll <x> . <a> <b> <c> .',
    '@forSome <x> . <a> <b> <c> .',
    '"x" <b> <c> .',
    '<a> _:b <c> .',
    '<a> ( <b> ) <c> .',
  ]) {
    it(`is rejected in N3 (G-42): ${text}`, () => {
      assert.equal(parseError(text, N3).code, 'parse-error');
    });
  }

  it('does not include N3 syntax that RDF can express', () => {
    assert.deepEqual(quads('<urn:a> is <urn:b> of <urn:c> ; = <urn:d> . _:x <urn:p> [ <urn:q> _:x ] .', N3), [
      '<urn:c> <urn:b> <urn:a> .',
      '<urn:a> <http://www.w3.org/2002/07/owl#sameAs> <urn:d> .',
      '_:0 <urn:q> _:1 .',
      '_:1 <urn:p> _:0 .',
    ]);
  });
});

describe('hostile documents', () => {
  it('cannot expand long prefixes without limit', () => {
    const names = Array.from({ length: 3000 }, (_, index) => `p:a p:b p:${index} .`).join('\n');
    const { code } = parseError(`@prefix p: <urn:${'x'.repeat(20_000)}> .\n${names}`, TURTLE);
    assert.equal(code, 'too-large');
  });

  it('cannot cause unlimited work by repeating one long name', () => {
    const prefix = `@prefix p: <urn:${'x'.repeat(1_000_000)}> .\n`;
    assert.equal(parseError(`${prefix}${'p:a p:a p:a .\n'.repeat(1000)}`, TURTLE).code, 'too-large');
    const names = Array.from({ length: 1000 }, () => '{"@id":"p:a","p:a":{"@id":"p:a"}}');
    const context = `{"p":"urn:${'x'.repeat(1_000_000)}:"}`;
    const document = `{"@context":${context},"@graph":[${names.join(',')}]}`;
    assert.equal(parseError(document, 'application/ld+json').code, 'too-large');
  });

  it('may nest deeply in Turtle', () => {
    const depth = 100_000;
    assert.equal(
      quads(`<a> <b> ${'['.repeat(1)}${' <p> ['.repeat(depth)}${']'.repeat(depth)}] .`, TURTLE).length,
      depth + 1,
    );
    assert.equal(parseError('('.repeat(depth), TURTLE).code, 'parse-error');
  });

  it('may contain long terms', () => {
    const long = 'x'.repeat(3_000_000);
    assert.equal(quads(`<urn:${long}> <urn:b> "${long}", """${long}\n""" .`, TURTLE).length, 2);
    assert.equal(quads(`<urn:${long}> <urn:b> "${long}" .`, NT).length, 1);
  });

  it('are parsed or fail with an RdfError', () => {
    const pieces = [
      '<',
      '>',
      '"',
      '\\',
      '@',
      '_:',
      '.',
      '{',
      '[',
      ' ',
      '\n',
      'a',
      '^^',
      '#',
      '(',
      '\u0000',
      '<urn:a>',
    ];
    let seed = 1;
    const random = () => {
      seed = (seed * 48271) % 2147483647;
      return seed;
    };
    for (let round = 0; round < 2000; round++) {
      const text = Array.from({ length: random() % 12 }, () => pieces[random() % pieces.length]).join('');
      for (const mediaType of [TURTLE, TRIG, N3, NT, NQ]) {
        try {
          parse(text, mediaType);
        } catch (error) {
          assert.ok(error instanceof RdfError, `${mediaType} ${JSON.stringify(text)} ${error}`);
        }
      }
    }
  });
});
