import assert from 'node:assert/strict';
import { test } from 'node:test';
import { positionAfter, positionOfByte } from '../../../src/rdf/formats/position.ts';

const bytes = (text: string) => Buffer.from(text);

test('a byte has the line and column that an editor shows', () => {
  for (const [text, offset, line, column] of [
    ['', 0, 1, 1],
    ['ab', 1, 1, 2],
    ['ab', 2, 1, 3],
    ['a\nb', 1, 1, 2],
    ['a\nb', 2, 2, 1],
    ['a\rb', 2, 2, 1],
    ['a\r\nb', 2, 1, 3],
    ['a\r\nb', 3, 2, 1],
    ['\n\nb', 2, 3, 1],
    ['\r\rb', 2, 3, 1],
    ['\n\rb', 2, 3, 1],
    ['\u00e9b', 2, 1, 2],
    ['\u{1f600}b', 4, 1, 3],
    ['\ufeffb', 3, 1, 2],
  ] as const) {
    assert.deepEqual(positionOfByte(bytes(text), offset), { line, column }, JSON.stringify([text, offset]));
  }
});

test('the next token after a column is found after white space', () => {
  for (const [text, line, after, column] of [
    ['ab cd', 1, 2, 4],
    ['ab cd', 1, 0, 1],
    ['ab \t cd', 1, 2, 6],
    ['x\nab cd', 2, 2, 4],
    ['x\rab cd', 2, 2, 4],
    ['x\r\nab cd', 2, 2, 4],
    ['\nab cd', 2, 2, 4],
    ['\n\nab cd', 3, 2, 4],
    ['\r\r\nab cd', 3, 2, 4],
    ['\n\r\nab cd', 3, 2, 4],
    ['x\ny\nab cd', 3, 2, 4],
    ['ab  ', 1, 2, 5],
    ['ab  \n cd', 1, 2, 5],
    ['\u00e9\u00e9 cd', 1, 2, 4],
    ['x', 2, 0, 1],
    ['x\n', 2, 0, 1],
  ] as const) {
    const found = positionAfter(bytes(text), line, after);
    assert.deepEqual(found, { line, column }, JSON.stringify([text, line, after]));
  }
});
