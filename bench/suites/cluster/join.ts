import { setTimeout as wait } from 'node:timers/promises';
import { usualTimes } from '../../../src/cluster/objects/nats-bucket.ts';
import { sharedCheckpoints } from '../../../src/cluster/objects/share-checkpoint.ts';
import { openSharedPlace } from '../../../src/cluster/objects/shared-place.ts';
import { LOG, type LocalCluster } from '../../cluster/local-cluster.ts';
import type { PathpoolProcess } from '../../cluster/pathpool-process.ts';
import { GRAPH } from '../../data/person-data.ts';
import { putFile } from '../../measure/put-file.ts';
import type { Figure } from '../../report/figure.ts';
import type { Stage } from '../../stage.ts';
import { roundsOf } from './bench-cluster.ts';

const POLL_MS = 100;
/** Longest time until a checkpoint is shared, in milliseconds. */
const PATIENCE_MS = 120_000;

/** Stores the data set, and starts a fourth process, with and without a directory of before. */
export async function benchJoin(stage: Stage, cluster: LocalCluster): Promise<Figure[]> {
  const { url } = await cluster.writer();
  await putFile(`${url}/context?graph=${encodeURIComponent(GRAPH)}`, await stage.turtle());
  await untilCheckpoint(cluster);
  const fourth = await cluster.add();
  const fresh: number[] = [];
  const again: number[] = [];
  for (let round = 0; round < roundsOf(stage); round++) {
    fresh.push(await secondsUntilReady(fourth));
    again.push(await secondsUntilReady(fourth));
    await fourth.wipe();
  }
  return [
    {
      id: 'cluster.join',
      name: `a fourth process joins at ${stage.triples} triples: start until ready, the checkpoint fetched`,
      unit: 's',
      better: 'less',
      values: fresh,
      reference: { name: 'the same process with its directory', values: again },
    },
  ];
}

async function secondsUntilReady(process: PathpoolProcess): Promise<number> {
  const began = performance.now();
  await process.start();
  await process.untilReady();
  const seconds = (performance.now() - began) / 1000;
  await process.end();
  return seconds;
}

/** Resolves when the log servers have a checkpoint. */
async function untilCheckpoint(cluster: LocalCluster): Promise<void> {
  const settings = cluster.logServers.settings({ name: LOG });
  const place = await openSharedPlace(settings, 'bench', usualTimes);
  const deadline = performance.now() + PATIENCE_MS;
  try {
    while (!(await sharedCheckpoints(place))) {
      if (performance.now() > deadline) throw new Error('No checkpoint was shared within two minutes.');
      await wait(POLL_MS);
    }
  } finally {
    await place.close();
  }
}
