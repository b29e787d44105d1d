import assert from 'node:assert/strict';
import { Traffic } from '../../../bench/cluster/traffic.ts';
import type { TestCluster } from '../../support/cluster.ts';
import { addTriples, COMMIT, send } from '../../support/cluster-requests.ts';

/** A paused process answers nothing. Then the client tries the next one. */
const PATIENCE_MS = 2000;
const CLIENTS = 4;
/** Acknowledged writes that show that the cluster works. */
const SOME_WRITES = 100;

let count = 0;

/**
 * Runs something while clients write and read through all processes. Afterwards all processes have
 * become ready by themselves, writes go on, no acknowledged one is lost, and all processes have the
 * same data in the same order.
 */
export async function underTraffic(
  cluster: TestCluster,
  disturb: (traffic: Traffic) => Promise<void>,
): Promise<Traffic> {
  const traffic = new Traffic({
    urls: cluster.processes.map(({ url }) => url),
    graphs: `urn:x:traffic:${++count}`,
    clients: CLIENTS,
    patienceMs: PATIENCE_MS,
  });
  try {
    await traffic.progress(SOME_WRITES);
    await disturb(traffic);
    await cluster.untilReady();
    await traffic.progress(SOME_WRITES);
  } finally {
    await cluster.heal();
    await traffic.end();
  }
  for (const { name, url } of cluster.processes) {
    assert.equal(await traffic.lostAt(url), 0, `${name} lacks acknowledged writes`);
  }
  await assertEqualData(cluster);
  return traffic;
}

/** All processes have the same quads, and serialise them in the same order. */
export async function assertEqualData({ processes }: TestCluster): Promise<void> {
  const { status, text, commit } = await addTriples(processes[0]!, `urn:x:mark:${++count}`, '');
  assert.equal(status, 201, text);
  const read = ({ url }: { readonly url: string }) =>
    send(`${url}/dataset?format=nq`, { headers: { [COMMIT]: commit } });
  const replies = await Promise.all(processes.map(read));
  for (const reply of replies) {
    assert.equal(reply.status, 200, reply.text);
    assert.ok(reply.text === replies[0]!.text, 'Two processes have different data');
  }
}
