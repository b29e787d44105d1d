import assert from 'node:assert/strict';
import test from 'node:test';
import { answer, evaluation, fakePool } from './fixtures/fake-pool.ts';

test('an evaluation is answered', async () => {
  const { pool } = fakePool(1);
  assert.equal(await answer(pool.evaluate(evaluation('echo'))), 'echo');
  await pool.close(0);
});
