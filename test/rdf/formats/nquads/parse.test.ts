import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RdfError } from '../../../../src/rdf/formats/errors.ts';
import { NQuadsReader, parseNQuads } from '../../../../src/rdf/formats/nquads/parse.ts';
import { iriGrammar, iris, nearIris } from '../../../support/iris.ts';
import { parseError, quads } from '../documents.ts';

const NT = 'application/n-triples';
const options = { freshBlankNodes: false, graphs: false };

test('lines are counted as in an editor', () => {
  const reader = new NQuadsReader(100, options);
  reader.read(Buffer.from('<urn:s> <urn:p> "1" .\n# one\r\n\r\r\n<urn:s> <urn:p> "2" . # two\r'));
  assert.equal(reader.lines, 5);
  reader.read(Buffer.from('\n<urn:s> <urn:p> "3" .'));
  assert.equal(reader.lines, 6);
});

test('a document that is truncated inside a term of the previous line is a parse error', () => {
  const lines = '<urn:long:subject> <urn:p> <a:> .\n<urn:long:subject> <urn:p> <a:';
  for (let end = lines.indexOf('\n') + 2; end <= lines.length; end++) {
    assert.equal(parseError(lines.slice(0, end), NT).code, 'parse-error');
  }
  assert.equal(quads(`${lines}> .`, NT).length, 2);
});

test('IRIs that differ in a single byte are distinguished from line to line', () => {
  const iris = Array.from(
    { length: 12 },
    (_, i) => `<urn:abcdefghijkl${'m'.repeat(i)}x${'m'.repeat(11 - i)}>`,
  );
  const text = iris.map((iri) => `${iri} <urn:p> ${iri} .\n`).join('');
  const { termOffsets } = parseNQuads(Buffer.from(text), options);
  assert.equal(termOffsets.length - 1, iris.length + 1);
});

test('an IRI without a scheme is rejected at every position, including a datatype', () => {
  for (const iri of ['<>', '<:>', '<a>', '<a/b:c>', '<1a:b>', '<é:x>', '<-:>', '<a b:c>']) {
    for (const line of [`${iri} <urn:p> <urn:o> .`, `<urn:s> <urn:p> "1"^^${iri} .`]) {
      assert.equal(parseError(line, NT).code, 'parse-error', line);
    }
  }
  assert.equal(quads('<a:> <A0+.-:> "1"^^<Z:é> .', NT).length, 1);
});

test('G-17: an IRI with U+007F is rejected, escaped or not, although the N-Triples grammar allows it', () => {
  for (const text of [
    '<urn:a\u007fb> <urn:p> "1" .',
    '<urn:a> <urn:p\u007f> "1" .',
    '<urn:a> <urn:p> "1"^^<urn:d\u007f> .',
  ]) {
    for (const document of [text, text.replaceAll('\u007f', '\\u007F')]) {
      for (const type of [NT, 'application/n-quads', 'text/turtle']) {
        assert.equal(parseError(document, type).code, 'parse-error', document);
      }
    }
  }
});

test('G-17: IRIs are accepted according to the grammar of RFC 3987, wherever they are', () => {
  const isAccepted = (line: string) => {
    try {
      return quads(`<urn:s> <urn:p> "0"^^<urn:d> .\n${line}`, NT).length === 2;
    } catch (error) {
      assert.ok(error instanceof RdfError);
      return false;
    }
  };
  const check = (text: string) => {
    fc.pre(!text.includes('\\') && text.isWellFormed());
    const expected = iriGrammar.test(text);
    assert.equal(isAccepted(`<${text}> <urn:p> <urn:o> .`), expected, JSON.stringify(text));
    assert.equal(isAccepted(`<urn:s> <urn:p> "1"^^<${text}> .`), expected, JSON.stringify(text));
  };
  fc.assert(fc.property(nearIris, check), { numRuns: 2_000 });
  fc.assert(fc.property(iris, check), { numRuns: 500 });
});

test('the datatype of each literal is checked, in every chunk', () => {
  for (const [first, second] of [
    ['urn:d', 'http://h:x/'],
    ['urn:d', 'http://a/%'],
    ['http://h:1/', 'http://h:x/'],
    ['http://a/b', 'http://a/['],
  ]) {
    const [right, wrong] = [first, second].map((iri) => Buffer.from(`<urn:s> <urn:p> "1"^^<${iri}> .\n`));
    const reader = new NQuadsReader(100, options);
    reader.read(right!);
    reader.read(right!);
    assert.throws(() => reader.read(wrong!), RdfError);
    assert.equal(parseError(`${right}${right}${wrong}${right}`, NT).details.line, 3);
  }
});

test('a blank node label with a colon is rejected', () => {
  for (const [line, column] of [
    ['_::a <urn:p> <urn:o> .', 1],
    ['_:abc:def <urn:p> <urn:o> .', 6],
    ['<urn:s> <urn:p> _:a: .', 20],
  ] as const) {
    const { code, details } = parseError(line, NT);
    assert.deepEqual([code, details.line, details.column], ['parse-error', 1, column], line);
  }
});

test('white space is accepted before a language tag and around the datatype mark', () => {
  const expected = quads('<urn:s> <urn:p> "1"@en, "2"^^<urn:d>, "3", "4" .', 'text/turtle');
  const lines = [
    '"1" \t@en .',
    '"2" ^^ <urn:d> .',
    '"3"\t.',
    '"4" ^^\t<http://www.w3.org/2001/XMLSchema#string>.',
  ];
  const document = lines.map((line) => `<urn:s> <urn:p> ${line}\n`).join('');
  for (const type of [NT, 'application/n-quads']) assert.deepEqual(quads(document, type), expected);
  assert.equal(parseError('<urn:s> <urn:p> "1"@ en .', NT).code, 'parse-error');
  assert.equal(parseError('<urn:s> <urn:p> "1"^ ^<urn:d> .', NT).code, 'parse-error');
  assert.deepEqual(quads('<urn:s> <urn:p> "1" <urn:g> .', 'application/n-quads'), [
    '<urn:s> <urn:p> "1" <urn:g> .',
  ]);
});
