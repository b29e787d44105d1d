import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { TestCluster } from '../../support/cluster.ts';
import { withoutNats } from '../../support/nats-servers.ts';
import { sharedCluster } from '../../support/shared-cluster.ts';
import { underTraffic } from './under-traffic.ts';

const timeout = 300_000;
const SOME_WRITES = 50;

describe('a cluster whose processes fail', { skip: withoutNats }, () => {
  const cluster = sharedCluster({ logServers: 3, processes: 3 });

  it('survives kill -9 of the writer: another takes over, and it comes back', { timeout }, async () => {
    await underTraffic(cluster(), async (traffic) => {
      const writer = await cluster().writer();
      await writer.kill();
      await traffic.progress(SOME_WRITES);
      assert.notEqual(await cluster().writer(), writer);
      await writer.start();
    });
  });

  it('survives kill -9 of a reader', { timeout }, async () => {
    await underTraffic(cluster(), async (traffic) => {
      const reader = await cluster().reader();
      await reader.kill();
      await traffic.progress(SOME_WRITES);
      await reader.start();
    });
  });

  it('survives a writer that is suspended until another has taken over', { timeout }, async () => {
    await underTraffic(cluster(), async (traffic) => {
      const writer = await cluster().writer();
      writer.pause();
      await traffic.progress(SOME_WRITES);
      writer.resume();
    });
  });

  it('survives a suspended reader', { timeout }, async () => {
    await underTraffic(cluster(), async (traffic) => {
      const reader = await cluster().reader();
      reader.pause();
      await traffic.progress(SOME_WRITES);
      reader.resume();
    });
  });

  it('hands the lease over at once when the writer ends in order', { timeout }, async () => {
    await underTraffic(cluster(), async (traffic) => {
      const writer = await cluster().writer();
      assert.equal(await writer.end(), 0, writer.errors);
      await traffic.progress(SOME_WRITES);
      await writer.start();
    });
  });

  it('survives kill -9 of all processes', { timeout }, async () => {
    await underTraffic(cluster(), async () => {
      await killAll(cluster());
      for (const process of cluster().processes) await process.start();
    });
  });

  it('takes back a process that has lost its directory', { timeout }, async () => {
    await underTraffic(cluster(), async (traffic) => {
      const reader = await cluster().reader();
      await reader.kill();
      await reader.wipe();
      await traffic.progress(SOME_WRITES);
      await reader.start();
    });
  });
});

async function killAll({ processes }: TestCluster): Promise<void> {
  await Promise.all(processes.map((process) => process.kill()));
}
