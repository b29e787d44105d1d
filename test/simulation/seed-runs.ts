import { newCounts, type RunCounts, runSimulation } from './store-run.ts';

/** Runs seeds from 1 on, some of them with big writes, and returns what happened in them. */
export async function runSeeds(runs: number, bulkRuns: number): Promise<RunCounts> {
  const counts = newCounts();
  for (let seed = 1; seed <= runs; seed++) await runSeed(seed, counts);
  for (let seed = 1; seed <= bulkRuns; seed++) await runSeed(seed, counts, true);
  return counts;
}

export async function runSeed(seed: number, counts: RunCounts, bigWrites = false): Promise<void> {
  try {
    await runSimulation(seed, counts, bigWrites);
  } catch (error) {
    throw new Error(`SEED=${seed} npm run test:sim`, { cause: error });
  }
}
