import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../fixtures/growing-main.ts', import.meta.url));

// In a process of its own, since V8's settings are for all of its threads.
test('the memory of the main thread for new objects does not grow any more once a pool thread is there', () => {
  const output = execFileSync(process.execPath, ['--import', 'tsx', program], { encoding: 'utf8' });
  assert.deepEqual(JSON.parse(output), { described: true, grown: false });
});
