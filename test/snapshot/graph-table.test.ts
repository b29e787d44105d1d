import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type GraphChange, GraphTable } from '../../src/snapshot/graph-table.ts';

const info = { size: 1, sequence: 1, modified: 0, since: 1 };

/** Few names, so that they come, go and come back; with characters on both sides of the surrogates. */
const name = fc.constantFrom('a', 'b', 'ba', 'c', 'z', '\u{e000}', '\u{ffff}', '\u{1f600}', '\u{10ffff}');
const change: fc.Arbitrary<GraphChange> = fc.tuple(name, fc.constantFrom(info, null));

/** Sorts by the bytes of UTF-8, whose order is that of code points. */
function sorted(names: Iterable<string>): string[] {
  return [...names].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

test('C-31: whatever comes and goes between two listings, names are in code-point order', () => {
  fc.assert(
    fc.property(fc.array(fc.array(change, { maxLength: 12 }), { maxLength: 8 }), (steps) => {
      const table = new GraphTable();
      for (const changes of steps) {
        table.apply(changes);
        assert.deepEqual(table.names(), sorted(Array.from(table.entries(), ([each]) => each)));
      }
    }),
  );
});

test('a list of names that was handed out does not change', () => {
  const table = new GraphTable();
  table.apply([
    ['b', info],
    ['c', info],
  ]);
  const before = table.names();
  table.apply([
    ['a', info],
    ['b', null],
  ]);
  assert.deepEqual(
    [before, table.names()],
    [
      ['b', 'c'],
      ['a', 'c'],
    ],
  );
});
