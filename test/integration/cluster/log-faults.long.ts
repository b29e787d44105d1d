import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { Traffic } from '../../../bench/cluster/traffic.ts';
import { LOG } from '../../support/cluster.ts';
import { addTriples, readGraph } from '../../support/cluster-requests.ts';
import { type NatsNode, withoutNats } from '../../support/nats-servers.ts';
import { sharedCluster } from '../../support/shared-cluster.ts';
import { assertEqualData, underTraffic } from './under-traffic.ts';

const timeout = 600_000;
const SOME_WRITES = 50;

describe('a cluster whose log servers fail', { skip: withoutNats }, () => {
  const cluster = sharedCluster({ logServers: 3, processes: 3 });
  const leader = () => cluster().logServers.leaderOf(LOG);
  const follower = async () => {
    const other = await leader();
    return cluster().logServers.nodes.find((node) => node !== other)!;
  };
  const away = async (node: NatsNode, traffic: Traffic) => {
    await node.kill();
    await traffic.progress(SOME_WRITES);
    await node.start();
    await node.untilHealthy();
  };

  it('survives kill -9 of the leader of the log', { timeout }, async () => {
    await underTraffic(cluster(), async (traffic) => away(await leader(), traffic));
  });

  it('survives kill -9 of a follower of the log', { timeout }, async () => {
    await underTraffic(cluster(), async (traffic) => away(await follower(), traffic));
  });

  it('survives a suspended leader of the log, which comes back', { timeout }, async () => {
    await underTraffic(cluster(), async (traffic) => {
      const paused = await leader();
      paused.pause();
      await traffic.progress(SOME_WRITES);
      paused.resume();
    });
  });

  it('survives a log server that has lost its disk, also when it is needed', { timeout }, async () => {
    await underTraffic(cluster(), async (traffic) => {
      const wiped = await follower();
      await wiped.kill();
      await wiped.wipe();
      await wiped.start();
      await wiped.untilHealthy();
      await away(await leader(), traffic);
    });
  });

  it('survives kill -9 of all log servers', { timeout }, async () => {
    await underTraffic(cluster(), async () => {
      const { logServers } = cluster();
      await logServers.kill();
      for (const node of logServers.nodes) await node.start();
      await logServers.untilHealthy();
    });
  });

  it('survives kill -9 of everything', { timeout }, async () => {
    await underTraffic(cluster(), async () => {
      const { logServers, processes } = cluster();
      await Promise.all([logServers.kill(), ...processes.map((process) => process.kill())]);
      for (const process of [...logServers.nodes, ...processes]) await process.start();
    });
  });

  it('refuses writes without a majority, serves reads, and recovers without a restart', {
    timeout,
  }, async () => {
    const { logServers, processes } = cluster();
    const stored = await addTriples(processes[0]!, 'urn:x:majority', '<urn:x:s> <urn:x:p> "stored" .\n');
    await underTraffic(cluster(), async () => {
      const [a, b] = logServers.nodes;
      await Promise.all([a!.kill(), b!.kill()]);
      for (const process of processes) {
        const refused = await addTriples(process, 'urn:x:majority', '<urn:x:s> <urn:x:p> "refused" .\n');
        assert.equal(refused.status, 503, refused.text);
        assert.match(refused.headers.get('retry-after') ?? '', /^\d+$/);
        assert.equal((await readGraph(process, 'urn:x:majority', stored.commit)).status, 200);
      }
      await Promise.all([a!.start(), b!.start()]);
      await logServers.untilHealthy();
    });
    for (const process of processes) {
      const { text } = await readGraph(process, 'urn:x:majority', stored.commit);
      assert.deepEqual(text.match(/"\w+"/g), ['"stored"']);
    }
  });

  it('serves no wrong data after a bit has changed in a file of a log server', { timeout }, async () => {
    for (const node of cluster().logServers.nodes) {
      await underTraffic(cluster(), async () => {
        await node.quit();
        await flipBit(node);
        await node.start();
        await node.untilHealthy();
      });
      const joined = await cluster().join();
      await assertEqualData(cluster());
      await joined.kill();
      await joined.wipe();
      cluster().processes.splice(cluster().processes.indexOf(joined), 1);
    }
  });
});

/** Changes a bit in the middle of the newest block of the log. */
async function flipBit({ store }: NatsNode): Promise<void> {
  const folder = join(store, 'jetstream', '$G', 'streams', LOG, 'msgs');
  const blocks = (await readdir(folder)).filter((name) => name.endsWith('.blk'));
  const newest = join(folder, blocks.sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10)).at(-1)!);
  const bytes = await readFile(newest);
  assert.ok(bytes.length > 0, newest);
  const middle = bytes.length >> 1;
  bytes[middle] = bytes[middle]! ^ 0x10;
  await writeFile(newest, bytes);
}
