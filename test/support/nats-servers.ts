import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type NatsServers, startNatsServers as startBelow } from '../../bench/cluster/nats-servers.ts';
import type { Scope } from './scope.ts';

export { type NatsNode, type NatsServers, withoutNats } from '../../bench/cluster/nats-servers.ts';

/**
 * Starts log servers with empty directories. They end with the scope. `more`: further lines of
 * their configuration.
 */
export async function startNatsServers(
  scope: Scope,
  count: 1 | 3 = 1,
  more: readonly string[] = [],
): Promise<NatsServers> {
  const root = await mkdtemp(join(tmpdir(), 'pathpool-nats-'));
  const servers = await startBelow(root, count, more);
  scope.after(async () => {
    await servers.kill();
    await rm(root, { recursive: true, force: true, maxRetries: 3 });
  });
  return servers;
}
