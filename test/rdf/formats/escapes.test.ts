import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fault, quads } from './documents.ts';

const NT = 'application/n-triples';
const triple = (object: string) => `<urn:s> <urn:p> ${object} .`;

test('escapes stand for all Unicode scalar values, from the first to the last', () => {
  for (const [written, character] of [
    ['\\u0041', 'A'],
    ['\\uD7FF', '\ud7ff'],
    ['\\uE000', '\ue000'],
    ['\\uFFFD', '\ufffd'],
    ['\\U0001F600', '\u{1f600}'],
    ['\\U0010FFFF', '\u{10ffff}'],
  ] as const) {
    assert.deepEqual(quads(triple(`"${written}"`), NT), [triple(`"${character}"`)], written);
    assert.deepEqual(quads(triple(`<urn:${written}>`), NT), [triple(`<urn:${character}>`)], written);
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
