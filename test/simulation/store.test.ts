import assert from 'node:assert/strict';
import { test } from 'node:test';
import { callInThread } from '../support/in-thread.ts';
import { runSeed } from './seed-runs.ts';
import { failedOnce } from './seeds.ts';
import { newCounts, type RunCounts } from './store-run.ts';

const RUNS = 2000;
const BULK_RUNS = 1000;

test('all acknowledged commits exist, no other exists partially, and Oxigraph reads the same data from the files', async () => {
  const counts = await callInThread<RunCounts>('test/simulation/seed-runs', 'runSeeds', RUNS, BULK_RUNS);
  for (const [what, count] of Object.entries(counts)) assert.ok(count > 20, `only ${count} ${what}`);
});

for (const [seed, found] of failedOnce) {
  test(`seed ${seed}: ${found}`, async () => {
    await runSeed(seed, newCounts());
    await runSeed(seed, newCounts(), true);
  });
}
