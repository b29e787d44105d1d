import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseError, quads } from './documents.ts';

const NT = 'application/n-triples';
const triple = (object: string) => `<urn:s> <urn:p> ${object} .`;

test('an escape can denote any Unicode scalar value', () => {
  for (const [written, character, isInIris] of [
    ['\\u0041', 'A', true],
    ['\\uD7FF', '\ud7ff', true],
    ['\\uE000', '\ue000', true],
    ['\\uFFFD', '\ufffd', false],
    ['\\U0001F600', '\u{1f600}', true],
    ['\\U0010FFFD', '\u{10fffd}', true],
    ['\\U0010FFFF', '\u{10ffff}', false],
  ] as const) {
    assert.deepEqual(quads(triple(`"${written}"`), NT), [triple(`"${character}"`)], written);
    // Only the query of an IRI may contain private-use characters.
    const iri = triple(`<urn:?${written}>`);
    if (isInIris) assert.deepEqual(quads(iri, NT), [triple(`<urn:?${character}>`)], written);
    else assert.equal(parseError(iri, NT).code, 'parse-error', written);
  }
});

test('escapes of surrogates and of numbers above U+10FFFF are rejected', () => {
  for (const written of ['\\uD800', '\\uDBFF', '\\uDC00', '\\uDFFF', '\\U00110000', '\\UFFFFFFFF']) {
    assert.equal(parseError(triple(`"${written}"`), NT).code, 'parse-error', written);
    assert.equal(parseError(triple(`<urn:${written}>`), NT).code, 'parse-error', written);
  }
});

test('a truncated escape is rejected', () => {
  for (const written of ['\\u004', '\\U0001F60', '\\x41', '\\']) {
    assert.equal(parseError(triple(`"${written}"`), NT).code, 'parse-error', written);
  }
});
