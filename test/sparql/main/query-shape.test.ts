import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shapeOf } from '../../../src/sparql/main/query-shape.ts';

test('a shape is the text without IRIs, strings, numbers, comments and white space', () => {
  const text = 'SELECT * { ?s <urn:p>  "a\\"b" . # why\n FILTER(?n < 10 && ?m > 1.5e3) }';
  const other = `select *\n{ ?s ex:other '''x\ny''' .  FILTER( ?n < 7 && ?m > 2) }`;
  assert.equal(shapeOf(text), shapeOf(other));
  assert.notEqual(shapeOf(text), shapeOf(text.replace('&&', '||')));
});

test('a shape does not depend on the names of variables and blank nodes, only on their identity', () => {
  const text = '{ ?s <urn:p> ?t . _:b <urn:p> $t }';
  assert.equal(shapeOf(text), shapeOf('{ ?x <urn:p> ?y2 . _:c.d <urn:p> ?y2 }'));
  assert.notEqual(shapeOf(text), shapeOf(text.replace('?s', '?t')));
});

test('an unclosed string or comment extends to the end of the text', () => {
  assert.equal(shapeOf('ASK "a ?b'), shapeOf('ASK "c'));
  assert.equal(shapeOf("ASK '''a 'b' ?c\n"), shapeOf("ASK '''"));
  assert.equal(shapeOf(`ASK ${'#…#<'.repeat(2_000)}`), shapeOf('ASK'));
});
