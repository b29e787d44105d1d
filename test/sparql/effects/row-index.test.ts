import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { QuadSet } from '../../../src/snapshot/runs/quad-set.ts';
import { RowIndex } from '../../../src/sparql/effects/row-index.ts';

const id = fc.integer({ min: 1, max: 4 });
const row = fc.tuple(id, id, id, id);

test('rows are found by graph and by triple after any sequence of additions and lookups', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(row, fc.boolean()), { maxLength: 700, size: 'max' }), (steps) => {
      const quads = new QuadSet();
      const index = new RowIndex(quads);
      const all = new Set<string>();
      for (const [quad, isAsked] of steps) {
        quads.add(...quad);
        all.add(quad.join());
        if (!isAsked) continue;
        const [s, p, o, g] = quad;
        const rows = Array.from(index.ofGraph(g), (number) => quads.at(number).join());
        assert.deepEqual(
          rows,
          [...all].filter((each) => each.endsWith(`,${g}`)),
        );
        const graphs = index.graphsOf(s, p, o).map((graph) => [s, p, o, graph].join());
        assert.deepEqual(graphs.sort(), [...all].filter((each) => each.startsWith(`${s},${p},${o},`)).sort());
      }
    }),
    { numRuns: 30 },
  );
});
