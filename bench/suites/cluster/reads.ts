import type { LocalCluster } from '../../cluster/local-cluster.ts';
import { pathRequests } from '../../data/person-requests.ts';
import type { Target } from '../../load/request.ts';
import { processSeconds } from '../../measure/processor-time.ts';
import { median } from '../../measure/statistics.ts';
import type { Figure } from '../../report/figure.ts';
import { requireGood, type Stage } from '../../stage.ts';

interface Slice {
  readonly rate: number;
  readonly p99: number;
  /** Microseconds of processor time per request, of all processes that were asked. */
  readonly cost: number;
}

/**
 * `GET /ldpath/path` of one, two and three processes that have the data set, in turn, with as many
 * connections to each. They share the cores of this machine with the load generator.
 */
export async function benchReads(stage: Stage, cluster: LocalCluster): Promise<Figure[]> {
  const requests = pathRequests(stage.options.persons);
  const processes = cluster.processes.slice(0, 3);
  const spreads = processes.map((_, index) => {
    const asked = processes.slice(0, index + 1);
    const [url = '', ...moreUrls] = asked.map((process) => process.url);
    return { asked, target: { url, moreUrls, requests }, slices: [] as Slice[] };
  });
  await slice(stage, processes, spreads.at(-1)!.target);
  for (let round = 0; round < stage.options.rounds; round++) {
    for (const { asked, target, slices } of spreads) slices.push(await slice(stage, asked, target));
  }
  const one = spreads[0]!.slices.map(({ rate }) => rate);
  return spreads.map(({ asked, slices }, index) => ({
    id: `cluster.reads.${asked.length}`,
    name: `GET /ldpath/path of ${asked.length} process${asked.length === 1 ? '' : 'es'} of one thread, ${stage.options.connections} connections each`,
    unit: 'requests/s',
    better: 'more',
    values: slices.map(({ rate }) => rate),
    ...(index > 0 && { reference: { name: 'one process', values: one } }),
    note: `p99 ${middle(slices, 'p99').toFixed(2)} ms; ${middle(slices, 'cost').toFixed(1)} µs of processor time a request`,
  }));
}

async function slice(stage: Stage, asked: LocalCluster['processes'], target: Target): Promise<Slice> {
  const used = () => asked.reduce((sum, { pid }) => sum + ((pid && processSeconds(pid)) || 0), 0);
  const before = used();
  const connections = asked.length * stage.options.connections;
  const result = requireGood(await stage.closed(target, { connections }), 'path');
  const { requestsPerSecond, seconds, latency } = result;
  const cost = ((used() - before) * 1e6) / (requestsPerSecond * seconds);
  return { rate: requestsPerSecond, p99: latency.p99, cost };
}

function middle(slices: readonly Slice[], key: 'p99' | 'cost'): number {
  return median(slices.map((each) => each[key]));
}
