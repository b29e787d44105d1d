import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Permits } from '../../../src/pool/scheduling/permits.ts';

test('permits limit concurrent work, and admit waiting work in order, even after a failure', async () => {
  const permits = new Permits(2);
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const works = [0, 1, 2, 3].map((i) =>
    permits.hold(async () => {
      begun.push(i);
      await new Promise<void>((resolve) => {
        ends[i] = resolve;
      });
      if (i === 0) throw new Error('failed');
      return i;
    }),
  );
  assert.deepEqual(begun, [0, 1]);
  ends[0]!();
  await assert.rejects(works[0]!);
  assert.deepEqual(begun, [0, 1, 2]);
  ends[1]!();
  await works[1];
  assert.deepEqual(begun, [0, 1, 2, 3]);
  ends[2]!();
  ends[3]!();
  assert.deepEqual(await Promise.all(works.slice(1)), [1, 2, 3]);
});
