import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  areEqual,
  hasCapitalTag,
  tagIn,
  tagStart,
  tagWithCapitals,
  withSmallTag,
} from '../../../../src/rdf/model/language/tag-case.ts';

const bytesOf = (text: string) => new TextEncoder().encode(text);
const startIn = (text: string) => tagStart(bytesOf(text), 0, bytesOf(text).length);

describe('the language tag of a term', () => {
  it('begins after the last @ of a literal that ends in neither a quote nor a bracket', () => {
    for (const [text, tag] of [
      ['"a"@en', 'en'],
      ['"a@b"@en-US', 'en-US'],
      ['"\\"@x"@EN--ltr', 'EN--ltr'],
      ['"@"@a', 'a'],
      ['"a@EN"', ''],
      ['"a"^^<mailto:a@EN>', ''],
      ['<mailto:a@EN>', ''],
      ['_:a', ''],
    ] as const) {
      assert.equal(startIn(text), text.length - tag.length, text);
      assert.equal(tagIn(text), tag, text);
    }
  });

  it('is read from any place in memory', () => {
    const bytes = bytesOf('<urn:a>"é"@en-US"b"');
    const [start, end] = [7, bytes.length - 3];
    const tag = tagStart(bytes, start, end);
    assert.equal(tagWithCapitals(bytes.subarray(start), tag - start, end - start), 'en-US');
    assert.equal(tagWithCapitals(bytes, tag, end - 3), '');
  });
});

describe('a language tag with a capital letter', () => {
  for (const [text, expected] of [
    ['"a"@en-US', true],
    ['"a"@En', true],
    ['"a"@en-Us--ltr', true],
    ['"A@B"@en-us-x-1', false],
    ['"A@B"', false],
    ['"A"^^<urn:A@B>', false],
    ['<urn:A@B>', false],
    ['_:A', false],
  ] as const) {
    it(`is known by its bytes: ${text}`, () => {
      const bytes = bytesOf(`@A${text}B`);
      assert.equal(hasCapitalTag(bytes, 2, bytes.length - 1), expected);
    });
  }
});

describe('the equality of terms', () => {
  it('ignores the case of language tags and of nothing else', () => {
    const equal = (a: string, b: string) => areEqual(bytesOf(a), bytesOf(b));
    assert.ok(equal('"a"@en-US', '"a"@EN-us'));
    assert.ok(!equal('"a"@en', '"A"@en'));
    assert.ok(!equal('"a"@en', '"a"@de'));
    assert.ok(!equal('"a"@en', '"a"@en-'));
    assert.ok(!equal('"a@en"', '"a@EN"'));
    assert.ok(!equal('<mailto:a@en>', '<mailto:a@EN>'));
  });

  it('is in the tag only, not in the text, a datatype or another term', () => {
    assert.equal(withSmallTag('"A@B"@EN-US--ltr'), '"A@B"@en-us--ltr');
    for (const term of ['"A"', '"A"^^<urn:B>', '<urn:A>', '_:A']) assert.equal(withSmallTag(term), term);
  });

  it('is that of the texts with small tags', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'A', '@', 'é', '\\"'), maxLength: 3 });
    const suffix = fc.constantFrom('', '@en', '@EN', '@eN-us', '@en-US', '^^<urn:a@EN>', '^^<urn:a@en>');
    const term = fc.tuple(text, suffix).map(([value, end]) => `"${value}"${end}`);
    fc.assert(
      fc.property(term, term, (a, b) => {
        assert.equal(areEqual(bytesOf(a), bytesOf(b)), withSmallTag(a) === withSmallTag(b));
      }),
    );
  });
});
