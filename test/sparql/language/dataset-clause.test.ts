import assert from 'node:assert/strict';
import { test } from 'node:test';
import { datasetClause } from '../../../src/sparql/language/dataset-clause.ts';

const BASE = 'http://base/x';

test('the graphs of FROM and FROM NAMED are returned as absolute IRIs', () => {
  const text = `BASE <http://other/> PREFIX p: <v#> PREFIX : <urn:>
    SELECT * FROM <a> FROM p:b\\-c FROM NAMED :d { ?from <urn:FROM> "FROM <e>" } # FROM <f>`;
  assert.deepEqual(datasetClause(text, BASE), {
    defaultGraphs: ['http://other/a', 'http://other/v#b-c'],
    namedGraphs: ['urn:d'],
  });
  assert.deepEqual(datasetClause('ASK FROM <a> {}', BASE), {
    defaultGraphs: ['http://base/a'],
    namedGraphs: [],
  });
});

test('datasetClause returns nothing without FROM, or if the tokens alone do not decide', () => {
  for (const text of ['ASK {}', 'ASK FROM x:y {}', 'ASK FROM <\\u0061> {}', 'ASK FROM']) {
    assert.equal(datasetClause(text, BASE), undefined, text);
  }
});
