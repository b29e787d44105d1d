import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shapeOf } from '../../../src/sparql/main/query-shape.ts';

test('a shape is what a text is without its IRIs, strings, numbers, comments and white space', () => {
  const text = 'SELECT * { ?s <urn:p>  "a\\"b" . # why\n FILTER(?n < 10 && ?m > 1.5e3) }';
  const other = `select *\n{ ?s ex:other '''x\ny''' .  FILTER( ?n < 7 && ?m > 2) }`;
  assert.equal(shapeOf(text), shapeOf(other));
  assert.notEqual(shapeOf(text), shapeOf(text.replace('&&', '||')));
});

test('it does not matter how variables and blank nodes are called, but which are the same', () => {
  const text = '{ ?s <urn:p> ?t . _:b <urn:p> $t }';
  assert.equal(shapeOf(text), shapeOf('{ ?x <urn:p> ?y2 . _:c.d <urn:p> ?y2 }'));
  assert.notEqual(shapeOf(text), shapeOf(text.replace('?s', '?t')));
});

test('a string or a comment that is not closed is one part, up to its end', () => {
  assert.equal(shapeOf('ASK "a ?b'), shapeOf('ASK "c'));
  assert.equal(shapeOf("ASK '''a 'b' ?c\n"), shapeOf("ASK '''"));
  assert.equal(shapeOf(`ASK ${'#…#<'.repeat(2_000)}`), shapeOf('ASK'));
});
