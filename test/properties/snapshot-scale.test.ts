import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { openSnapshot, type SnapshotReader } from '../../src/snapshot/read/reader.ts';
import { carryOut } from '../../src/snapshot/runs/compact.ts';
import { planEdit, planMerge } from '../../src/snapshot/write/change-plan.ts';
import { SnapshotWriter } from '../../src/snapshot/write/snapshot-writer.ts';
import { type BlockQuad, blockOf } from '../snapshot/blocks.ts';

/**
 * Enough for ids of several digits, for distant subjects in small graphs, and for all levels at
 * their real limits.
 */
const SUBJECTS = 6000;
const GRAPHS = 12;

interface Round {
  readonly seed: number;
  readonly graph: number;
  readonly added: number;
  readonly removed: number;
  readonly compacted: boolean;
}

const round: fc.Arbitrary<Round> = fc.record({
  seed: fc.nat(),
  graph: fc.nat(GRAPHS - 1),
  added: fc.oneof(fc.nat(5), fc.nat(400), fc.nat(3000)),
  removed: fc.oneof(fc.nat(5), fc.nat(400)),
  compacted: fc.boolean(),
});

it('a snapshot of many terms and graphs equals a set of quads, through all levels', () => {
  fc.assert(
    fc.property(fc.array(round, { minLength: 8, maxLength: 25 }), (rounds) => {
      const writer = new SnapshotWriter();
      const graphs = Array.from({ length: GRAPHS }, () => new Map<string, BlockQuad>());
      rounds.forEach((each, i) => {
        change(writer, each, graphs[each.graph]!);
        writer.publish(i + 1);
        if (each.compacted) compactNow(writer);
      });
      const reader = openSnapshot(writer.descriptor);
      graphs.forEach((quads, i) => {
        assertGraph(reader, `<urn:g${i}>`, quads);
      });
    }),
    { numRuns: 10 },
  );
});

function change(
  writer: SnapshotWriter,
  { seed, graph, added, removed }: Round,
  quads: Map<string, BlockQuad>,
): void {
  const random = generator(seed);
  const additions = Array.from({ length: added }, () => quadOf(random));
  const removals = [...quads.values()].filter(() => random() < removed / quads.size);
  const name = `urn:g${graph}`;
  if (removals.length === 0) writer.apply(planMerge(writer, name, blockOf(additions), ''));
  else
    writer.apply(planEdit(writer, name, { additions: blockOf(additions), removals: blockOf(removals) }, ''));
  for (const quad of removals) quads.delete(keyOf(quad));
  for (const quad of additions) quads.set(keyOf(quad), quad);
}

function quadOf(random: () => number): BlockQuad {
  const pick = (count: number): number => Math.floor(random() * count);
  const predicate = `<urn:p${pick(9)}>`;
  // Squares, so that a few objects are very common.
  return {
    subject: `<urn:s${pick(SUBJECTS)}>`,
    predicate,
    object: `<urn:s${Math.floor(random() ** 2 * SUBJECTS)}>`,
  };
}

function keyOf({ subject, predicate, object }: BlockQuad): string {
  return `${subject} ${predicate} ${object}`;
}

function compactNow(writer: SnapshotWriter): void {
  const begun = writer.beginCompaction();
  assert.equal(writer.install(begun, carryOut(begun)), true);
}

function assertGraph(reader: SnapshotReader, name: string, quads: ReadonlyMap<string, BlockQuad>): void {
  const id = reader.find(name);
  assert.equal(reader.graphSize(id), quads.size);
  const cursor = reader.graphCursor(id);
  const found: string[] = [];
  while (cursor.next()) {
    const [subject, predicate, object] = [cursor.subject, cursor.predicate, cursor.object].map((term) =>
      reader.text(term),
    );
    found.push(`${subject} ${predicate} ${object}`);
  }
  assert.deepEqual(found.sort(), [...quads.keys()].sort());
  const view = reader.within([id]);
  for (const { subject, predicate, object } of [...quads.values()].slice(0, 200)) {
    const [s, p, o] = [subject, predicate, object].map((text) => reader.find(text)) as [
      number,
      number,
      number,
    ];
    const objects: number[] = [];
    const subjects: number[] = [];
    view.objects(s, p, objects);
    view.subjects(p, o, subjects);
    assert.ok(objects.includes(o) && subjects.includes(s) && view.has(s, p, o));
  }
}

/** A linear congruential generator; the numbers are below 1. */
function generator(seed: number): () => number {
  let state = seed | 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
