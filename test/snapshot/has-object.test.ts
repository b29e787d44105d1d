import assert from 'node:assert/strict';
import { test } from 'node:test';
import { planEdit, planMerge } from '../../src/snapshot/write/change-plan.ts';
import type { LevelLimits } from '../../src/snapshot/write/levels.ts';
import { defaultLimits } from '../../src/snapshot/write/levels.ts';
import { SnapshotWriter } from '../../src/snapshot/write/snapshot-writer.ts';
import { blockOf } from '../support/blocks.ts';

const levels: [name: string, limits: LevelLimits][] = [
  ['log', defaultLimits],
  ['deltas', { log: 0, recent: 10, deltas: 1000 }],
  ['base', { log: 0, recent: 0, deltas: 0 }],
];

for (const [name, limits] of levels) {
  test(`a subject has an object for a predicate as long as a visible graph contains one (${name})`, () => {
    const writer = new SnapshotWriter(undefined, limits);
    const rows = ['1', '2', '3'].map((value) => `<urn:s> <urn:p> "${value}" .`);
    writer.apply(planMerge(writer, 'urn:g', blockOf(rows.join('\n')), 'a'));
    writer.apply(planMerge(writer, 'urn:h', blockOf('<urn:s> <urn:q> "1" .'), 'b'));
    const has = (predicate: string, graph?: string) => {
      const reader = writer.reader();
      const view = graph ? reader.within([reader.find(graph)]) : reader;
      return view.hasObject(reader.find('<urn:s>'), reader.find(predicate));
    };
    assert.deepEqual(
      [has('<urn:p>'), has('<urn:p>', '<urn:g>'), has('<urn:p>', '<urn:h>'), has('<urn:none>')],
      [true, true, false, false],
    );
    for (const row of rows) {
      assert.equal(has('<urn:p>'), true);
      writer.apply(planEdit(writer, 'urn:g', { additions: blockOf(''), removals: blockOf(row) }, 'c'));
    }
    assert.deepEqual([has('<urn:p>'), has('<urn:q>'), has('<urn:q>', '<urn:h>')], [false, true, true]);
  });
}
