import assert from 'node:assert/strict';
import { test } from 'node:test';
import { StoreClient } from '../../../src/store/main/client.ts';
import { merge } from '../../support/stores.ts';

/** Transactions that are told apart at one time. */
const SLOTS = 1024;

test('an acknowledged transaction cannot be cancelled, and does not affect the next one of its slot', async (t) => {
  const memory = { directory: null, journalMax: 2 ** 30, dataMax: 2 ** 31, recover: false };
  const store = await StoreClient.open({ ...memory, notice: () => {} });
  t.after(() => store.close());
  const begin = (match: '*' | undefined, value: number) =>
    store.beginCommit({
      preconditions: match ? [{ graph: 'urn:x:none', match }] : [],
      operations: [merge('urn:x:g', `<urn:s> <urn:p> "${value}" .`)],
    });
  const refused = begin('*', 0);
  assert.equal((await refused.result).ok, false);
  assert.equal(refused.cancel(), false, 'it was refused');
  const others = Array.from({ length: SLOTS }, (_, i) => begin(undefined, i));
  assert.equal(refused.cancel(), false, 'another one has its slot');
  const results = await Promise.all(others.map(({ result }) => result));
  assert.ok(results.every(({ ok }) => ok));
  for (const commit of [refused, ...others]) assert.equal(commit.cancel(), false);
});
