import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fakePool, importInfo, parseRequest } from './fixtures/fake-pool.ts';

test('a small document is read while a heavy job has the only thread that heavy jobs may have', async (t) => {
  const { pool, gates } = fakePool(t, 2);
  const gate = gates.add();
  const heavy = pool.parse(parseRequest(`hold ${gate}`), importInfo);
  await gates.entered(gate);
  const small = await pool.parse({ ...parseRequest('echo'), gzip: false }, importInfo);
  assert.ok(small.ok);
  gates.open(gate);
  assert.ok((await heavy).ok);
});
