import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { entryFile, flagsOfFirstLine } from '../../../bench/measure/entry-file.ts';
import { projectFile } from '../../support/project.ts';

const packageFile = projectFile('package.json');

test('the server is measured with the flags of npm start', () => {
  const { scripts } = JSON.parse(readFileSync(packageFile, 'utf8')) as { scripts: Record<string, string> };
  const flags = flagsOfFirstLine(entryFile('src/main'));
  assert.deepEqual(flags, ['--v8-pool-size=1']);
  for (const name of ['start', 'eval']) {
    assert.ok(scripts[name]?.includes(`exec node ${flags.join(' ')} dist/src/main.js`), name);
  }
});

test('a program whose first line asks for nothing is run without flags', () => {
  assert.deepEqual(flagsOfFirstLine(entryFile('bench/main')), []);
});
