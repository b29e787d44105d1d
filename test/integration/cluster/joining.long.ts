import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { addTriples, readGraph } from '../../support/cluster-requests.ts';
import { withoutNats } from '../../support/nats-servers.ts';
import { sharedCluster } from '../../support/shared-cluster.ts';
import { assertEqualData, underTraffic } from './under-traffic.ts';

const timeout = 300_000;

describe('a process that joins a cluster', { skip: withoutNats }, () => {
  // Checkpoints come often, and the log before them is purged.
  const cluster = sharedCluster({ logServers: 3, processes: 2 }, [
    '--journal-max',
    '64KiB',
    '--changes-retention',
    '0',
  ]);

  it('gets the newest checkpoint, and follows while others write', { timeout }, async () => {
    const [first] = cluster().processes;
    const line = (i: number) => `<urn:x:s${i}> <urn:x:p> "${'x'.repeat(100)}${i}" .\n`;
    for (let round = 0; round < 20; round++) {
      const lines = Array.from({ length: 200 }, (_, i) => line(round * 200 + i));
      const { status, text } = await addTriples(first!, 'urn:x:checkpointed', lines.join(''));
      assert.ok(status === 200 || status === 201, text);
    }
    await underTraffic(cluster(), async () => {
      const joined = await cluster().join(['--journal-max', '64KiB']);
      const names = await readdir(joined.directory);
      assert.ok(
        names.some((name) => name.startsWith('checkpoint')),
        names.join(' '),
      );
    });
    await assertEqualData(cluster());
  });

  it('becomes the writer when all others end', { timeout }, async () => {
    const joined = await cluster().join();
    const others = cluster().processes.filter((process) => process !== joined);
    for (const other of others) assert.equal(await other.end(), 0, other.errors);
    const { status, text, commit } = await addTriples(joined, 'urn:x:alone', '<urn:x:s> <urn:x:p> "1" .');
    assert.equal(status, 201, text);
    for (const other of others) await other.start();
    await cluster().untilReady();
    for (const other of others) assert.equal((await readGraph(other, 'urn:x:alone', commit)).status, 200);
    await assertEqualData(cluster());
  });
});
