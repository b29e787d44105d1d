import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { PeerClient } from '../../../src/http/forwarding/peer-client.ts';
import { TasksElsewhere } from '../../../src/http/forwarding/tasks-elsewhere.ts';
import { notHere, Peers } from '../../../src/http/middleware/peers.ts';
import { problemResponse } from '../../../src/http/problem.ts';
import type { HttpServerOptions } from '../../../src/http/server/http-options.ts';
import { bodyJson, fakeRequest } from '../fake-request.ts';
import { serve, text } from '../test-server.ts';
import { FakeCluster } from './fake-cluster.ts';

async function withOthers(context: TestContext, ...handles: HttpServerOptions['handle'][]) {
  const peers = new Peers();
  peers.trust('secret');
  const cluster = new FakeCluster();
  const others = await Promise.all(handles.map((handle) => serve(context, handle, { peers })));
  const members = others.map(({ url }, i) => ({ process: `h${i + 2}`, url }));
  cluster.members = [{ process: 'h1', url: 'http://127.0.0.1:1' }, ...members];
  const client = new PeerClient(() => false);
  context.after(() => client.close());
  return { cluster, tasks: new TasksElsewhere(cluster, client, peers, 'h1') };
}

describe('the tasks of other processes', () => {
  it('are gathered by the same request, with the credentials of the client', async (context) => {
    const echo: HttpServerOptions['handle'] = (request) =>
      text(JSON.stringify({ [request.target]: [request.header('authorization'), request.remoteAddress] }));
    const { tasks } = await withOthers(context, echo, echo);
    const headers = { Authorization: 'Basic eDp5', 'Accept-Encoding': 'gzip' };
    const gathered = await tasks.gather(fakeRequest('GET', '/tasks?queued', { headers }));
    const list = { '/tasks?queued': ['Basic eDp5', '127.0.0.1'] };
    assert.deepEqual(gathered, { lists: [list, list], unreachable: [] });
  });

  it('T-31: are missing of processes that do not answer in time, or wrongly', async (context) => {
    const { cluster, tasks } = await withOthers(
      context,
      () => text('{"LDPath":[]}'),
      () => new Promise(() => {}),
      () => text('not here', 403),
    );
    const silent = createServer();
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as { port: number };
    await new Promise((resolve) => silent.close(resolve));
    cluster.members = [...cluster.members, { process: 'h5', url: `http://127.0.0.1:${port}` }];
    const gathered = await tasks.gather(fakeRequest('GET', '/tasks'));
    assert.deepEqual(gathered, { lists: [{ LDPath: [] }], unreachable: ['h3', 'h4', 'h5'] });
  });

  it('T-32: are cancelled by their own process', async (context) => {
    const { tasks } = await withOthers(context, ({ method, target }) => text(`${method} ${target}`));
    const request = fakeRequest('DELETE', '/tasks/Importer/x@h2', {
      headers: { Host: 'x', 'Content-Length': '3' },
    });
    const response = await tasks.execute(request, 'h2');
    assert.equal(String(response?.body), 'DELETE /tasks/Importer/x@h2');
    assert.equal(tasks.execute(request, 'h1'), undefined);
    assert.equal(tasks.execute(request, 'h9'), undefined);
  });

  it('have the head of their own process alone in the response to HEAD', async (context) => {
    const { tasks } = await withOthers(context, () => text('a task'));
    const request = fakeRequest('HEAD', '/tasks/Importer/x@h2', { headers: { Host: 'x' } });
    const response = await tasks.execute(request, 'h2');
    assert.deepEqual([response?.body, response?.length], [undefined, 6]);
  });

  it('are asked for under the id of the request', async (context) => {
    const { tasks } = await withOthers(context, ({ requestId }) => text(requestId ?? ''));
    const headers = { Host: 'x' };
    const request = { ...fakeRequest('GET', '/tasks/Importer/x@h2', { headers }), requestId: 'r1' };
    assert.equal(String((await tasks.execute(request, 'h2'))?.body), 'r1');
  });

  it('are 503 unavailable while their process starts or stops', async (context) => {
    const { tasks } = await withOthers(context, (request) => problemResponse(notHere, request));
    const request = fakeRequest('DELETE', '/tasks/Importer/x@h2', { headers: { Host: 'x' } });
    const response = await tasks.execute(request, 'h2');
    assert.equal((bodyJson(response!) as { code: string }).code, 'unavailable');
  });

  it('are 503 unavailable if their process cannot be reached', async (context) => {
    const { cluster, tasks } = await withOthers(context);
    cluster.members = [{ process: 'h2', url: 'http://127.0.0.1:1' }];
    const response = await tasks.execute(fakeRequest('DELETE', '/tasks/Importer/x@h2'), 'h2');
    assert.equal(response?.status, 503);
    assert.equal((bodyJson(response) as { code: string }).code, 'unavailable');
  });
});
