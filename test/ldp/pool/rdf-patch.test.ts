import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { toErrorData } from '../../../src/errors.ts';
import { readRdfPatch } from '../../../src/ldp/pool/rdf-patch.ts';

const BASE = 'http://base/ldp/doc';
const EX = 'http://example.org/';

/** Steps in order, with blank nodes numbered by first use. */
function steps(text: string): string[] {
  const { block, added } = readRdfPatch(text, BASE);
  const { quads, termBytes, termOffsets } = block;
  const labels = new Map<string, number>();
  const term = (index: number) => {
    const written = Buffer.from(termBytes.subarray(termOffsets[index]!, termOffsets[index + 1]!)).toString();
    if (!written.startsWith('_:')) return written;
    const number = labels.get(written) ?? labels.size;
    labels.set(written, number);
    return `_:${number}`;
  };
  return added.map((isAdded, row) => {
    const terms = [0, 1, 2].map((column) => term(quads[4 * row + column]!));
    return `${isAdded ? 'A' : 'D'} ${terms.join(' ')}`;
  });
}

/** Code, line and column of the error. */
function fault(text: string) {
  try {
    readRdfPatch(text, BASE);
  } catch (error) {
    const { code, details } = toErrorData(error);
    return [code, details.line, details.column];
  }
  return 'none';
}

test('L-71: lines add and delete', () => {
  assert.deepEqual(steps('A <http://example.org/a> <http://example.org/p> "x" .\nD <a> <#p> <> .\n'), [
    `A <${EX}a> <${EX}p> "x"`,
    `D <http://base/ldp/a> <${BASE}#p> <${BASE}>`,
  ]);
  assert.deepEqual(steps(''), []);
  assert.deepEqual(steps(' # nothing\n\n'), []);
});

test('L-71: prefixes are declared first, and may be declared again', () => {
  const text = `@prefix ex: <${EX}> . # one\n@prefix : <#> .\n@prefix ex: <${EX}v#> .\nA :me ex:a.b ex:c\\,d.\n`;
  assert.deepEqual(steps(text), [`A <${BASE}#me> <${EX}v#a.b> <${EX}v#c,d>`]);
  assert.deepEqual(fault('A <a> <b> <c> .\n@prefix ex: <x:> .'), ['parse-error', 2, 1]);
  assert.deepEqual(fault('@prefix ex <x:> .'), ['parse-error', 1, 9]);
  assert.deepEqual(fault('A <a> ex:b <c> .'), ['parse-error', 1, 7]);
});

test('L-71: R repeats the term of its position in the line before', () => {
  assert.deepEqual(steps('A <s> <p> <o> .\nD R <q> R .\nA R R "x" .\nA R R R.'), [
    'A <http://base/ldp/s> <http://base/ldp/p> <http://base/ldp/o>',
    'D <http://base/ldp/s> <http://base/ldp/q> <http://base/ldp/o>',
    'A <http://base/ldp/s> <http://base/ldp/q> "x"',
    'A <http://base/ldp/s> <http://base/ldp/q> "x"',
  ]);
  assert.deepEqual(fault('A R <p> <o> .'), ['parse-error', 1, 4]);
  assert.deepEqual(fault('\n  A <s> <p> R .'), ['parse-error', 2, 14]);
  assert.deepEqual(steps('@prefix R: <x:> .\nA R:a R:b R:c .'), ['A <x:a> <x:b> <x:c>']);
});

test('L-71: strings, languages and datatypes', () => {
  const object = (text: string) =>
    steps(`@prefix xsd: <x:> .\nA <s> <p> ${text} .`)[0]!.split(' ').slice(3).join(' ');
  assert.equal(object('"a\\"b\\u00e9"'), '"a\\"bé"');
  assert.equal(object('"""a "b"\n""c"""'), '"a \\"b\\"\\n\\"\\"c"');
  assert.equal(object('""'), '""');
  assert.equal(object('"x"@EN-us'), '"x"@EN-us');
  assert.equal(object('"01"^^xsd:integer'), '"01"^^<x:integer>');
  assert.equal(object('"x"^^<http://www.w3.org/2001/XMLSchema#string>'), '"x"');
  for (const text of ['1', 'true', "'x'", '[]', '"a\nb"', '"a', '"a\\q"', '"x"^^"y"', '"x"@']) {
    assert.equal(fault(`A <s> <p> ${text} .`)[0], 'parse-error', text);
  }
});

