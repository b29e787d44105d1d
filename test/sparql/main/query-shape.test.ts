import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SlowShapes, shapeOf } from '../../../src/sparql/main/query-shape.ts';

test('a shape is what a text is without its IRIs, strings, numbers, comments and white space', () => {
  const text = 'SELECT * { ?s <urn:p>  "a\\"b" . # why\n FILTER(?n < 10 && ?m > 1.5e3) }';
  const other = `SELECT *\n{ ?s <urn:other> '''x\ny''' .  FILTER(?n < 7 && ?m > 2) }`;
  assert.equal(shapeOf(text), shapeOf(other));
  assert.notEqual(shapeOf(text), shapeOf(text.replace('?s', '?t')));
});

test('shapes are known as slow until they are forgotten, or prove otherwise', () => {
  let now = 1;
  const shapes = new SlowShapes({ now: () => now });
  shapes.add('ASK { <urn:a> ?p ?o }');
  assert.ok(shapes.has('ASK { <urn:b> ?p ?o }'));
  assert.ok(!shapes.has('ASK { ?s ?p ?o }'));
  shapes.delete('ASK { <urn:c> ?p ?o }');
  assert.ok(!shapes.has('ASK { <urn:a> ?p ?o }'));
  shapes.add('ASK { <urn:a> ?p ?o }');
  now = 10 * 60_000;
  assert.ok(!shapes.has('ASK { <urn:a> ?p ?o }'));
});
