import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { withoutUnusedTerms } from '../../../src/snapshot/dictionary/unused-terms.ts';
import type { SnapshotReader } from '../../../src/snapshot/read/reader.ts';
import { compact } from '../../../src/snapshot/runs/compact.ts';
import { planEdit, planLoad } from '../../../src/snapshot/write/change-plan.ts';
import { SnapshotWriter, type StoredSnapshot } from '../../../src/snapshot/write/snapshot-writer.ts';
import { type BlockQuad, blockOf } from '../blocks.ts';

const one = (letter: string, most: number) => fc.nat(most).map((i) => `<${letter}${i}>`);
const quad: fc.Arbitrary<BlockQuad> = fc.record({
  subject: one('s', 12),
  predicate: one('p', 4),
  object: fc.oneof(
    one('s', 12),
    fc.nat(30).map((i) => `"${i}"`),
  ),
  graph: one('g', 2),
});

/** What an image of the newest state would bring back. */
function storedOf(writer: SnapshotWriter): StoredSnapshot {
  const { descriptor } = writer;
  const { termCount, arena, ends } = descriptor.dictionary;
  return { sequence: descriptor.sequence, termCount, arena, ends, base: compact(descriptor) };
}

/** All that the orders of a base run can tell, as text. */
function contentOf(reader: SnapshotReader): string[] {
  const rows: string[] = [];
  const terms = Array.from({ length: reader.terms.termCount }, (_, i) => i + 1);
  const read = (cursor: ReturnType<SnapshotReader['allQuads']>, name: string) => {
    while (cursor.next()) {
      const { subject, predicate, object, graph } = cursor;
      rows.push([name, ...[subject, predicate, object, graph].map((id) => reader.text(id))].join(' '));
    }
  };
  read(reader.allQuads(), 'all');
  for (const id of terms) {
    read(reader.subjectCursor(id), 'subject');
    read(reader.objectCursor(id), 'object');
    read(reader.graphCursor(id), 'graph');
    if (reader.isPredicate(id)) rows.push(`predicate ${reader.text(id)}`);
    if (reader.graphSize(id) > 0) rows.push(`size ${reader.text(id)} ${reader.graphSize(id)}`);
  }
  return rows;
}

function termsOf(reader: SnapshotReader): string[] {
  return Array.from({ length: reader.terms.termCount }, (_, i) => reader.text(i + 1));
}

test('a state without its unused terms has the same quads in the same order, and changes in the same way', () => {
  const histories = fc.array(fc.array(quad, { maxLength: 12 }), { minLength: 1, maxLength: 8 });
  fc.assert(
    fc.property(histories, fc.array(quad, { maxLength: 12 }), (history, later) => {
      const writer = new SnapshotWriter();
      let before: readonly BlockQuad[] = [];
      for (const [i, quads] of history.entries()) {
        writer.apply(planLoad(writer, 'g0', blockOf(quads), ''));
        for (const { graph, ...triple } of before) {
          writer.apply(
            planEdit(
              writer,
              graph!.slice(1, -1),
              { additions: blockOf([]), removals: blockOf([triple]) },
              '',
            ),
          );
        }
        writer.publish(i + 1);
        before = quads;
      }
      const dropping = new SnapshotWriter(withoutUnusedTerms(storedOf(writer), 0));
      const [all, kept] = [termsOf(writer.reader()), termsOf(dropping.reader())];
      assert.deepEqual(
        kept,
        all.filter((term) => kept.includes(term)),
      );
      assert.deepEqual(contentOf(dropping.reader()), contentOf(writer.reader()));
      for (const each of [writer, dropping]) each.apply(planLoad(each, 'g0', blockOf(later), ''));
      assert.deepEqual(contentOf(dropping.reader()).sort(), contentOf(writer.reader()).sort());
    }),
    { numRuns: 300 },
  );
});

test('unused terms are dropped when they are many and at least half of all', () => {
  const writer = new SnapshotWriter();
  const values = (from: number, count: number) =>
    blockOf(
      Array.from({ length: count }, (_, i) => ({
        subject: '<s>',
        predicate: '<p>',
        object: `"${from + i}"`,
      })),
    );
  writer.apply(planLoad(writer, 'g', values(0, 100), ''));
  writer.apply(planEdit(writer, 'g', { additions: blockOf([]), removals: values(0, 60) }, ''));
  writer.publish(1);
  const stored = storedOf(writer);
  assert.equal(withoutUnusedTerms(stored).termCount, stored.termCount);
  assert.equal(withoutUnusedTerms(stored, 61).termCount, stored.termCount);
  assert.equal(withoutUnusedTerms(stored, 60).termCount, stored.termCount - 60);
  writer.apply(planLoad(writer, 'g', values(100, 40), ''));
  writer.publish(2);
  assert.equal(withoutUnusedTerms(storedOf(writer), 0).termCount, stored.termCount + 40);
});
