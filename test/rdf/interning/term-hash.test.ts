import assert from 'node:assert/strict';
import { test } from 'node:test';
import { viewOf } from '../../../src/base/bytes/wide-copy.ts';
import { hashOf, newHashKey } from '../../../src/rdf/interning/term-hash.ts';

/**
 * Terms of one length. In each term a different set of places has its two words changed by the
 * same two differences.
 */
function preparedTerms(places: number, [first, second]: readonly [number, number]): Buffer[] {
  return Array.from({ length: 2 ** places }, (_, choice) => {
    const term = Buffer.alloc(8 * places);
    for (let place = 0; place < places; place++) {
      const changed = (choice >> place) & 1;
      term.writeUInt32LE((0x4144_4641 ^ (changed * first)) >>> 0, 8 * place);
      term.writeUInt32LE((0x4247_4845 ^ (changed * second)) >>> 0, 8 * place + 4);
    }
    return term;
  });
}

test('terms crafted without the hash key do not collide', () => {
  const differences = [
    // An earlier hash, of one multiplication and one shift, cancelled these for at least half of
    // all keys.
    [1 << 29, (1 << 29) | (1 << 14)],
    [1 << 30, (1 << 30) | (1 << 15)],
    [1 << 31, (1 << 31) | (1 << 16)],
    // The same for rotations.
    [1 << 31, 1 << 14],
    [1 << 31, 1 << 31],
    [1 << 31, (1 << 14) | (1 << 31)],
  ] as const;
  for (const difference of differences) {
    const terms = preparedTerms(10, difference);
    for (let key = 0; key < 50; key++) {
      const hashKey = newHashKey();
      const hashes = terms.map((term) => hashOf(hashKey, viewOf(term), 0, term.length));
      const name = difference.map((word) => (word >>> 0).toString(16)).join(', ');
      assert.ok(new Set(hashes).size > terms.length - 10, `${name}: ${new Set(hashes).size} hashes`);
      // Slots in a table of 4,096: random hashes would occupy about 900.
      const slots = new Set(hashes.map((found) => found & 4095)).size;
      assert.ok(slots > 700, `${name}: ${slots} slots`);
    }
  }
});
