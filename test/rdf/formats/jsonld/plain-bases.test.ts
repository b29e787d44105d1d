import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { BasePlaceholders } from '../../../../src/rdf/formats/jsonld/base-placeholders.ts';
import { withPlainBases } from '../../../../src/rdf/formats/jsonld/plain-bases.ts';
import { ending } from '../../../support/ending.ts';
import { parseError, quads } from '../documents.ts';

const JSON_LD = 'application/ld+json';

function plainText(document: Buffer): string {
  return Buffer.from(withPlainBases(document, new BasePlaceholders()).bytes).toString();
}

/** Returns the IRI to which a reference resolves, in angle brackets. */
function inTurtle(reference: string, base: string, baseIri: string): string {
  const document = `@base <${base}> . <${reference}> <p:p> <p:o> .`;
  return quads(document, 'text/turtle', { baseIri })[0]!.split(' ')[0]!;
}

function inJsonLd(reference: string, base: string, baseIri: string): string {
  const document = { '@context': { '@base': base }, '@id': reference, 'p:p': { '@id': 'p:o' } };
  return quads(JSON.stringify(document), JSON_LD, { baseIri })[0]!.split(' ')[0]!;
}

test('a reference is resolved against a base of the document', () => {
  for (const [base, reference, iri] of [
    ['./', '#f', 'http://b/x/#f'],
    ['./a:b', '#f', 'http://b/x/a:b#f'],
    ['.//l', 'z', 'http://b/x//z'],
    ['a/../b/./c', 'z', 'http://b/x/b/z'],
    ['/a/../b/./c', 'z', 'http://b/b/z'],
    ['//h/a/../b/./c', 'z', 'http://h/b/z'],
    ['http://h/a/../b/./c', 'z', 'http://h/b/z'],
  ] as const) {
    assert.equal(inJsonLd(reference, base, 'http://b/x/y'), `<${iri}>`, base);
    assert.equal(inTurtle(reference, base, 'http://b/x/y'), `<${iri}>`, base);
  }
});

test('a reference with a path resolves to the same IRI as in Turtle', () => {
  const piece = fc.constantFrom('a', 'b', '/', '.', '..', 'é', '/../', '/./');
  const path = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));
  const base = fc.oneof(
    path.filter((text) => !text.startsWith('//')),
    path.map((text) => `http://h/${text}`),
    path.map((text) => `//h/${text}`),
  );
  fc.assert(
    fc.property(base, path, (text, baseIri) => {
      const iri = `http://b/${baseIri}`;
      assert.equal(inJsonLd('z', text, iri), inTurtle('z', text, iri));
    }),
    { numRuns: 500 },
  );
});

test('a reference without a path keeps the dot segments of the base', () => {
  const piece = fc.constantFrom('a', 'b', '/', '.', '..', 'é', '/../', '/./');
  const path = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));
  const base = fc.tuple(path, fc.constantFrom('', '?q=/./', '?$&')).map(([text, query]) => text + query);
  const reference = fc.constantFrom('', '#f', '?y', '?y#f', '?a/./b', '#a/../b');
  fc.assert(
    fc.property(base, reference, (text, relative) => {
      for (const [stated, iri] of [
        [`http://h/${text}`, 'http://b/'],
        ['', `http://b/${text}`],
      ] as const) {
        assert.equal(inJsonLd(relative, stated, iri), inTurtle(relative, stated, iri), stated);
      }
    }),
    { numRuns: 300 },
  );
});

test('each base of a document keeps its own dot segments', () => {
  const nested = { '@context': { '@base': 'http://a/../c/d' }, '@id': '#2', 'p:p': { '@id': 'z' } };
  const vocabulary = { '@base': 'http://a/./c/d', '@vocab': '' };
  const document = { '@context': vocabulary, '@id': '?1', 'p:p': nested, name: 'http://a/./c/d' };
  assert.deepEqual(quads(JSON.stringify(document), JSON_LD), [
    '<http://a/./c/d?1> <p:p> <http://a/../c/d#2> .',
    '<http://a/../c/d#2> <p:p> <http://a/c/z> .',
    '<http://a/./c/d?1> <http://a/./c/dname> "http://a/./c/d" .',
  ]);
});

test('an error has its position in the document as it was sent, and no placeholder', () => {
  const context = '{"@context": {"@base": "http://a/./b"}, ';
  for (const rest of ['"@id": 5}', '"@id": "#x", "p:p": }', '"@type": "#x", "@type": {"@id": "#x"}}']) {
    const text = context + rest;
    const { message, details } = parseError(text, JSON_LD);
    assert.ok(details.column! > context.length && details.column! <= text.length, `${details.column}`);
    assert.doesNotMatch(message, /p[0-9a-f]{24}/);
  }
});

test("dot segments of the document's own IRI are removed", () => {
  const document = { '@id': 'z', 'p:p': { '@id': '../y' } };
  assert.deepEqual(quads(JSON.stringify(document), JSON_LD, { baseIri: 'http://b/a/../c/./d/e' }), [
    '<http://b/c/d/z> <p:p> <http://b/c/y> .',
  ]);
});

test('a malformed base is an error', () => {
  for (const base of [
    '"\\x"',
    '"\\u12"',
    '"a\nb"',
    '"http://a/../b\\q/c"',
    '"http://a/./b[c"',
    '"http://a/./b c"',
  ]) {
    const { code } = parseError(`{"@context": {"@base": ${base}}, "@id": "z", "p:p": 1}`, JSON_LD);
    assert.equal(code, 'parse-error', base);
  }
});

test('only keys of contexts are bases', () => {
  for (const document of [
    { '@base': 'http://a/../b' },
    { '@context': { 'x"@base': 'http://a/x/../b/' } },
    { '@context': { x: '"@base":"http://a/x/../b/"' } },
    { '@context': [{ x: '@base' }, 'http://a/x/../b/'] },
  ]) {
    const text = JSON.stringify(document);
    assert.equal(plainText(Buffer.from(text)), text);
  }
});

test('a document with many contexts is read in linear time', () => {
  const contexts = '{"@context":{}},'.repeat(300_000);
  const document = Buffer.from(`[${contexts}{"@context":{"@base":"http://a/x/../"}}]`);
  const plain = ending(() => plainText(document));
  assert.match(plain.slice(-100), /\{"@context":\{"@base":"http:\/\/a\/p[^"/]*"\}\}\]$/);
});
