/** What a cluster of three log servers and three processes on this machine does, and how fast. */
import type { LocalCluster } from '../../cluster/local-cluster.ts';
import { withoutNats } from '../../cluster/nats-servers.ts';
import type { Figure, Outcome } from '../../report/figure.ts';
import type { Stage } from '../../stage.ts';
import { benchLogs } from './appends.ts';
import { withCluster } from './bench-cluster.ts';
import { benchFailOver } from './fail-over.ts';
import { benchJoin } from './join.ts';
import { benchReads } from './reads.ts';
import { benchStall } from './stall.ts';
import { benchWrites } from './writes.ts';

type Bench = (stage: Stage, cluster: LocalCluster) => Promise<Figure[]>;

/** A part that can't be measured does not lose the others. */
export async function benchCluster(stage: Stage): Promise<Outcome> {
  if (withoutNats) return { figures: [], skipped: [{ id: 'cluster', reason: withoutNats }] };
  // Its memory and its processor time are for the cluster.
  await stage.endServer();
  await stage.turtle();
  // The second one writes checkpoints for data of any size.
  return joined([
    await orSkipped(benchLogs.name, () => benchLogs(stage)),
    await benchOver(stage, [], [benchWrites, benchFailOver, benchStall]),
    await benchOver(stage, ['--journal-max', '64KiB'], [benchJoin, benchReads]),
  ]);
}

/** Measures several things over one cluster. */
async function benchOver(stage: Stage, args: readonly string[], benches: readonly Bench[]): Promise<Outcome> {
  const outcomes: Outcome[] = [];
  await withCluster(stage, args, async (cluster) => {
    for (const bench of benches) {
      outcomes.push(await orSkipped(bench.name, () => bench(stage, cluster)));
    }
  });
  return joined(outcomes);
}

async function orSkipped(name: string, measure: () => Promise<Figure[]>): Promise<Outcome> {
  try {
    return { figures: await measure() };
  } catch (error) {
    return { figures: [], skipped: [{ id: 'cluster', reason: `${name}: ${(error as Error).message}` }] };
  }
}

function joined(outcomes: readonly Outcome[]): Outcome {
  return {
    figures: outcomes.flatMap(({ figures }) => figures),
    skipped: outcomes.flatMap(({ skipped = [] }) => skipped),
  };
}
