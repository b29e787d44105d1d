import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { LDP_GRAPH } from '../../../src/snapshot/graphs/system-graph.ts';
import type { GraphInfo } from '../../../src/snapshot/graphs/table.ts';
import { datasetState, isInDataset } from '../../../src/store/registry/dataset-state.ts';

const scope = { ldpSpace: 'http://e/ldp' };

test('system graphs and graphs of LDP resources are not in the data set', () => {
  for (const name of ['urn:x-pathpool:system', LDP_GRAPH, 'http://e/ldp', 'http://e/ldp/a/b']) {
    assert.equal(isInDataset(name, scope), false, name);
  }
  for (const name of ['urn:g', 'http://e/ldpx', 'http://e/context/default', 'http://other/ldp/a']) {
    assert.equal(isInDataset(name, scope), true, name);
  }
});

const name = fc.constantFrom('urn:a', 'urn:b', 'urn:c', 'http://e/ldp/x');
const change = fc.record({
  written: fc.uniqueArray(name, { maxLength: 2 }),
  dropped: fc.uniqueArray(name, { maxLength: 2 }),
});

test('two states are equal only for equal data sets', () => {
  fc.assert(
    fc.property(fc.array(change, { maxLength: 30 }), (changes) => {
      const rows = new Map<string, GraphInfo>();
      const seen = new Map<string, string>();
      changes.forEach(({ written, dropped }, index) => {
        const sequence = index + 1;
        for (const each of written)
          rows.set(each, { size: 1, sequence, modified: sequence, since: sequence });
        for (const each of dropped) rows.delete(each);
        const { state, graphs } = datasetState(rows, scope, (commit) => `s${commit}`);
        const content = JSON.stringify(graphs.map((graph) => [graph, rows.get(graph)?.sequence]).sort());
        assert.equal(seen.get(state) ?? content, content);
        seen.set(state, content);
      });
    }),
  );
});
