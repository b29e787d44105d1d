import { LOG, type LocalCluster } from '../../cluster/local-cluster.ts';
import { type LoadRequest, NUMBER, type Target } from '../../load/request.ts';
import { stop } from '../../measure/processes.ts';
import { median } from '../../measure/statistics.ts';
import type { Figure } from '../../report/figure.ts';
import { requireGood, type Stage } from '../../stage.ts';
import { openBarePublishes, type Rate } from './bare-publishes.ts';
import { startSingle } from './bench-cluster.ts';

const GRAPHS = 64;
const CLIENTS = [1, 32] as const;

/** How something is written by so many clients at one time. */
type Run = (clients: number) => Promise<Rate>;
type Way = 'local' | 'bare' | 'holder' | 'other';

const NAMES: Readonly<Record<Way, string>> = {
  local: 'small PUT /context to a single server with the local journal',
  bare: 'bare publish of 200 bytes to a stream like the log',
  holder: 'small PUT /context to the process that holds the lease',
  other: 'small PUT /context through another process',
};

/** Small writes to the holder of the lease and through another process, beside simpler ways. */
export async function benchWrites(stage: Stage, cluster: LocalCluster): Promise<Figure[]> {
  const single = await startSingle(stage, 'single-writes');
  const bare = await openBarePublishes(cluster.logServers.settings({ name: LOG }));
  try {
    const holder = await cluster.writer();
    const other = await cluster.reader();
    return await inTurn(stage, {
      local: putsTo(stage, single.url),
      bare: (clients) => bare.run(clients, stage.options.seconds),
      holder: putsTo(stage, holder.url),
      other: putsTo(stage, other.url),
    });
  } finally {
    await bare.close();
    await stop(single.started, 'SIGKILL');
  }
}

async function inTurn(stage: Stage, runs: Readonly<Record<Way, Run>>): Promise<Figure[]> {
  const ways = Object.keys(runs) as Way[];
  for (const way of ways) await runs[way](1);
  const figures: Figure[] = [];
  for (const clients of CLIENTS) {
    const rates: Record<Way, Rate[]> = { local: [], bare: [], holder: [], other: [] };
    for (let round = 0; round < stage.options.rounds; round++) {
      for (const way of ways) rates[way].push(await runs[way](clients));
    }
    figures.push(...ways.map((way) => figure(way, clients, rates)));
  }
  return figures;
}

function figure(way: Way, clients: number, rates: Readonly<Record<Way, readonly Rate[]>>): Figure {
  const values = (of: Way) => rates[of].map(({ perSecond }) => perSecond);
  const middle = (key: 'p50' | 'p99') => median(rates[way].map((rate) => rate[key])).toFixed(2);
  return {
    id: `cluster.writes.${way}.${clients}`,
    name: `${NAMES[way]}, ${clients} at a time`,
    unit: 'writes/s',
    better: 'more',
    values: values(way),
    ...(way !== 'local' && { reference: { name: 'local journal', values: values('local') } }),
    note: `p50 ${middle('p50')}, p99 ${middle('p99')} ms`,
  };
}

function putsTo(stage: Stage, url: string): Run {
  const target: Target = { url, requests: smallPuts() };
  return async (connections) => {
    const result = requireGood(await stage.closed(target, { connections }), 'small PUT');
    const { p50, p99 } = result.latency;
    return { perSecond: result.requestsPerSecond, p50, p99 };
  };
}

/** Every request replaces the triple of a graph by a new one. */
function smallPuts(): LoadRequest[] {
  return Array.from({ length: GRAPHS }, (_, graph) => ({
    method: 'PUT',
    path: `/context?graph=urn:x:g${graph}`,
    headers: { 'Content-Type': 'application/n-triples' },
    body: `<urn:x:s> <urn:x:p> "${NUMBER}" .`,
    expect: { status: [200, 201, 204] },
  }));
}
