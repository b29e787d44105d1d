import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runPathpool } from './support/server-process.ts';

test('help is written to standard output, with status 0', async () => {
  const { status, out, err } = await runPathpool(['--help']);
  assert.deepEqual([status, err], [0, '']);
  assert.match(out, /--port/);
});

test('what is wrong with the arguments is written to standard error, with status 2', async () => {
  const { status, out, err } = await runPathpool(['--nonsense']);
  assert.deepEqual([status, out], [2, '']);
  assert.match(err, /--nonsense/);
});
