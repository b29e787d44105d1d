import assert from 'node:assert/strict';
import { test } from 'node:test';
import { agrees, requestedModel } from '../../../src/ldp/main/interaction-model.ts';
import type { LdpKind } from '../../../src/ldp/model/kinds.ts';
import { ldp } from '../../../src/ldp/model/vocabulary.ts';

function modelOf(...types: string[]) {
  const model = requestedModel(types);
  return model.ok ? model.value : model.error.code;
}

test('5.8, L-54: the most specific of the types asked for is the model', () => {
  assert.equal(modelOf(), null);
  assert.equal(modelOf(ldp.Resource), 'resource');
  assert.equal(modelOf(ldp.RDFSource, ldp.Resource), 'rdf-source');
  assert.equal(modelOf(ldp.Container), 'basic');
  assert.equal(modelOf(ldp.Resource, ldp.Container, ldp.DirectContainer), 'direct');
  assert.equal(modelOf(ldp.IndirectContainer, ldp.IndirectContainer), 'indirect');
  assert.equal(modelOf(ldp.BasicContainer, ldp.RDFSource), 'basic');
  assert.equal(modelOf(ldp.Resource, ldp.NonRDFSource), 'binary');
});

test('5.8: types that contradict each other, or are not models, are rejected', () => {
  assert.equal(modelOf(ldp.BasicContainer, ldp.DirectContainer), 'bad-interaction-model');
  assert.equal(modelOf(ldp.Container, ldp.NonRDFSource), 'bad-interaction-model');
  assert.equal(modelOf(ldp.RDFSource, ldp.NonRDFSource), 'bad-interaction-model');
  assert.equal(modelOf(ldp.Resource, 'http://example.org/Thing'), 'bad-interaction-model');
  assert.equal(modelOf(ldp.contains), 'bad-interaction-model');
});

test('L-55: a request agrees with the model that it would create', () => {
  const kinds: LdpKind[] = ['rdf-source', 'basic', 'direct', 'indirect', 'binary', 'description'];
  const agreeing = (requested: Parameters<typeof agrees>[0]) =>
    kinds.filter((kind) => agrees(requested, kind));
  assert.deepEqual(agreeing(null), kinds);
  assert.deepEqual(agreeing('resource'), ['rdf-source', 'binary', 'description']);
  assert.deepEqual(agreeing('rdf-source'), ['rdf-source', 'description']);
  assert.deepEqual(agreeing('direct'), ['direct']);
  assert.deepEqual(agreeing('binary'), ['binary']);
});
