import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type LocalCluster, startLocalCluster } from '../../cluster/local-cluster.ts';
import { BASE, type Server, type Stage } from '../../stage.ts';

/** Three log servers and three processes without data; they end when `use` has. */
export async function withCluster<T>(
  stage: Stage,
  args: readonly string[],
  use: (cluster: LocalCluster) => Promise<T>,
): Promise<T> {
  const root = join(stage.directory, 'cluster');
  const cluster = await startLocalCluster(root, BASE, args);
  try {
    return await use(cluster);
  } finally {
    await cluster.kill();
    await rm(root, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** A server with the local journal and as many threads as a process of the cluster. */
export function startSingle(stage: Stage, name: string): Promise<Server> {
  return stage.startServer(['--data', join(stage.directory, name), '--threads', '1']);
}

/** Of what takes many seconds a round. */
export function roundsOf(stage: Stage): number {
  return stage.options.quick ? 1 : stage.heavyRounds;
}
