import { setTimeout as wait } from 'node:timers/promises';
import { LOG, type LocalCluster } from '../../cluster/local-cluster.ts';
import { Traffic } from '../../cluster/traffic.ts';
import type { Figure } from '../../report/figure.ts';
import type { Stage } from '../../stage.ts';
import { roundsOf } from './bench-cluster.ts';

const CLIENTS = 8;
/** Longer than any fail-over, so that a write that waits for it is counted when it ends. */
const PATIENCE_MS = 30_000;
/** Acknowledged writes before the kill; and after it, which shows that writes go on. */
const WRITES = 100;
/** Another pause may follow the first one, when leaders of other streams were lost too. */
const AFTERWARDS_MS = 3000;

type Victim = 'holder' | 'log-leader';

const NAMES: Readonly<Record<Victim, string>> = {
  holder: 'the process that holds the lease',
  'log-leader': 'the log server that leads',
};

/** How long no write is acknowledged after a kill -9, while clients write through all processes. */
export async function benchFailOver(stage: Stage, cluster: LocalCluster): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const victim of ['holder', 'log-leader'] as const) {
    const values: number[] = [];
    for (let round = 0; round < roundsOf(stage); round++) {
      values.push(await outageSeconds(cluster, victim, round));
    }
    figures.push({
      id: `cluster.fail-over.${victim}`,
      name: `longest time without an acknowledged write after kill -9 of ${NAMES[victim]}, ${CLIENTS} clients`,
      unit: 's',
      better: 'less',
      values,
    });
  }
  return figures;
}

async function outageSeconds(cluster: LocalCluster, victim: Victim, round: number): Promise<number> {
  const urls = cluster.processes.map(({ url }) => url);
  const graphs = `urn:x:${victim}-${round}`;
  const traffic = new Traffic({ urls, graphs, clients: CLIENTS, patienceMs: PATIENCE_MS });
  await traffic.progress(WRITES);
  const killed = victim === 'holder' ? await cluster.writer() : await cluster.logServers.leaderOf(LOG);
  await killed.kill();
  await traffic.progress(WRITES);
  await wait(AFTERWARDS_MS);
  await traffic.end();
  await cluster.heal();
  await cluster.logServers.untilHealthy();
  const lost = await traffic.lostAt((await cluster.reader()).url);
  if (lost > 0) throw new Error(`${lost} acknowledged writes were lost.`);
  return traffic.observed.longestOutageMs / 1000;
}
