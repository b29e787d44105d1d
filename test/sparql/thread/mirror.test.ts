import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { newChangeFeed } from '../../../src/snapshot/feed/change-feed.ts';
import { Mirror } from '../../../src/sparql/thread/mirror.ts';
import type { GraphOperation } from '../../../src/store/main/transaction.ts';
import { SimDisk } from '../../simulation/sim-disk.ts';
import { blockOf } from '../../support/blocks.ts';
import { commit, drop, maintain, merge, openOn, replace } from '../../support/stores.ts';
import { expectedLines, linesIn, mirrorSettings, quadsOf, readerOf, UNNAMED } from '../engine/mirrors.ts';

const XSD = 'http://www.w3.org/2001/XMLSchema#';
const literals = [
  ...['1', '01', '+1', '2'].map((value) => `"${value}"^^<${XSD}integer>`),
  ...['1', '1.0', '1.50', '1.5'].map((value) => `"${value}"^^<${XSD}decimal>`),
  `"1"^^<${XSD}int>`,
  `"2026-01-01T00:00:00+00:00"^^<${XSD}dateTime>`,
  `"2026-01-01T00:00:00Z"^^<${XSD}dateTime>`,
  '"text\\n\\"quoted\\""',
  '"text"@en',
  '"text"@EN',
  '"text"@En-gb',
  // BCP 47 forbids this one, and so does Oxigraph in some places.
  '"text"@en-x',
];
const subject = fc.oneof(
  fc.nat(3).map((n) => `<urn:s${n}>`),
  fc.nat(2).map((n) => `_:b${n}`),
);
const object = fc.oneof(fc.constantFrom(...literals), subject);
const triple = fc.tuple(subject, fc.nat(1), object).map(([s, p, o]) => `${s} <urn:p${p}> ${o} .`);
const document = fc.oneof(
  { weight: 9, arbitrary: fc.array(triple, { maxLength: 12 }) },
  { weight: 1, arbitrary: fc.array(triple, { minLength: 64, maxLength: 90, size: 'max' }) },
);
const text = document.map((lines) => lines.join('\n'));
const graph = fc.constantFrom('urn:x:g0', 'urn:x:g1', UNNAMED);
const operation: fc.Arbitrary<() => GraphOperation> = fc.oneof(
  fc.tuple(graph, text).map(
    ([name, more]) =>
      () =>
        merge(name, more),
  ),
  fc.tuple(graph, text).map(
    ([name, more]) =>
      () =>
        replace(name, more),
  ),
  graph.map((name) => () => drop(name)),
  fc.tuple(graph, text, text).map(([name, more, less]) => () => {
    return { kind: 'edit', graph: name, additions: blockOf(more), removals: blockOf(less) } as const;
  }),
);
const step = fc.oneof(
  { weight: 8, arbitrary: fc.array(operation, { minLength: 1, maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constant('maintain' as const) },
  { weight: 3, arbitrary: fc.constant('follow' as const) },
);

test('after any commits, a filled instance and one that follows contain the snapshot', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
      const disk = new SimDisk({ seed: 1 });
      const changeFeed = newChangeFeed({ rows: 4096, commits: 64 });
      const store = await openOn(disk, { changeFeed });
      const mirror = Mirror.fill(readerOf(store), mirrorSettings);
      for (const given of [...steps, 'follow' as const]) {
        if (given === 'maintain') await maintain(store, disk);
        else if (given !== 'follow') await commit(store, ...given.map((make) => make()));
        else {
          const reader = readerOf(store);
          assert.ok(mirror.follow(reader, changeFeed));
          assert.deepEqual(linesIn(mirror), expectedLines(reader, mirror));
        }
      }
      const reader = readerOf(store);
      const filled = Mirror.fill(reader, mirrorSettings);
      assert.deepEqual(linesIn(filled), expectedLines(reader, filled));
      if (filled.isMerged) assert.ok(mirror.isMerged);
      for (const [, , object] of quadsOf(reader)) {
        assert.deepEqual([...mirror.spellings(object!)].sort(), [...filled.spellings(object!)].sort());
        assert.equal(mirror.spell(object!), filled.spell(object!));
      }
      await store.close();
    }),
    { numRuns: 60 },
  );
});

test('a triple that is added to a second graph in another spelling is merged', async () => {
  const changeFeed = newChangeFeed({ rows: 64, commits: 8 });
  const store = await openOn(new SimDisk({ seed: 1 }), { changeFeed });
  const written = (value: string) => `<urn:a> <urn:p> "${value}"^^<${XSD}integer> .`;
  await commit(store, merge('urn:x:g0', written('1')));
  const mirror = Mirror.fill(readerOf(store), mirrorSettings);
  await commit(store, merge('urn:x:g1', written('01')));
  const reader = readerOf(store);
  assert.ok(mirror.follow(reader, changeFeed));
  assert.ok(mirror.isMerged);
  assert.deepEqual(linesIn(mirror), expectedLines(reader, mirror));
  await store.close();
});

test('an instance reports that it fell behind the change feed', async () => {
  const changeFeed = newChangeFeed({ rows: 16, commits: 4 });
  const store = await openOn(new SimDisk({ seed: 1 }), { changeFeed });
  const mirror = Mirror.fill(readerOf(store), mirrorSettings);
  for (let i = 0; i < 5; i++) await commit(store, merge('urn:x:g0', `<urn:s${i}> <urn:p> <urn:o> .`));
  assert.equal(mirror.follow(readerOf(store), changeFeed), false);
  await store.close();
});

test('long terms of a commit are loaded one by one, and not as one text', async () => {
  const changeFeed = newChangeFeed({ rows: 4096, commits: 64 });
  const store = await openOn(new SimDisk({ seed: 1 }), { changeFeed });
  const mirror = Mirror.fill(readerOf(store), mirrorSettings);
  const lengths: number[] = [];
  const { load } = mirror.store;
  mirror.store.load = (text, options) => {
    lengths.push(text.length);
    load.call(mirror.store, text, options);
  };
  const long = `<urn:${'x'.repeat(2 ** 18)}>`;
  const lines = Array.from({ length: 100 }, (_, i) => `<urn:s${i}> <urn:p> ${long} .`);
  await commit(store, merge('urn:x:g0', lines.join('\n')));
  const reader = readerOf(store);
  assert.ok(mirror.follow(reader, changeFeed));
  assert.ok(lengths.every((length) => length < 2 ** 21));
  assert.equal(mirror.store.size, 100);
  await store.close();
});
