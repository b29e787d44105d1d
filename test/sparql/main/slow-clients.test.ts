import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SlowClients } from '../../../src/sparql/main/slow-clients.ts';

test('a client counts as slow for a minute after several of its queries were moved', () => {
  let now = 1;
  const clients = new SlowClients({ now: () => now });
  assert.ok(!clients.hasRecords);
  for (let i = 0; i < 4; i++) clients.record('10.0.0.1');
  assert.ok(!clients.has('10.0.0.1'));
  clients.record('10.0.0.1');
  assert.deepEqual([clients.has('10.0.0.1'), clients.has('10.0.0.2')], [true, false]);
  now = 60_002;
  assert.ok(!clients.has('10.0.0.1'));
});

test("the server's own queries are not counted", () => {
  const clients = new SlowClients();
  for (let i = 0; i < 9; i++) clients.record('');
  assert.ok(!clients.has(''));
});
