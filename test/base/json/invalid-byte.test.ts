import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { firstInvalidByte } from '../../../src/base/json/invalid-byte.ts';

for (const [text, at] of [
  ['nonsense', 1],
  ['{"a": x}', 6],
  ['{"a" 1}', 5],
  ['{a: 1}', 1],
  ['{"a":1,}', 7],
  ['[1,]', 3],
  ['[,1]', 1],
  ['[1 2]', 3],
  ['[1}', 2],
  ['01', 1],
  ['-x', 1],
  ['1.e5', 2],
  ['tru]', 3],
  ['{} {}', 3],
  ['"a\nb"', 2],
  ['"\\x"', 2],
  ['"\\u12g4"', 5],
  ['\u00a0[]', 0],
  ['', 0],
  ['{"a": [1,', 9],
  ['"open', 5],
] as const) {
  test(`the error in ${JSON.stringify(text)} is at ${at}`, () => {
    assert.equal(errorAt(text), at);
  });
}

test('neither JSON nor a prefix of it has an error', () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), (text, cut) => {
      assert.equal(errorAt(text), text.length);
      const beginning = text.slice(0, cut % (text.length + 1));
      assert.equal(errorAt(beginning), beginning.length);
    }),
  );
});

test("the fault is where the language's own parser finds it, when that says where", () => {
  fc.assert(
    fc.property(fc.json(), fc.nat(), fc.constantFrom(...'{}[],:"\\-0.eEtu \n#'), (json, place, character) => {
      const at = place % (json.length + 1);
      const text = json.slice(0, at) + character + json.slice(at);
      const stated = parserFault(text);
      if (stated !== undefined) assert.equal(errorAt(text), stated, text);
    }),
  );
});

test('a deeply nested text is read', () => {
  assert.equal(errorAt('['.repeat(1_000_000)), 1_000_000);
});

/** The length of the text when it is JSON; undefined when the parser does not say. */
function parserFault(text: string): number | undefined {
  try {
    JSON.parse(text);
    return text.length;
  } catch (error) {
    const stated = /at position (\d+)/.exec((error as Error).message)?.[1];
    return stated === undefined ? undefined : Number(stated);
  }
}

/** In code units. */
function errorAt(text: string): number {
  const bytes = Buffer.from(text);
  return bytes.toString('utf8', 0, firstInvalidByte(bytes)).length;
}
