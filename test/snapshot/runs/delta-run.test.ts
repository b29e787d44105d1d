import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildDelta } from '../../../src/snapshot/runs/delta-builder.ts';
import { ID_MASK, REMOVED } from '../../../src/snapshot/runs/order.ts';
import { sortQuads } from '../../../src/snapshot/runs/sorted-quads.ts';

/** The first terms are known; the others have ids from `known + 1 + by` on. */
function someRows(known: number, by: number): Uint32Array {
  const rows = new Uint32Array(4 * 500);
  for (let i = 0; i < rows.length; i++) {
    const id = 1 + ((i * 7919) % 60);
    rows[i] = id > known ? id + by : id;
  }
  for (let i = 3; i < rows.length; i += 20) rows[i]! |= REMOVED;
  return rows;
}

for (const by of [0, 1, 100_000]) {
  test(`a run whose new ids are moved by ${by} is the run of the rows with these ids`, () => {
    const run = buildDelta(sortQuads(someRows(40, 0)))!;
    run.moveIds(40, by);
    const expected = buildDelta(sortQuads(someRows(40, by)))!;
    assert.deepEqual(run.words, expected.words);
    assert.ok(run.quads > 0 && run.words.some((word) => (word & ID_MASK) > 40 + by));
  });
}
