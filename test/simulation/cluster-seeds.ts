import { type ClusterCounts, newClusterCounts } from './cluster-counts.ts';
import { runCluster } from './cluster-run.ts';

/** Runs seeds from 1 on, some of them with many rows, and returns what happened in them. */
export async function runClusters(runs: number, bulkRuns: number): Promise<ClusterCounts> {
  const counts = newClusterCounts();
  for (let seed = 1; seed <= runs; seed++) await runClusterSeed(seed, counts);
  for (let seed = 1; seed <= bulkRuns; seed++) await runClusterSeed(seed, counts, true);
  return counts;
}

export async function runClusterSeed(seed: number, counts: ClusterCounts, bulk = false): Promise<void> {
  try {
    await runCluster(seed, counts, bulk);
  } catch (error) {
    throw new Error(`SEED=${seed} npm run test:sim`, { cause: error });
  }
}
