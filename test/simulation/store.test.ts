import assert from 'node:assert/strict';
import { test } from 'node:test';
import { failedOnce } from './seeds.ts';
import { newCounts, runSimulation } from './store-run.ts';

const RUNS = 2000;
const BULK_RUNS = 1000;

test('all acknowledged commits exist, no other exists partially, and Oxigraph reads the same data from the files', async () => {
  const counts = newCounts();
  for (let seed = 1; seed <= RUNS; seed++) await runSeed(seed, counts);
  for (let seed = 1; seed <= BULK_RUNS; seed++) await runSeed(seed, counts, true);
  for (const [what, count] of Object.entries(counts)) assert.ok(count > 20, `only ${count} ${what}`);
});

for (const [seed, found] of failedOnce) {
  test(`seed ${seed}: ${found}`, async () => {
    await runSeed(seed, newCounts());
    await runSeed(seed, newCounts(), true);
  });
}

async function runSeed(seed: number, counts: ReturnType<typeof newCounts>, bigWrites = false): Promise<void> {
  try {
    await runSimulation(seed, counts, bigWrites);
  } catch (error) {
    throw new Error(`SEED=${seed} npm run test:sim`, { cause: error });
  }
}
