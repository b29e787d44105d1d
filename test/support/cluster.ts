import { LOG, LocalCluster } from '../../bench/cluster/local-cluster.ts';
import type { PathpoolProcess } from '../../bench/cluster/pathpool-process.ts';
import { checkResponsesOf } from './description-check.ts';
import { type NatsServers, startNatsServers } from './nats-servers.ts';
import type { Scope } from './scope.ts';
import { BASE, pathpoolCommand } from './server-process.ts';
import { temporaryDirectory } from './temporary-directory.ts';

export { LOG };

export interface ClusterSize {
  readonly logServers: 1 | 3;
  readonly processes: number;
}

/** A cluster that ends with the scope, and whose responses are compared with their description. */
export class TestCluster extends LocalCluster {
  readonly #scope: Scope;

  constructor(scope: Scope, logServers: NatsServers, root: string) {
    super({ logServers, root, command: pathpoolCommand, base: BASE });
    this.#scope = scope;
  }

  override async add(args: readonly string[] = [], log = LOG): Promise<PathpoolProcess> {
    const added = await super.add(args, log);
    checkResponsesOf(added.url, BASE);
    this.#scope.after(() => added.kill());
    return added;
  }
}

/** Starts a cluster, and resolves when all of it is ready. */
export async function startCluster(
  scope: Scope,
  { logServers, processes }: ClusterSize,
  args: readonly string[] = [],
): Promise<TestCluster> {
  const root = await temporaryDirectory(scope);
  const cluster = new TestCluster(scope, await startNatsServers(scope, logServers), root);
  for (let count = 0; count < processes; count++) await (await cluster.add(args)).start();
  await cluster.untilReady();
  return cluster;
}
