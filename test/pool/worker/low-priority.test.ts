import assert from 'node:assert/strict';
import { getPriority } from 'node:os';
import { test } from 'node:test';
import { withLowPriority } from '../../../src/pool/worker/low-priority.ts';

test('a long job never has a higher priority than others, and its thread regains its priority', async () => {
  const before = getPriority(process.pid);
  assert.equal(
    await withLowPriority(async () => {
      assert.ok(getPriority(process.pid) >= before);
      return 'done';
    }),
    'done',
  );
  assert.equal(getPriority(process.pid), before);
  await assert.rejects(
    withLowPriority(() => {
      throw new Error('no');
    }),
    /^Error: no$/,
  );
  assert.equal(getPriority(process.pid), before);
});
