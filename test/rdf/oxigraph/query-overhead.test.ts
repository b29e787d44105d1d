import assert from 'node:assert/strict';
import { test } from 'node:test';
import { limitedOxigraph } from '../../../src/rdf/oxigraph/limited.ts';

const YEAR = 'SELECT (YEAR(NOW()) AS ?year) {}';
const DIMENSION =
  'SELECT (<http://www.opengis.net/def/function/geosparql/dimension>("POINT(1 2)"^^<http://www.opengis.net/ont/geosparql#wktLiteral>) AS ?n) {}';

test('queries have the clock and the GeoSPARQL functions, unless these are switched off', () => {
  const { oxigraph, memory, overhead } = limitedOxigraph(2 ** 28);
  const store = new oxigraph.Store();
  const ask = (query: string) => String(store.query(query, { results_format: 'csv' })).split('\r\n')[1];
  const asked = () => [ask(YEAR), ask(DIMENSION)];
  const before = asked();
  assert.equal(before[0], String(new Date().getUTCFullYear()));
  assert.equal(before[1], '0');
  overhead.leaveOut(() => {
    assert.equal(ask(YEAR), '1970');
    assert.throws(() => ask(DIMENSION), /custom function .* not supported/);
  });
  assert.deepEqual(asked(), before);
  const { buffer } = memory;
  memory.grow(1);
  assert.notEqual(memory.buffer, buffer);
  overhead.leaveOut(() => assert.throws(() => ask(DIMENSION)));
  assert.deepEqual(asked(), before);
  assert.throws(() => overhead.leaveOut(() => ask('x')));
  assert.deepEqual(asked(), before);
});
