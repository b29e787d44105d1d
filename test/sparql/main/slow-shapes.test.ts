import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SlowShapes } from '../../../src/sparql/main/slow-shapes.ts';

test('shapes count as slow until they are evicted or were quick several times in a row', () => {
  let now = 1;
  const shapes = new SlowShapes({ now: () => now });
  shapes.add('ASK { <urn:a> ?p ?o }');
  assert.ok(shapes.has('ASK { <urn:b> ?p ?o }'));
  assert.ok(!shapes.has('ASK { ?s ?p ?o }'));
  for (let i = 0; i < 2; i++) shapes.noteQuick('ASK { <urn:c> ?p ?o }');
  assert.ok(shapes.has('ASK { <urn:a> ?p ?o }'));
  shapes.add('ASK { <urn:a> ?p ?o }');
  for (let i = 0; i < 3; i++) {
    assert.ok(shapes.has('ASK { <urn:a> ?p ?o }'));
    shapes.noteQuick('ASK { <urn:c> ?p ?o }');
  }
  assert.ok(!shapes.has('ASK { <urn:a> ?p ?o }'));
  shapes.add('ASK { <urn:a> ?p ?o }');
  now = 10 * 60_000;
  assert.ok(!shapes.has('ASK { <urn:a> ?p ?o }'));
});
