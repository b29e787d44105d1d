/**
 * npm run test:sim: random runs until stopped. SEED=7 repeats one run; RUNS=100000 or SECONDS=3600
 * limits them. Without SEED, the first seed is the time, so each call runs new ones.
 */
import { newClusterCounts } from './cluster-counts.ts';
import { runCluster } from './cluster-run.ts';
import { newCounts, runSimulation } from './store-run.ts';

const { SEED, RUNS, SECONDS } = process.env;
const first = Number(SEED ?? Date.now() % 2 ** 31);
const runs = Number(RUNS ?? (SEED && !SECONDS ? 1 : Number.POSITIVE_INFINITY));
const until = performance.now() + 1000 * Number(SECONDS ?? Number.POSITIVE_INFINITY);
const counts = newCounts();
const clusterCounts = newClusterCounts();
let done = 0;
for (; done < runs && performance.now() < until; done++) {
  const seed = first + done;
  try {
    await runSimulation(seed, counts);
    await runSimulation(seed, counts, true);
    await runCluster(seed, clusterCounts, seed % 10 === 0);
  } catch (error) {
    console.error(`SEED=${seed} npm run test:sim\n`, error);
    process.exit(1);
  }
  if (done % 1000 === 999) console.log(`${done + 1} runs, the last with seed ${seed}`, counts, clusterCounts);
}
console.log(`${done} runs from seed ${first}`, counts, clusterCounts);
