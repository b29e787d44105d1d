import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type GraphInfo, GraphTable } from '../../../src/snapshot/graphs/table.ts';
import { WorkingGraphs } from '../../../src/store/graphs/working-graphs.ts';

const info: GraphInfo = { size: 1, sequence: 1, modified: 1, since: 1 };
const changes: readonly (readonly [name: string, info: GraphInfo | null])[] = [
  ['a', info],
  ['b', info],
  ['a', null],
  ['c', info],
  ['a', info],
  ['d', info],
  ['d', null],
  ['e', info],
  ['d', info],
  ['c', null],
];

test('the order of graphs does not depend on how many changes are published together', () => {
  for (const together of [1, 2, 3, 5, 10]) {
    const table = new GraphTable();
    const copy = new GraphTable();
    const graphs = new WorkingGraphs(table);
    changes.forEach(([name, row], index) => {
      graphs.set(name, row);
      if (index % together === together - 1) copy.apply(graphs.publish());
    });
    copy.apply(graphs.publish());
    assert.deepEqual(
      Array.from(table.entries(), ([name]) => name),
      ['b', 'a', 'e', 'd'],
    );
    assert.deepEqual([...copy.entries()], [...table.entries()]);
  }
});
