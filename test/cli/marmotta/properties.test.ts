import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readProperties } from '../../../src/cli/marmotta/properties.ts';

function read(text: string): Record<string, readonly string[]> {
  return Object.fromEntries(readProperties(text));
}

test('keys are separated from values by =, a colon or space, and comments are left out', () => {
  const text = '# a comment\n! another\n\na = 1\nb: 2\nc 3\nd=\n';
  assert.deepEqual(read(text), { a: ['1'], b: ['2'], c: ['3'], d: [''] });
});

test('escapes stand for characters, and a comma without a backslash separates values', () => {
  assert.deepEqual(read('p = a\\, \\"b\\" \\\\ \\u00E4\\n\\/end\nl = People, broken'), {
    p: ['a, "b" \\ ä\n/end'],
    l: ['People', 'broken'],
  });
});

test('a line goes on after a backslash at its end, and lines with the same key are a list', () => {
  assert.deepEqual(read('a = one \\\n   two\nb = x\\\\\nb = y\n'), { a: ['one two'], b: ['x\\', 'y'] });
});
