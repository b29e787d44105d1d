import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { Load } from '../../../bench/load/load.ts';
import { runLoad } from '../../../bench/load/run-load.ts';

const loads: readonly Load[] = [
  { kind: 'closed', connections: 3, seconds: 0.2 },
  { kind: 'open', perSecond: 100, seconds: 0.2, connections: 3 },
];

for (const load of loads) {
  test(`a ${load.kind} load counts right and wrong responses`, async (context) => {
    let requests = 0;
    const url = await serve(context, () => (requests++ % 2 === 0 ? 200 : 500));
    const target = { url, requests: [{ method: 'GET', path: '/', expect: { status: 200 } }] } as const;
    const result = await runLoad(target, load);
    assert.ok(requests > 1);
    assert.equal(result.failures, Math.floor(requests / 2));
    assert.equal(result.fault, 'status 500 in place of 200');
    assert.equal(result.abandoned, 0);
    if (load.kind === 'open') assert.equal(requests, 20);
  });
}

test('a missing server causes failures, not an endless load', async () => {
  const target = {
    url: 'http://127.0.0.1:1',
    requests: [{ method: 'GET', path: '/', expect: { status: 200 } }],
  } as const;
  const result = await runLoad(target, { kind: 'open', perSecond: 50, seconds: 0.1, connections: 2 });
  assert.equal(result.failures, 5);
  assert.match(result.fault ?? '', /ECONNREFUSED/);
});

test('the connections of a load go to all servers of a target, each named in its requests', async (context) => {
  const hosts = new Set<string | undefined>();
  const count = () =>
    serve(context, (host) => {
      hosts.add(host);
      return 200;
    });
  const [url = '', ...moreUrls] = [await count(), await count(), await count()];
  const target = {
    url,
    moreUrls,
    requests: [{ method: 'GET', path: '/', expect: { status: 200 } }],
  } as const;
  const result = await runLoad(target, { kind: 'closed', connections: 3, seconds: 0.1 });
  assert.equal(result.failures, 0);
  assert.deepEqual(hosts, new Set([url, ...moreUrls].map((each) => new URL(each).host)));
});

async function serve(context: TestContext, status: (host: string | undefined) => number): Promise<string> {
  const server = createServer(({ headers }, response) => response.writeHead(status(headers.host)).end('x'));
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
