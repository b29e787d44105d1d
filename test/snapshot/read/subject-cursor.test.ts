import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SYSTEM_GRAPH } from '../../../src/snapshot/graphs/system-graph.ts';
import type { SnapshotReader } from '../../../src/snapshot/read/reader.ts';
import type { SubjectRange } from '../../../src/snapshot/read/subject-cursor.ts';
import { planEdit, planMerge } from '../../../src/snapshot/write/change-plan.ts';
import { defaultLimits, type LevelLimits } from '../../../src/snapshot/write/levels.ts';
import { SnapshotWriter } from '../../../src/snapshot/write/snapshot-writer.ts';
import { anyQuad, graphs, type TextQuad } from '../../contracts/path-graph.contract.ts';
import { blockOf } from '../blocks.ts';

const levels: readonly LevelLimits[] = [
  defaultLimits,
  { log: 0, recent: 10, deltas: 1000 },
  { log: 5, recent: 8, deltas: 20 },
  { log: 0, recent: 0, deltas: 0 },
];

function subjectsOf(reader: SnapshotReader, range: SubjectRange, from = 1): number[] {
  const cursor = reader.subjectsFrom(range, from);
  const found: number[] = [];
  while (cursor.next()) found.push(cursor.subject);
  return found;
}

/** Adds and removes the quads one after another; those of `removed` were added before. */
function readerOf(
  limits: LevelLimits,
  added: readonly TextQuad[],
  removed: readonly TextQuad[],
): SnapshotReader {
  const writer = new SnapshotWriter(undefined, limits);
  const none = blockOf([]);
  for (const quad of [...removed, ...added]) {
    const { graph, ...triple } = quad;
    writer.apply(planEdit(writer, graph.slice(1, -1), { additions: blockOf([triple]), removals: none }, 'x'));
  }
  for (const quad of removed) {
    const { graph, ...triple } = quad;
    writer.apply(planEdit(writer, graph.slice(1, -1), { additions: none, removals: blockOf([triple]) }, 'x'));
  }
  return writer.reader();
}

const key = (quad: TextQuad) =>
  [quad.subject, quad.predicate, quad.object, quad.graph].join(' ').toLowerCase();

test('subjects of all quads, of a predicate and an object, and of a graph are found from any id on, each once', () => {
  const quads = fc.array(anyQuad, { maxLength: 30, size: 'max' });
  fc.assert(
    fc.property(quads, quads, fc.constantFrom(...levels), fc.nat(12), (added, removed, limits, skipped) => {
      const reader = readerOf(limits, added, removed);
      const gone = new Set(removed.map(key));
      const left = added.filter((quad) => !gone.has(key(quad)));
      const expected = (holds: (quad: TextQuad) => boolean, from: number) => {
        const ids = new Set(left.filter(holds).map(({ subject }) => reader.find(subject)));
        return [...ids].filter((id) => id >= from).sort((x, y) => x - y);
      };
      const from = skipped + 1;
      assert.deepEqual(
        subjectsOf(reader, { kind: 'all' }, from),
        expected(() => true, from),
      );
      for (const graph of graphs) {
        const range: SubjectRange = { kind: 'graph', graph: reader.find(graph) };
        assert.deepEqual(
          subjectsOf(reader, range, from),
          expected((quad) => quad.graph === graph, from),
        );
      }
      for (const object of ['<urn:a>', '"größe"', '_:n1']) {
        const range: SubjectRange = {
          kind: 'object',
          predicate: reader.find('<urn:p>'),
          object: reader.find(object),
        };
        const holds = (quad: TextQuad) => quad.predicate === '<urn:p>' && quad.object === object;
        assert.deepEqual(subjectsOf(reader, range, from), expected(holds, from));
      }
    }),
  );
});

test('a subject with many quads is passed over, and those of the system graph are left out', () => {
  const writer = new SnapshotWriter();
  const rows = Array.from({ length: 5_000 }, (_, i) => ({
    subject: '<urn:hub>',
    predicate: '<urn:p>',
    object: `"${i}"`,
  }));
  const hidden = rows.map((row, i) => ({ ...row, subject: `<urn:hidden${i}>` }));
  writer.apply(planMerge(writer, SYSTEM_GRAPH, blockOf(hidden), 'x'));
  writer.apply(planMerge(writer, 'urn:g', blockOf(rows), 'x'));
  writer.apply(planMerge(writer, 'urn:g', blockOf([{ ...rows[0]!, subject: '<urn:last>' }]), 'x'));
  const reader = writer.reader();
  const expected = ['<urn:hub>', '<urn:last>'].map((text) => reader.find(text));
  assert.deepEqual(subjectsOf(reader, { kind: 'all' }), expected);
  const ofGraph = (name: string): SubjectRange => ({ kind: 'graph', graph: reader.find(name) });
  assert.deepEqual(subjectsOf(reader, ofGraph('<urn:g>')), expected);
  assert.deepEqual(subjectsOf(reader, ofGraph(`<${SYSTEM_GRAPH}>`)), []);
  assert.deepEqual(subjectsOf(reader, ofGraph('<urn:unknown>')), []);
});
