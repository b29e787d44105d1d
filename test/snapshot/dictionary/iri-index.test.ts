import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Dictionary } from '../../../src/snapshot/dictionary/dictionary.ts';
import { buildIriIndex, comparePrefix, firstAt } from '../../../src/snapshot/dictionary/iri-index.ts';
import { DictionaryWriter } from '../../../src/snapshot/dictionary/term-writer.ts';

function dictionaryOf(writer: DictionaryWriter): Dictionary {
  return new Dictionary(writer.descriptor());
}

function textsOf(dictionary: Dictionary, ids: SharedArrayBuffer): string[] {
  return Array.from(new Uint32Array(ids), (id) => dictionary.text(id));
}

/** In the order of code points, the closing bracket left out. */
function sorted(terms: readonly string[]): string[] {
  const inner = (text: string) => Buffer.from(text.slice(0, -1));
  return terms.filter((term) => term.startsWith('<')).toSorted((a, b) => Buffer.compare(inner(a), inner(b)));
}

const system = '<urn:x-pathpool:system>';
const iri = fc
  .tuple(fc.constantFrom('http://a', 'http://a/', 'http://a/b#', 'u:', 'u:é𐀀￮'), fc.string({ maxLength: 12 }))
  .map(([start, rest]) => `<${start}${rest.replaceAll(/[^a-z0-9/#]/gi, 'x')}>`);
const term = fc.oneof(iri, iri, fc.constantFrom('"literal"', '_:blank', '"<http://a>"'));

test('the index has every IRI once, in order, however it was built', () => {
  fc.assert(
    fc.property(fc.uniqueArray(term, { maxLength: 300 }), fc.nat(300), (terms, cut) => {
      const writer = new DictionaryWriter();
      for (const text of terms.slice(0, cut)) writer.internText(text);
      const before = buildIriIndex(dictionaryOf(writer), null);
      for (const text of terms.slice(cut)) writer.internText(text);
      const dictionary = dictionaryOf(writer);
      const expected = sorted([system, ...terms]);
      assert.deepEqual(textsOf(dictionary, buildIriIndex(dictionary, null).ids), expected);
      assert.deepEqual(textsOf(dictionary, buildIriIndex(dictionary, before).ids), expected);
    }),
  );
});

test('a prefix is found where its IRIs begin', () => {
  fc.assert(
    fc.property(fc.uniqueArray(iri, { maxLength: 100 }), iri, fc.nat(12), (terms, other, length) => {
      const writer = new DictionaryWriter();
      for (const text of terms) writer.internText(text);
      const dictionary = dictionaryOf(writer);
      const ids = new Uint32Array(buildIriIndex(dictionary, null).ids);
      const start = Array.from(other.slice(0, -1))
        .slice(0, 1 + length)
        .join('');
      const prefix = Buffer.from(start);
      const first = firstAt(dictionary, ids, prefix);
      const found = Array.from(ids.subarray(first)).filter(
        (id) => comparePrefix(dictionary, id, prefix) === 0,
      );
      const expected = sorted([system, ...terms]).filter((text) => text.slice(0, -1).startsWith(start));
      assert.deepEqual(
        found.map((id) => dictionary.text(id)),
        expected,
      );
    }),
  );
});

test('IRIs with a common prefix of thousands of characters are sorted', () => {
  const writer = new DictionaryWriter();
  const long = 'x'.repeat(20_000);
  const terms = Array.from({ length: 500 }, (_, i) => `<http://a/${long}${(i * 7919) % 500}>`);
  for (const text of terms) writer.internText(text);
  const dictionary = dictionaryOf(writer);
  assert.deepEqual(textsOf(dictionary, buildIriIndex(dictionary, null).ids), sorted([system, ...terms]));
});
