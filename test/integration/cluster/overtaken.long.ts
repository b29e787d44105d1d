import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { addTriples, readGraph } from '../../support/cluster-requests.ts';
import { withoutNats } from '../../support/nats-servers.ts';
import { sharedCluster } from '../../support/shared-cluster.ts';

const timeout = 300_000;
const GRAPH = 'urn:x:overtaken';
/** More than a process that is suspended has received already. */
const WRITES = 200;
const PADDING = 'x'.repeat(20_000);

describe('a process that checkpoints overtake while it is suspended', { skip: withoutNats }, () => {
  const cluster = sharedCluster({ logServers: 1, processes: 2 }, [
    '--journal-max',
    '64KiB',
    '--changes-retention',
    '0',
  ]);

  it('ends with exit status 75, and has all data when it is started again', { timeout }, async () => {
    const writer = await cluster().writer();
    const slow = await cluster().reader();
    slow.pause();
    let commit = '';
    for (let count = 1; count <= WRITES; count++) {
      const written = await addTriples(writer, GRAPH, `<urn:x:s> <urn:x:p> "${count} ${PADDING}" .\n`);
      assert.ok(written.status < 300, written.text);
      commit = written.commit;
    }
    slow.resume();
    while (slow.isRunning) await sleep(50);
    assert.equal(slow.status, 75, slow.errors);
    assert.match(slow.errors, /no longer has the record/);
    await slow.start();
    await slow.untilReady();
    const [read, expected] = [await readGraph(slow, GRAPH, commit), await readGraph(writer, GRAPH, commit)];
    assert.equal(read.status, 200);
    assert.equal(read.text, expected.text);
    assert.equal(read.headers.get('etag'), expected.headers.get('etag'));
  });
});
