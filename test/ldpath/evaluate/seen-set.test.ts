import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { SeenSet } from '../../../src/ldpath/evaluate/seen-set.ts';

describe('SeenSet', () => {
  it('behaves like a Set, also when it is cleared and filled repeatedly', () => {
    const seen = new SeenSet();
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), { maxLength: 300 }), (ids) => {
        seen.clear();
        const model = new Set<number>();
        for (const id of ids) {
          assert.equal(seen.has(id), model.has(id));
          assert.equal(seen.add(id), !model.has(id));
          model.add(id);
        }
        for (const id of ids) assert.equal(seen.has(id), true);
      }),
    );
  });
});
