import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { indexOf } from '../../../src/ldpath/compile/text-search.ts';

const unit = fc.string({ unit: fc.constantFrom('a', 'b', '😀'), minLength: 1, maxLength: 4 });

/**
 * Long enough not to be left to V8: the beginning of a periodic text, followed by another period.
 */
const periodic = (length: number) =>
  fc
    .tuple(unit, unit, fc.nat(length))
    .map(
      ([before, after, at]) =>
        before.repeat(length).slice(0, at) + after.repeat(length).slice(0, length - at),
    );

it('indexOf returns the same index as String.prototype.indexOf', () => {
  fc.assert(
    fc.property(periodic(9000), periodic(4500), fc.nat(4500), fc.boolean(), (text, other, at, isPart) => {
      const part = isPart ? text.slice(at, at + 4500) : other;
      assert.equal(indexOf(text, part), text.indexOf(part));
    }),
    { numRuns: 300 },
  );
});

it('indexOf handles a search text that is empty, equal to the text, or longer', () => {
  const long = 'ab'.repeat(5000);
  assert.equal(indexOf(long, ''), 0);
  assert.equal(indexOf(long, long), 0);
  assert.equal(indexOf(long, `${long}a`), -1);
  assert.equal(indexOf('', ''), 0);
});
