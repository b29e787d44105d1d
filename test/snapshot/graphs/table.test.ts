import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { SortedNames } from '../../../src/snapshot/graphs/sorted-names.ts';
import { type GraphChange, GraphTable } from '../../../src/snapshot/graphs/table.ts';

const info = { size: 1, sequence: 1, modified: 0, since: 1 };

/**
 * Few names, so that they are added, removed and added again; with characters on both sides of the
 * surrogates.
 */
const name = fc.constantFrom('a', 'b', 'ba', 'c', 'z', '\u{e000}', '\u{ffff}', '\u{1f600}', '\u{10ffff}');
const change: fc.Arbitrary<GraphChange> = fc.tuple(name, fc.constantFrom(info, null));

/** Sorts by the bytes of UTF-8, whose order is that of code points. */
function sorted(names: Iterable<string>): string[] {
  return [...names].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

function read(names: SortedNames): string[] {
  const { names: found = [] } = names.pageFrom('') ?? {};
  return [...found];
}

test('C-31: names stay in code-point order through any changes, and some always or never exist', () => {
  fc.assert(
    fc.property(
      fc.array(change, { maxLength: 12 }),
      fc.array(fc.array(change, { maxLength: 12 }), { maxLength: 8 }),
      (before, steps) => {
        const table = new GraphTable();
        table.apply(before);
        const listing = table.keepListing('c', (each) => each === 'b');
        for (const changes of steps) {
          table.apply(changes);
          const exist = Array.from(table.entries(), ([each]) => each);
          assert.deepEqual(table.names(), sorted(exist));
          assert.deepEqual(
            read(listing),
            sorted(new Set([...exist, 'c'])).filter((each) => each !== 'b'),
          );
        }
      },
    ),
  );
});
