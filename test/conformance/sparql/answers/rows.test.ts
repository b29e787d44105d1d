import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Row, sameRows } from './rows.ts';
import { valueText } from './terms.ts';

const alike: readonly (readonly [string, readonly Row[], readonly Row[]])[] = [
  [
    'order and labels',
    [
      ['_:a', '1'],
      ['_:b', '2'],
    ],
    [
      ['_:a', '2'],
      ['_:x', '1'],
    ],
  ],
  ['a ring', ring(['_:a', '_:b', '_:c', '_:d']), ring(['_:4', '_:1', '_:3', '_:2'])],
  ['rows more than once', [['1'], ['1'], ['']], [['1'], [''], ['1']]],
];
const different: readonly (readonly [string, readonly Row[], readonly Row[]])[] = [
  ['one node for two', [['_:a'], ['_:b']], [['_:a'], ['_:a']]],
  ['two nodes for one', [['_:a', '_:a']], [['_:a', '_:b']]],
  ['how often a row is there', [['1'], ['1'], ['2']], [['1'], ['2'], ['2']]],
  [
    'two rings of three for one of six',
    [...ring(['_:a', '_:b', '_:c']), ...ring(['_:d', '_:e', '_:f'])],
    ring(['_:1', '_:2', '_:3', '_:4', '_:5', '_:6']),
  ],
  ['a label and a text', [['_:a']], [['"_:a"']]],
];

function ring(nodes: readonly string[]): Row[] {
  return nodes.map((node, at) => [node, nodes[(at + 1) % nodes.length]!]);
}

for (const [name, left, right] of alike) {
  test(`lists are equal: ${name}`, () => assert.ok(sameRows(left, right) && sameRows(right, left)));
}

for (const [name, left, right] of different) {
  test(`lists are different: ${name}`, () => assert.ok(!sameRows(left, right) && !sameRows(right, left)));
}

test('numbers of one datatype are compared by value, and other terms by their text', () => {
  const typed = (text: string, type: string) =>
    valueText(`"${text}"^^<http://www.w3.org/2001/XMLSchema#${type}>`);
  assert.equal(typed('01.0', 'decimal'), typed('1', 'decimal'));
  assert.equal(typed('1e3', 'double'), typed('1000.0E0', 'double'));
  assert.equal(typed('-0', 'integer'), typed('0', 'integer'));
  assert.equal(typed('1', 'boolean'), typed('true', 'boolean'));
  assert.notEqual(typed('1', 'integer'), typed('1', 'decimal'));
  assert.notEqual(typed('10', 'integer'), typed('1', 'integer'));
  assert.notEqual(typed('x', 'integer'), typed('y', 'integer'));
  assert.notEqual(valueText('"1"'), valueText('"01"'));
});
