import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { QuadSet } from '../../../src/snapshot/runs/quad-set.ts';

type Ids = readonly [number, number, number, number];

const id = fc.integer({ min: 1, max: 4 });
const quad = fc.tuple(id, id, id, id);
/** Adds so many quads, or looks for one. */
const step = fc.oneof(
  { weight: 3, arbitrary: fc.tuple(fc.constant('add' as const), fc.array(quad, { maxLength: 400 })) },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constant('has' as const), fc.array(quad, { minLength: 1, maxLength: 1 })),
  },
);

test('a set has each quad once in insertion order, whatever is read meanwhile', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 8 }), (steps) => {
      const set = new QuadSet();
      const model = new Map<string, Ids>();
      for (const [what, quads] of steps) {
        for (const ids of quads) {
          if (what === 'has') assert.equal(set.has(...ids), model.has(ids.join()));
          else set.add(...ids);
          if (what === 'add' && !model.has(ids.join())) model.set(ids.join(), ids);
        }
      }
      assert.equal(set.size, model.size);
      assert.deepEqual([...set.rows()], [...model.values()].flat());
    }),
  );
});

test('a large set has all its quads, even if they are added twice', () => {
  const count = 100_000;
  const set = new QuadSet();
  for (const _ of ['first', 'again']) {
    for (let i = 0; i < count; i++) set.add(i >>> 4, 7, i, 1);
  }
  assert.equal(set.size, count);
  for (let i = 0; i < count; i++) assert.ok(set.has(i >>> 4, 7, i, 1) && !set.has(i >>> 4, 8, i, 1));
});
