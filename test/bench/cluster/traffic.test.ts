import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { describe, it, type TestContext } from 'node:test';
import { Traffic } from '../../../bench/cluster/traffic.ts';

/** What a server does wrong to its nth write, from 1 on. */
type Fault = (write: number) => 'none' | 'forget' | 'refuse';

/** A server with graphs of triples. */
async function startServer(context: TestContext, fault: Fault): Promise<string> {
  const graphs = new Map<string, string>();
  let writes = 0;
  const server = createServer((request, response) => {
    const graph = request.url!;
    if (request.method === 'GET') return void response.end(graphs.get(graph) ?? '');
    void text(request).then((body) => {
      const what = fault(++writes);
      if (what === 'none') graphs.set(graph, (graphs.get(graph) ?? '') + body);
      response.writeHead(what === 'refuse' ? 503 : 200, { 'Pathpool-Commit': `identity.${writes}` }).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  context.after(() => server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const settings = { graphs: 'urn:x:t', clients: 2, patienceMs: 5000 };

describe('the traffic of a cluster', () => {
  it('repeats what was refused, and finds nothing lost', async (context) => {
    const url = await startServer(context, (write) => (write % 10 === 0 ? 'refuse' : 'none'));
    const traffic = new Traffic({ ...settings, urls: [url] });
    await traffic.progress(250);
    await traffic.end();
    const { acknowledged, failed, reads } = traffic.observed;
    assert.ok(acknowledged >= 250 && failed >= 25 && reads >= 250);
    assert.equal(await traffic.lostAt(url), 0);
  });

  it('finds a server that does not have what was acknowledged', async (context) => {
    const whole = await startServer(context, () => 'none');
    const traffic = new Traffic({ ...settings, urls: [whole] });
    await traffic.progress(20);
    await traffic.end();
    const other = await startServer(context, () => 'none');
    assert.equal(await traffic.lostAt(other), traffic.observed.acknowledged);
  });

  it('fails when a client does not read what was acknowledged', async (context) => {
    const url = await startServer(context, (write) => (write === 30 ? 'forget' : 'none'));
    const traffic = new Traffic({ ...settings, urls: [url] });
    await assert.rejects(traffic.progress(100), /lacks \d+ at identity\.\d+/);
    await assert.rejects(traffic.end());
  });
});
