import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { TermArena } from '../../../src/rdf/interning/term-arena.ts';
import { TermIndex } from '../../../src/rdf/interning/term-index.ts';
import { withSmallTag } from '../../../src/rdf/model/language/tag-case.ts';

test('terms with equal hashes are distinguished by their bytes', () => {
  // Among so many terms of one length about ten pairs have the same hash of 32 bits.
  const count = 300_000;
  const bytes = Buffer.from(Array.from({ length: count }, (_, i) => String(i).padStart(8, '0')).join(''));
  const index = new TermIndex(new TermArena(bytes.length, bytes.length));
  for (const _ of ['added', 'found']) {
    for (let i = 0; i < count; i++) {
      if (index.intern(bytes, 8 * i, 8 * i + 8) !== i) assert.fail(`the number of ${i} is that of another`);
    }
  }
});

test('terms that differ in the case of their language tags are one, in its first spelling', () => {
  const text = fc
    .tuple(
      fc.constantFrom('', 'a', 'A', 'a@B', 'größe', 'four', 'some longer text', '\\"@A'),
      fc.constantFrom('', '@en', '@EN', '@En-us', '@en-US', '@zh-hans-CN', '@zh-Hans-cn', '^^<urn:a@EN>'),
    )
    .map(([value, suffix]) => `"${value}"${suffix}`);
  fc.assert(
    fc.property(fc.array(text, { maxLength: 40, size: 'max' }), (texts) => {
      const arena = new TermArena(0, 1e6);
      const index = new TermIndex(arena);
      const first = new Map<string, string>();
      for (const each of texts) {
        const key = withSmallTag(each);
        if (!first.has(key)) first.set(key, each);
        // The place in memory decides which bytes are compared together.
        const source = Buffer.from(`x${each}`);
        const number = index.intern(source, 1, source.length);
        const bytes = arena.bytes.subarray(arena.offsets[number], arena.offsets[number + 1]);
        assert.equal(Buffer.from(bytes).toString(), first.get(key));
      }
      assert.equal(arena.count, first.size);
    }),
  );
});
