import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { serializeRdf } from '../../src/rdf/formats/serialize-quads.ts';
import type { QuadCursor } from '../../src/rdf/model/quad-cursor.ts';
import { openSnapshot, type SnapshotReader } from '../../src/snapshot/read/reader.ts';
import { planEdit, planMerge } from '../../src/snapshot/write/change-plan.ts';
import { SnapshotWriter } from '../../src/snapshot/write/snapshot-writer.ts';
import { type BlockQuad, blockOf } from '../snapshot/blocks.ts';

const GRAPH = 'urn:x:graph';

/** Long ones fill a chunk with few rows, and longer ones its memory with one. */
const term = fc
  .record({
    name: fc.constantFrom('', 'a', 'é', '😀\u007f', 'name'),
    repeats: fc.constantFrom(0, 1, 9, 900, 20_000),
  })
  .map(({ name, repeats }) => `<urn:${name.repeat(repeats)}>`);
const triple: fc.Arbitrary<BlockQuad> = fc.record({ subject: term, predicate: term, object: term });
const triples = fc.array(triple, { maxLength: 40, size: 'max' });

/** The row of each quad, written plainly. */
function rowsOf(reader: SnapshotReader, cursor: QuadCursor, graph: string): string {
  let rows = '';
  while (cursor.next()) {
    const terms = [cursor.subject, cursor.predicate, cursor.object].map((id) => reader.text(id));
    rows += `${terms.join(' ')}${graph} .\n`;
  }
  return rows;
}

function assertWritten(reader: SnapshotReader): void {
  const graph = reader.find(`<${GRAPH}>`);
  for (const [mediaType, name] of [
    ['application/n-triples', ''],
    ['application/n-quads', ` <${GRAPH}>`],
  ] as const) {
    const written = Buffer.concat([...serializeRdf(reader.graphCursor(graph), { mediaType })]).toString();
    assert.ok(written === rowsOf(reader, reader.graphCursor(graph), name), mediaType);
  }
}

it('N-Triples and N-Quads have every row whole, from a base run and with changes over it', () => {
  fc.assert(
    fc.property(triples, triples, triples, (first, added, removed) => {
      const writer = new SnapshotWriter(undefined, { log: 5, recent: 5, deltas: 0 });
      writer.apply(planMerge(writer, GRAPH, blockOf(first), ''));
      writer.publish(1);
      assertWritten(openSnapshot(writer.descriptor));
      const removals = [...removed, ...first.slice(0, 5)];
      writer.apply(planEdit(writer, GRAPH, { additions: blockOf(added), removals: blockOf(removals) }, ''));
      writer.publish(2);
      assertWritten(openSnapshot(writer.descriptor));
    }),
    { numRuns: 50 },
  );
});
