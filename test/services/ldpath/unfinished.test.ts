import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finishedPart } from '../../../src/services/ldpath/unfinished.ts';

for (const [path, finished] of [
  ['', '.'],
  ['foaf:na', '.'],
  ['foaf:knows/', 'foaf:knows'],
  ['foaf:knows / foaf:na', 'foaf:knows'],
  ['a:b/c:d/e', 'a:b/c:d'],
  ['<http://xmlns.com/foaf/0.1/kno', '.'],
  ['<http://xmlns.com/foaf/0.1/knows>/<http://x/', '<http://xmlns.com/foaf/0.1/knows>'],
  ['a:b[c:d/e:f]/g', 'a:b[c:d/e:f]'],
  ['a:b[c:d/e', '.'],
  ['(a:b/c:d)+/x', '(a:b/c:d)+'],
  ['fn:concat("a/b", c:d)/x', 'fn:concat("a/b", c:d)'],
  ['"a\\"/b"/x', '"a\\"'],
  ['"a/\\"/x', '"a/\\"'],
  ["'a\\'/b'/x", "'a\\'/b'"],
  ["'''it's a/b'''/x", "'''it's a/b'''"],
  ["ex:o'clock/foaf:na", "ex:o'clock"],
  ['ex:a\\/b/x', 'ex:a\\/b'],
  ['a:b # no / step\n/ x', 'a:b # no / step'],
  ["'a/b'/x", "'a/b'"],
  ['"unfinished/', '.'],
  ['"unfinished\\', '.'],
  ['a:b /* no / step */ / x', 'a:b /* no / step */'],
  ['a:b/* open / ', '.'],
  ['/', '.'],
  ['a:b))/x', 'a:b))'],
] as const) {
  test(`the finished part of ${path} is ${finished}`, () => assert.equal(finishedPart(path), finished));
}

test('a long unfinished path is read in linear time', () => {
  for (const piece of ['<"', '<', '/*']) assert.equal(finishedPart(piece.repeat(1_000_000)), '.');
});