test('L-71: a blank node of the patch is a new one, and the same throughout', () => {
  assert.deepEqual(
    steps('A _:x <p> _:y .\nA _:y <p> _:x .').map((line) => line.replaceAll('http://base/ldp/', '')),
    ['A _:0 <p> _:1', 'A _:1 <p> _:0'],
  );
  const labels = [readRdfPatch('A _:b0 <p> 	<o> .', BASE), readRdfPatch('A _:b0 <p> <o> .', BASE)].map(
    ({ block }) => Buffer.from(block.termBytes.subarray(0, block.termOffsets[1])).toString(),
  );
  assert.notEqual(labels[0], labels[1]);
});

test('L-71: a blank node in a D line is not supported', () => {
  assert.equal(fault('D _:x <p> <o> .')[0], 'unsupported-patch');
  assert.equal(fault('D <s> <p> _:x .')[0], 'unsupported-patch');
  assert.equal(fault('A _:x <p> <o> .\nD R <p> <o> .')[0], 'unsupported-patch');
});

test('L-71: a syntax error is rejected with line and column', () => {
  const cases: [string, number, number][] = [
    ['X <s> <p> <o> .', 1, 1],
    ['A <s> <p> <o>', 1, 14],
    ['A <s> <p> .', 1, 11],
    ['A "s" <p> <o> .', 1, 3],
    ['A <s> _:p <o> .', 1, 7],
    ['A <s> <p> <o> <g> .', 1, 15],
    ['A <s> <p> <o> .\r\nA <s> <p p> <o> .', 2, 7],
    ['A <s> <p> <\\u0020> .', 1, 11],
    ['# é😀\nA "é😀" .', 2, 3],
  ];
  for (const [text, line, column] of cases)
    assert.deepEqual(fault(text), ['parse-error', line, column], text);
});

const pieces = fc.constantFrom(
  'A',
  'D',
  'R',
  '@prefix',
  ' ',
  '\n',
  '.',
  '<a>',
  '<',
  '>',
  'ex:',
  ':',
  'ex:a',
  '_:b',
  '_:',
  '"',
  '"""',
  '\\',
  '\\u00',
  'x',
  '@en',
  '@',
  '^^',
  '#',
  '1',
  '\u0000',
  '😀',
  '\ud800',
  "'",
  '{',
  '<x:y>',
);

test('a patch of any text is read, or rejected with an error of the catalogue', () => {
  const text = fc.oneof(
    fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join('')),
    fc.array(pieces, { maxLength: 30 }).map((parts) => parts.join(' ')),
    fc.string({ unit: 'binary' }),
  );
  fc.assert(
    fc.property(text, (source) => {
      const result = fault(source);
      if (result !== 'none')
        assert.ok(['parse-error', 'unsupported-patch'].includes(String(result[0])), source);
    }),
    { numRuns: 5_000 },
  );
});

test('a long string and a long line of dots cost no more than their length', () => {
  const long = 'x'.repeat(1_000_000);
  assert.equal(steps(`A <s> <p> "${long}" .`).length, 1);
  assert.equal(steps(`A <s> <p> "${'\\n'.repeat(500_000)}" .`).length, 1);
  assert.equal(fault(`A <s> <p> <${long}`)[0], 'parse-error');
  const dots = '.'.repeat(1_000_000);
  assert.equal(fault(`A <s> <p> _:a${dots}`)[0], 'parse-error');
  assert.equal(steps(`A <s> <p> _:a${dots}b .`).length, 1);
  assert.equal(steps(`@prefix x: <urn:x:> .\nA <s> <p> x:${dots}b .`).length, 1);
});
