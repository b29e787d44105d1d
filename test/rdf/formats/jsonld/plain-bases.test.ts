import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { withPlainBases } from '../../../../src/rdf/formats/jsonld/plain-bases.ts';
import { ending } from '../../../support/ending.ts';
import { parseError, quads } from '../documents.ts';

const JSON_LD = 'application/ld+json';

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

test("dot segments of the document's own IRI are removed", () => {
  const document = { '@id': 'z', 'p:p': { '@id': '../y' } };
  assert.deepEqual(quads(JSON.stringify(document), JSON_LD, { baseIri: 'http://b/a/../c/./d/e' }), [
    '<http://b/c/d/z> <p:p> <http://b/c/y> .',
  ]);
});

test('a malformed base is an error', () => {
  for (const base of ['"\\x"', '"\\u12"', '"a\nb"', '"http://a/../b\\q/c"']) {
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
    assert.equal(Buffer.from(withPlainBases(Buffer.from(text))).toString(), text);
  }
});

test('a document with many contexts is read in linear time', () => {
  const contexts = '{"@context":{}},'.repeat(300_000);
  const document = Buffer.from(`[${contexts}{"@context":{"@base":"http://a/x/../b/"}}]`);
  const plain = ending(() => withPlainBases(document));
  assert.ok(Buffer.from(plain).toString().endsWith('{"@context":{"@base":"http://a/b/"     }}]'));
});
