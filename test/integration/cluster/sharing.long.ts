import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Traffic } from '../../../bench/cluster/traffic.ts';
import { addTriples, COMMIT, readGraph, send } from '../../support/cluster-requests.ts';
import { withoutNats } from '../../support/nats-servers.ts';
import { sharedCluster } from '../../support/shared-cluster.ts';
import { assertEqualData } from './under-traffic.ts';

const timeout = 600_000;

describe('what the processes of a cluster share', { skip: withoutNats }, () => {
  const cluster = sharedCluster({ logServers: 3, processes: 3 });

  it('is content: put at A, deleted through C, and read at B whole or not at all', { timeout }, async () => {
    const [a, b, c] = cluster().processes;
    const target = '/content/text/plain?uri=urn:x:contested';
    const bodies = ['a', 'b'].map((letter) => Buffer.alloc(300_000, letter));
    let commit = '';
    const found = { whole: 0, missing: 0 };
    const read = async () => {
      const response = await fetch(`${b!.url}${target}`, { headers: { [COMMIT]: commit } });
      const bytes = Buffer.from(await response.arrayBuffer());
      if (response.status === 404) found.missing++;
      else {
        assert.equal(response.status, 200, bytes.subarray(0, 500).toString());
        assert.ok(bodies.some((body) => body.equals(bytes)));
        found.whole++;
      }
    };
    for (let round = 0; round < 60; round++) {
      const headers = { 'Content-Type': 'text/plain' };
      const stored = await send(`${a!.url}${target}`, { method: 'PUT', headers, body: bodies[round % 2]! });
      assert.ok([201, 204].includes(stored.status), stored.text);
      commit = stored.commit;
      const remove = send(`${c!.url}/content?uri=urn:x:contested`, { method: 'DELETE' });
      const [removed] = await Promise.all([remove, read(), read(), read()]);
      assert.ok([200, 204].includes(removed.status), `${removed.status} ${removed.text}`);
      commit = removed.commit;
      await read();
    }
    assert.ok(found.whole > 0 && found.missing >= 60, JSON.stringify(found));
  });

  it('is the writer: a big load through one does not stop small writes through all', {
    timeout,
  }, async (context) => {
    const { processes } = cluster();
    const reader = await cluster().reader();
    const traffic = new Traffic({
      urls: processes.map(({ url }) => url),
      graphs: 'urn:x:beside-load',
      clients: 4,
      patienceMs: 30_000,
    });
    await traffic.progress(100);
    const line = (i: number) => `<urn:x:s${i % 50_000}> <urn:x:p${i % 7}> "value ${i}" .\n`;
    const load = Array.from({ length: 300_000 }, (_, i) => line(i)).join('');
    const before = { ...traffic.observed };
    const began = performance.now();
    const loaded = await addTriples(reader, 'urn:x:loaded', load);
    const lasted = Math.round(performance.now() - began);
    const during = traffic.observed.acknowledged - before.acknowledged;
    await traffic.progress(100);
    await traffic.end();
    assert.equal(loaded.status, 201, loaded.text);
    assert.ok(during > 0, `no small write in ${lasted} ms`);
    assert.equal(traffic.observed.failed, 0);
    const { longestOutageMs } = traffic.observed;
    context.diagnostic(
      `300,000 triples in ${lasted} ms; beside them ${during} small writes, the longest gap ${Math.round(longestOutageMs)} ms`,
    );
    await assertEqualData(cluster());
  });

  it('is order: results of queries and tags are the same at all', { timeout }, async () => {
    const { processes } = cluster();
    const graph = 'urn:x:ordered';
    let commit = '';
    for (let i = 0; i < 30; i++) {
      const lines = Array.from(
        { length: 5 },
        (_, j) => `<urn:x:o${(i * 31 + j) % 97}> <urn:x:q> _:b${j} .\n`,
      );
      const reply = await addTriples(processes[i % processes.length]!, graph, lines.join(''));
      assert.ok([200, 201].includes(reply.status), reply.text);
      commit = reply.commit;
    }
    const graphs = await Promise.all(processes.map((process) => readGraph(process, graph, commit)));
    assert.equal(new Set(graphs.map(({ text }) => text)).size, 1);
    assert.equal(new Set(graphs.map(({ headers }) => headers.get('etag'))).size, 1);
    const target = `/ldpath/path?path=${encodeURIComponent('<urn:x:q>')}&uri=urn:x:o31`;
    const values = await Promise.all(
      processes.map(({ url }) => send(url + target, { headers: { [COMMIT]: commit } })),
    );
    for (const { status, text } of values) assert.equal(status, 200, text);
    assert.equal(new Set(values.map(({ text }) => text)).size, 1);
  });
});
