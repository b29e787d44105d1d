import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fault, quads } from './documents.ts';

const NT = 'application/n-triples';
const triple = (object: string) => `<urn:s> <urn:p> ${object} .`;

test('escapes stand for all Unicode scalar values, from the first to the last', () => {
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
    // The query is the part of an IRI that may have private-use characters.
    const iri = triple(`<urn:?${written}>`);
    if (isInIris) assert.deepEqual(quads(iri, NT), [triple(`<urn:?${character}>`)], written);
    else assert.equal(fault(iri, NT).code, 'parse-error', written);
  }
});

test('escapes of surrogates and of what lies beyond Unicode are refused', () => {
  for (const written of ['\\uD800', '\\uDBFF', '\\uDC00', '\\uDFFF', '\\U00110000', '\\UFFFFFFFF']) {
    assert.equal(fault(triple(`"${written}"`), NT).code, 'parse-error', written);
    assert.equal(fault(triple(`<urn:${written}>`), NT).code, 'parse-error', written);
  }
});

test('an escape that is cut off is refused', () => {
  for (const written of ['\\u004', '\\U0001F60', '\\x41', '\\']) {
    assert.equal(fault(triple(`"${written}"`), NT).code, 'parse-error', written);
  }
});
