import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { scriptArguments } from '../../support/project.ts';

// In a separate process, since V8's settings apply to all threads of a process.
test('the young generation of the main thread does not grow once a pool thread exists', () => {
  const output = execFileSync(process.execPath, scriptArguments('test/pool/fixtures/growing-main'), {
    encoding: 'utf8',
  });
  assert.deepEqual(JSON.parse(output), { described: true, grown: false });
});
