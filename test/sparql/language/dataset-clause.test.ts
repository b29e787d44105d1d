import assert from 'node:assert/strict';
import { test } from 'node:test';
import { datasetClause } from '../../../src/sparql/language/dataset-clause.ts';

const BASE = 'http://base/x';

test('the graphs that a text names are told with their whole names', () => {
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

test('nothing is said where it names none, or where it takes more than tokens to tell', () => {
  for (const text of ['ASK {}', 'ASK FROM x:y {}', 'ASK FROM <\\u0061> {}', 'ASK FROM']) {
    assert.equal(datasetClause(text, BASE), undefined, text);
  }
});
