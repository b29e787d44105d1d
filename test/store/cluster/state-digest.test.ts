import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StateDigest } from '../../../src/store/cluster/state-digest.ts';
import { SimDisk } from '../../simulation/sim-disk.ts';
import { commit, merge, openOn } from '../../support/stores.ts';

const quads: readonly (readonly [number, number, number, number])[] = [
  [1, 2, 3, 4],
  [1, 2, 3, 5],
  [4_294_967_295, 2, 1, 2_000_000_000],
];

test('a digest of the state is the same in every release', () => {
  const digest = new StateDigest();
  assert.equal(digest.text(0), '0.0.0000000000000000');
  for (const quad of quads) digest.add(...quad);
  assert.equal(digest.text(7), '3.7.476fb24e98370dfc');
});

test('it does not depend on the order in which quads were added and removed', () => {
  const [one, other] = [new StateDigest(), new StateDigest()];
  for (const quad of quads) one.add(...quad);
  other.add(9, 9, 9, 9);
  for (const quad of quads.toReversed()) other.add(...quad);
  other.remove(9, 9, 9, 9);
  assert.equal(one.text(7), other.text(7));
});

test('it depends on each column, and on the number of terms', () => {
  const texts = [
    [1, 2, 3, 4],
    [2, 1, 3, 4],
    [1, 2, 4, 3],
    [1, 3, 2, 4],
  ].map((quad) => {
    const digest = new StateDigest();
    digest.add(...(quad as [number, number, number, number]));
    return digest.text(4);
  });
  assert.equal(new Set(texts).size, 4);
  const digest = new StateDigest();
  assert.notEqual(digest.text(1), digest.text(2));
});

test('the digest of a snapshot covers all its runs', async () => {
  const store = await openOn(new SimDisk({ seed: 1 }));
  const before = StateDigest.of(store.snapshot).text(0);
  const rows = Array.from({ length: 600 }, (_, i) => `<urn:s> <urn:p> "${i}" .`).join('\n');
  await commit(store, merge('urn:x:g', rows));
  const between = StateDigest.of(store.snapshot);
  await commit(store, merge('urn:x:g', '<urn:s> <urn:p> "one more" .'));
  const after = StateDigest.of(store.snapshot);
  assert.equal(before, '0.0.0000000000000000');
  assert.match(between.text(0), /^600\./);
  assert.match(after.text(0), /^601\./);
  await store.close();
});
