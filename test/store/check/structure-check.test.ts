import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { SnapshotDescriptor } from '../../../src/snapshot/descriptor.ts';
import { BaseRun } from '../../../src/snapshot/runs/base-run.ts';
import { compact } from '../../../src/snapshot/runs/compact.ts';
import { planLoad } from '../../../src/snapshot/write/change-plan.ts';
import { SnapshotWriter } from '../../../src/snapshot/write/snapshot-writer.ts';
import { structureDamages } from '../../../src/store/check/structure-check.ts';
import { type BlockQuad, blockOf } from '../../snapshot/blocks.ts';

const one = (letter: string, most: number) => fc.nat(most).map((i) => `<urn:${letter}${i}>`);
const quad: fc.Arbitrary<BlockQuad> = fc.record({
  subject: one('s', 6),
  predicate: one('p', 3),
  object: fc.oneof(
    one('s', 6),
    fc.nat(9).map((i) => `"${i}"`),
  ),
  graph: one('g', 2),
});
const someQuads = fc.array(quad, { minLength: 1, maxLength: 40 });

function snapshotOf(quads: readonly BlockQuad[], base: 'built' | 'changed'): SnapshotDescriptor {
  const writer = new SnapshotWriter();
  writer.apply(planLoad(writer, 'urn:g0', blockOf(quads), 'b'));
  const descriptor = writer.publish(1);
  return base === 'changed'
    ? descriptor
    : { ...descriptor, base: compact(descriptor), logCount: 0, deltas: [] };
}

test('snapshots of the writer pass the check, with and without deltas', () => {
  fc.assert(
    fc.property(someQuads, fc.constantFrom('built' as const, 'changed' as const), (quads, base) => {
      assert.deepEqual(structureDamages(snapshotOf(quads, base)), []);
    }),
    { numRuns: 50 },
  );
});

/**
 * Sections of a base run: from where to where, and what a word of them may be without leading out
 * of the run.
 */
function sectionsOf(base: BaseRun): readonly (readonly [from: number, to: number, most: number])[] {
  const { bySubject, byObject } = base;
  return [
    [bySubject.rows, bySubject.end, base.terms],
    [byObject.rows, byObject.end, base.terms],
    [base.graphIds, base.graphStarts, base.terms],
    [base.positions, base.predicateIds, base.quads - 1],
    [base.predicateIds, base.predicateCounts, base.terms],
    [base.predicateCounts, base.words.length, base.quads],
    // Where the quads of a term or a graph begin; the next one stays behind.
    [bySubject.offsets + 2, bySubject.rows - 1, base.quads],
    [byObject.offsets + 2, byObject.rows - 1, base.quads],
    [base.graphStarts + 1, base.positions - 1, base.quads],
  ];
}

test('a change of any word of a base run is found', () => {
  let changed = 0;
  fc.assert(
    fc.property(someQuads, fc.nat(8), fc.nat(), fc.nat(), (quads, section, place, value) => {
      const descriptor = snapshotOf(quads, 'built');
      const { words, ...base } = new BaseRun(descriptor.base);
      const [from, to, most] = sectionsOf({ words, ...base } as BaseRun)[section]!;
      fc.pre(to > from);
      const at = from + (place % (to - from));
      const isOffset = section > 5;
      const least = isOffset ? words[at - 1]! : section === 3 || section === 5 ? 0 : 1;
      const greatest = isOffset ? words[at + 1]! : most;
      const wrong = least + (value % (greatest - least + 1));
      fc.pre(wrong !== words[at]);
      words[at] = wrong;
      changed++;
      assert.notDeepEqual(structureDamages(descriptor), []);
    }),
    { numRuns: 500 },
  );
  assert.ok(changed > 100);
});

test('a quad of a graph that refers to the same triple in another graph is found', () => {
  const triple = { subject: '<urn:s>', predicate: '<urn:p>', object: '<urn:o>' };
  const descriptor = snapshotOf(
    [
      { ...triple, graph: '<urn:g0>' },
      { ...triple, graph: '<urn:g1>' },
    ],
    'built',
  );
  const { words, positions } = new BaseRun(descriptor.base);
  words[positions] = words[positions + 1]!;
  assert.deepEqual(structureDamages(descriptor), ['1 quads by graph refer to rows of other graphs']);
});

test('damaged and duplicate terms are reported', () => {
  const descriptor = snapshotOf(
    [{ subject: '<urn:s>', predicate: '<urn:p>', object: '"o"', graph: '<urn:g>' }],
    'built',
  );
  const arena = new Uint8Array(descriptor.dictionary.arena);
  const at = Buffer.from(arena).indexOf('"o"');
  arena[at + 2] = 'x'.charCodeAt(0);
  assert.match(structureDamages(descriptor).join(), /^1 terms are damaged or duplicated: "\\"ox/);
});
