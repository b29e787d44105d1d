import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseRdf } from '../../../src/rdf/formats/parse-document.ts';
import { resolveIri, withoutInnerDots } from '../../../src/rdf/formats/resolve-iri.ts';
import { isIri } from '../../../src/rdf/model/iri.ts';

/** The examples of RFC 3986 section 5.4, with its base. */
const examples: Readonly<Record<string, string>> = {
  'g:h': 'g:h',
  g: 'http://a/b/c/g',
  './g': 'http://a/b/c/g',
  'g/': 'http://a/b/c/g/',
  '/g': 'http://a/g',
  '//g': 'http://g',
  '?y': 'http://a/b/c/d;p?y',
  'g?y': 'http://a/b/c/g?y',
  '#s': 'http://a/b/c/d;p?q#s',
  'g#s': 'http://a/b/c/g#s',
  ';x': 'http://a/b/c/;x',
  '': 'http://a/b/c/d;p?q',
  '.': 'http://a/b/c/',
  './': 'http://a/b/c/',
  '..': 'http://a/b/',
  '../g': 'http://a/b/g',
  '../..': 'http://a/',
  '../../g': 'http://a/g',
  '../../../g': 'http://a/g',
  '/./g': 'http://a/g',
  '/../g': 'http://a/g',
  'g.': 'http://a/b/c/g.',
  '..g': 'http://a/b/c/..g',
  './../g': 'http://a/b/g',
  './g/.': 'http://a/b/c/g/',
  'g/../h': 'http://a/b/c/h',
  'g;x=1/../y': 'http://a/b/c/y',
  'g?y/../x': 'http://a/b/c/g?y/../x',
};

test('references are resolved as in the examples of RFC 3986', () => {
  for (const [reference, iri] of Object.entries(examples)) {
    assert.equal(resolveIri(reference, 'http://a/b/c/d;p?q'), iri, reference);
  }
});

test('a path that begins with two slashes does not become an authority', () => {
  for (const [reference, base, iri] of [
    ['..//x', 'a:/b/c', 'a:/.//x'],
    ['/.//x', 'a:/b/c', 'a:/.//x'],
    ['.//x', 'a:/', 'a:/.//x'],
    ['#f', 'a:/.//x', 'a:/.//x#f'],
    ['..//x', 'a:///b/c', 'a:////x'],
    ['..//x', 'http://h/b/c', 'http://h//x'],
    ['//x', 'a:/b/c', 'a://x'],
  ] as const) {
    assert.equal(resolveIri(reference, base), iri, `${reference} ${base}`);
  }
});

test('a reference resolves to the same IRI as in Turtle', () => {
  const piece = fc.constantFrom('a', 'b', '/', '.', '..', '?', '#', 'é', '%20', '//', '/../', '/./');
  const reference = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(reference, fc.constantFrom('http://a/b/c', 'http://a', 'http://a/x/?q'), (text, base) => {
      fc.pre(!text.startsWith('//') && isIri(resolveIri(text, base)));
      const block = parseRdf(Buffer.from(`<${text}> <p:p> <p:o> .`), {
        mediaType: 'text/turtle',
        baseIri: base,
      });
      const subject = Buffer.from(block.termBytes.subarray(1, block.termOffsets[1]! - 1)).toString();
      assert.equal(resolveIri(text, base), subject);
    }),
    { numRuns: 2_000 },
  );
});

test('dot segments before the last segment of a path are removed', () => {
  for (const [iri, expected] of [
    ['http://a/b/./c/../d?e/./f#g/./h', 'http://a/b/d?e/./f#g/./h'],
    ['http://a/./b/..', 'http://a/b/..'],
    ['http://a/./.', 'http://a/.'],
    ['//a/../b', '//a/b'],
    ['/a/./b', '/a/b'],
    ['//a/b/..', '//a/'],
    ['//a//./..', '//a/'],
    ['/b/.', '/b/'],
    ['././a/./b', '././a/./b'],
    ['./', './'],
    ['./a:b', './a:b'],
    ['.//a', './/a'],
    ['../a', '../a'],
    ['a:/b/..//c', 'a:/.//c'],
    ['/.//a', '/.//a'],
    ['urn:a', 'urn:a'],
  ] as const) {
    assert.equal(withoutInnerDots(iri), expected);
  }
});
