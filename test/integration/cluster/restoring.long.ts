import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { addTriples, readGraph, send } from '../../support/cluster-requests.ts';
import { withoutNats } from '../../support/nats-servers.ts';
import { runPathpool, startServer } from '../../support/server-process.ts';
import { sharedCluster } from '../../support/shared-cluster.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { assertEqualData, underTraffic } from './under-traffic.ts';

const timeout = 300_000;
const GRAPH = 'urn:x:restored';
const CONTENT = '/content/text/plain?uri=urn:x:content';

describe('a backup of a running cluster', { skip: withoutNats }, () => {
  const cluster = sharedCluster({ logServers: 3, processes: 2 }, ['--journal-max', '64KiB']);

  it('becomes a server or another cluster, with the data, and with other entity tags', {
    timeout,
  }, async (context) => {
    const [first] = cluster().processes;
    const { logServers } = cluster();
    const stored = await addTriples(first!, GRAPH, '<urn:x:s> <urn:x:p> "before the backup" .\n');
    assert.equal(stored.status, 201, stored.text);
    const headers = { 'Content-Type': 'text/plain' };
    const put = await send(first!.url + CONTENT, { method: 'PUT', headers, body: 'content' });
    assert.ok(put.status < 300, put.text);
    const copy = join(await temporaryDirectory(context), 'copy');
    await underTraffic(cluster(), async () => {
      const { status, out, err } = await runPathpool(['backup', cluster().journal, copy]);
      assert.equal(status, 0, out + err);
    });
    const checked = await runPathpool(['check', cluster().journal]);
    assert.equal(checked.status, 0, checked.out + checked.err);
    const original = await readGraph(first!, GRAPH);
    assert.equal(original.status, 200, original.text);

    const imported = await runPathpool(['import', copy, logServers.journal('restored')]);
    assert.equal(imported.status, 0, imported.out + imported.err);
    const restored = await cluster().add([], 'restored');
    await restored.start();
    await restored.untilReady();
    const single = await startServer(context, ['--data', copy, '--threads', '1']);
    const tags = [original.headers.get('etag')];
    for (const each of [restored, single]) {
      const found = await readGraph(each, GRAPH);
      assert.equal(found.text, original.text);
      tags.push(found.headers.get('etag'));
      assert.equal((await send(each.url + CONTENT)).text, 'content');
      const written = await addTriples(each, GRAPH, '<urn:x:s> <urn:x:p> "afterwards" .\n');
      assert.equal(written.status, 200, written.text);
    }
    assert.equal(new Set(tags).size, 3, tags.join(' '));
    await restored.kill();
    cluster().processes.pop();
    await assertEqualData(cluster());
    assert.equal((await readGraph(first!, GRAPH)).text, original.text);
  });
});
