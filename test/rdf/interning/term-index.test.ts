import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TermArena } from '../../../src/rdf/interning/term-arena.ts';
import { TermIndex } from '../../../src/rdf/interning/term-index.ts';

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
