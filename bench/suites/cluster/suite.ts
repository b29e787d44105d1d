/** What a cluster of three log servers and three processes on this machine does, and how fast. */
import { withoutNats } from '../../cluster/nats-servers.ts';
import type { Figure, Outcome, Skipped } from '../../report/figure.ts';
import type { Stage } from '../../stage.ts';
import { benchLogs } from './appends.ts';
import { withCluster } from './bench-cluster.ts';
import { benchFailOver } from './fail-over.ts';
import { benchJoin } from './join.ts';
import { benchReads } from './reads.ts';
import { benchStall } from './stall.ts';
import { benchWrites } from './writes.ts';

const parts: readonly ((stage: Stage) => Promise<Figure[]>)[] = [benchLogs, benchEmpty, benchFull];

/** A part that can't be measured does not lose the others. */
export async function benchCluster(stage: Stage): Promise<Outcome> {
  if (withoutNats) return { figures: [], skipped: [{ id: 'cluster', reason: withoutNats }] };
  // Its memory and its processor time are for the cluster.
  await stage.endServer();
  const figures: Figure[] = [];
  const skipped: Skipped[] = [];
  for (const part of parts) {
    try {
      figures.push(...(await part(stage)));
    } catch (error) {
      skipped.push({ id: 'cluster', reason: `${part.name}: ${(error as Error).message}` });
    }
  }
  return { figures, skipped };
}

function benchEmpty(stage: Stage): Promise<Figure[]> {
  return withCluster(stage, 'empty', [], async (cluster) => [
    ...(await benchWrites(stage, cluster)),
    ...(await benchFailOver(stage, cluster)),
    ...(await benchStall(stage, cluster)),
  ]);
}

async function benchFull(stage: Stage): Promise<Figure[]> {
  await stage.turtle();
  // So that data of any size end up in a checkpoint.
  return withCluster(stage, 'full', ['--journal-max', '64KiB'], async (cluster) => {
    const joins = await benchJoin(stage, cluster);
    return [...(await benchReads(stage, cluster)), ...joins];
  });
}
