import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callInThread } from '../support/in-thread.ts';
import type { ClusterCounts } from './cluster-counts.ts';

const RUNS = 200;
const BULK_RUNS = 12;

test('stores over one log are equal in everything, and have each acknowledged commit once', async () => {
  const counts = await callInThread<ClusterCounts>(
    'test/simulation/cluster-seeds',
    'runClusters',
    RUNS,
    BULK_RUNS,
  );
  for (const [what, count] of Object.entries(counts)) assert.ok(count > 1, `only ${count} ${what}`);
});
