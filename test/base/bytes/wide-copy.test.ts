import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { copyWide, viewOf } from '../../../src/base/bytes/wide-copy.ts';

/** The bytes that come nearest to doubles that are no number, from characters of all lengths. */
const character = fc.constantFrom(
  'a',
  '\u0000',
  '\u007f',
  '\u00ff',
  '\u07ff',
  '\uffff',
  '\u{10000}',
  '\u{10ffff}',
);
const text = fc.array(character, { maxLength: 20 }).map((characters) => Buffer.from(characters.join('')));

it('any part of a text is copied as it is to any place, and nothing else changes', () => {
  fc.assert(
    fc.property(text, fc.nat(80), fc.nat(80), fc.nat(9), (source, one, other, at) => {
      const from = Math.min(one, other, source.length);
      const to = Math.min(Math.max(one, other), source.length);
      const target = Buffer.alloc(at + to - from + 9, '.');
      const expected = Buffer.from(target);
      expected.set(source.subarray(from, to), at);
      copyWide(viewOf(source), from, to, viewOf(target), at);
      assert.deepEqual(target, expected);
    }),
    { numRuns: 5_000 },
  );
});
