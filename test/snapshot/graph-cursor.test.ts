import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { QUAD_WORDS } from '../../src/rdf/model/quad-rows.ts';
import { openSnapshot, type SnapshotReader } from '../../src/snapshot/read/reader.ts';
import { planEdit } from '../../src/snapshot/write/change-plan.ts';
import { SnapshotWriter } from '../../src/snapshot/write/snapshot-writer.ts';
import { type BlockQuad, blockOf } from './blocks.ts';

const GRAPH = 'urn:x:graph';
const OTHER = 'urn:x:other';

const term = fc.nat(12).map((i) => `<urn:x:${i}>`);
const triple: fc.Arbitrary<BlockQuad> = fc.record({ subject: term, predicate: term, object: term });
const triples = fc.array(triple, { maxLength: 200, size: 'max' });
const change = fc.record({ graph: fc.constantFrom(GRAPH, OTHER), additions: triples, removals: triples });

function oneByOne(reader: SnapshotReader, graph: string): number[] {
  const cursor = reader.graphCursor(reader.find(`<${graph}>`));
  const words: number[] = [];
  while (cursor.next()) words.push(cursor.subject, cursor.predicate, cursor.object, cursor.graph);
  return words;
}

/** `first` quads are taken one by one before. */
function manyAtATime(reader: SnapshotReader, graph: string, quads: number, first: number): number[] {
  const cursor = reader.graphCursor(reader.find(`<${graph}>`));
  const words: number[] = [];
  for (let i = 0; i < first && cursor.next(); i++) {
    words.push(cursor.subject, cursor.predicate, cursor.object, cursor.graph);
  }
  const into = new Uint32Array(quads * QUAD_WORDS);
  for (let end = cursor.read!(into); end > 0; end = cursor.read!(into)) words.push(...into.subarray(0, end));
  return words;
}

it('a graph read in blocks has the same quads as read one by one, whatever runs they are in', () => {
  const limits = fc.record({ log: fc.nat(60), recent: fc.nat(60), deltas: fc.nat(300) });
  const history = fc.array(change, { minLength: 1, maxLength: 6 });
  fc.assert(
    fc.property(
      limits,
      history,
      fc.integer({ min: 1, max: 20 }),
      fc.nat(3),
      (sizes, changes, quads, first) => {
        const writer = new SnapshotWriter(undefined, sizes);
        changes.forEach(({ graph, additions, removals }, i) => {
          writer.apply(
            planEdit(writer, graph, { additions: blockOf(additions), removals: blockOf(removals) }, ''),
          );
          const reader = openSnapshot(writer.publish(i + 1));
          for (const each of [GRAPH, OTHER]) {
            assert.deepEqual(manyAtATime(reader, each, quads, first), oneByOne(reader, each));
          }
        });
      },
    ),
    { numRuns: 200 },
  );
});
