import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { projectFile } from './support/project.ts';

const readme = read('README.md');

test("the README's two commands are there, and CI runs the second one", () => {
  assert.match(readme, /^npm ci && npm run demo$/m);
  assert.match(readme, /^npm ci && npm test$/m);
  assert.match(read('.ci/run'), /^npm ci .*\nnpm test$/m);
});

test("the README's scripts exist", () => {
  const { scripts } = JSON.parse(read('package.json'));
  const named = [...readme.matchAll(/npm (?:run )?(demo|test|start|dev|bench)\b/g)].map(([, name]) => name);
  assert.ok(named.length > 0);
  for (const name of named) assert.ok(name && name in scripts, name);
});

test('the README fits into about three screens', () => {
  assert.ok(readme.split('\n').length <= 130);
});

function read(file: string): string {
  return readFileSync(projectFile(file), 'utf8');
}
