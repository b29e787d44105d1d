import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SortedNames } from '../../../src/snapshot/graphs/sorted-names.ts';

/**
 * Few names, so that they are added, removed and added again; with characters on both sides of the
 * surrogates.
 */
const name = fc.oneof(
  fc.constantFrom('a', 'b', 'ba', 'c', 'z', '\u{e000}', '\u{ffff}', '\u{1f600}', '\u{10ffff}', '"\\'),
  fc.nat(50).map((number) => `n${number}`),
);
const changes = fc.array(fc.tuple(name, fc.boolean()), { maxLength: 200 });

/** Sorts by the bytes of UTF-8, whose order is that of code points. */
function sorted(names: Iterable<string>): string[] {
  return [...names].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

/** All names, page by page. */
function read(names: SortedNames, from = ''): string[] {
  const found: string[] = [];
  for (let page = names.pageFrom(from); page; page = names.pageFrom(`${found.at(-1)}\0`)) {
    assert.deepEqual(JSON.parse(`[${Buffer.from(page.json())}]`), page.names);
    assert.ok(page.names.length > 0);
    found.push(...page.names);
  }
  return found;
}

test('C-31: names stay in code-point order through any changes, and are found by number and by name', () => {
  fc.assert(
    fc.property(fc.array(name), changes, fc.integer({ min: 1, max: 6 }), name, (first, steps, most, any) => {
      const model = new Set(first);
      const names = new SortedNames(model, most);
      for (const [each, exists] of steps) {
        if (exists) model.add(each);
        else model.delete(each);
        if (exists) names.add(each);
        else names.delete(each);
      }
      const expected = sorted(model);
      assert.deepEqual(read(names), expected);
      expected.forEach((each, index) => {
        assert.equal(names.at(index), each);
        assert.equal(names.rank(each), index);
      });
      assert.equal(names.at(expected.length), undefined);
      const below = expected.filter((each) => sorted([each, any])[0] === each && each !== any);
      assert.equal(names.rank(any), below.length);
      assert.deepEqual(read(names, any), expected.slice(below.length));
    }),
    { numRuns: 500 },
  );
});

test('a returned page does not change', () => {
  const names = new SortedNames(['b', 'c']);
  const page = names.pageFrom('');
  names.add('a');
  names.delete('b');
  assert.deepEqual(page?.names, ['b', 'c']);
  assert.equal(Buffer.from(page.json()).toString(), '"b","c"');
  assert.deepEqual(read(names), ['a', 'c']);
});
