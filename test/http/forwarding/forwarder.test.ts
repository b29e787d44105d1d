import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { failure } from '../../../src/errors.ts';
import type { PeerAddress } from '../../../src/http/forwarding/cluster-view.ts';
import { Forwarder } from '../../../src/http/forwarding/forwarder.ts';
import { PeerClient } from '../../../src/http/forwarding/peer-client.ts';
import type { FrontName } from '../../../src/http/fronts/known-fronts.ts';
import { withCommitTokens } from '../../../src/http/middleware/commit-tokens.ts';
import { Peers } from '../../../src/http/middleware/peers.ts';
import type { HttpRequest, HttpResponse } from '../../../src/http/server/message.ts';
import { availableFronts } from '../../support/tested-front.ts';
import { RawClient } from '../raw-client.ts';
import { serve, text } from '../test-server.ts';
import { FakeCluster } from './fake-cluster.ts';

const SECRET = 'the secret of the cluster';

type Handle = (request: HttpRequest) => HttpResponse | Promise<HttpResponse>;

interface Cluster {
  /** The process that does not hold the lease. */
  readonly url: string;
  readonly port: number;
  readonly holderUrl: string;
  readonly view: FakeCluster;
  readonly forwarder: Forwarder;
  /** Commits that the first process has been asked to wait for. */
  readonly awaited: number[];
  /** The processes that operators are told about. */
  readonly unreachable: string[];
}

interface Options {
  readonly front?: FrontName;
  readonly redirects?: boolean;
  /** Executes requests at the first process. */
  readonly local?: Handle;
}

function newPeers(): Peers {
  const peers = new Peers();
  peers.trust(SECRET);
  return peers;
}

/** Two processes in this one; `handle` executes requests at the second, which holds the lease. */
async function clusterOf(context: TestContext, handle: Handle, options: Options = {}): Promise<Cluster> {
  const { front, redirects = false, local = () => text('executed here') } = options;
  const ofFront = front === undefined ? {} : { front };
  const second = await serve(context, handle, { ...ofFront, peers: newPeers() });
  const view = new FakeCluster();
  view.holder = { process: 'second', url: second.url };
  const client = new PeerClient((process) => !view.members.some((each) => each.process === process));
  context.after(() => client.close());
  const awaited: number[] = [];
  const commits = {
    identityName: 'abcdefgh',
    snapshot: { sequence: 1 },
    whenCommitted: (sequence: number) => {
      awaited.push(sequence);
      return Promise.resolve(true);
    },
  };
  const peers = newPeers();
  const unreachable: string[] = [];
  const onUnreachable = ({ process }: PeerAddress) => unreachable.push(process);
  const forwarder = new Forwarder(
    { cluster: view, client, peers, commits, redirects, routeOf: () => '/', onUnreachable },
    local,
  );
  const first = await serve(
    context,
    withCommitTokens((request) => forwarder.handle(request), commits),
    { ...ofFront, peers },
  );
  const { url, port } = first;
  return { url, port, holderUrl: second.url, view, forwarder, awaited, unreachable };
}

/** Responds with what it has received. */
async function echo(request: HttpRequest): Promise<HttpResponse> {
  const body = await request.readBody(2 ** 26);
  const shown = body.ok ? Buffer.from(body.value).toString() : body.error.code;
  const { method, target, remoteAddress } = request;
  const headers = Object.fromEntries(
    ['content-type', 'authorization', 'x-a', 'te', 'expect', 'x-hop'].map((name) => [
      name,
      request.header(name),
    ]),
  );
  return {
    status: 201,
    headers: [
      ['Content-Type', 'application/json'],
      ['Location', 'http://data.example/a'],
      ['Link', '<a>; rel="x"'],
      ['Link', '<b>; rel="y"'],
      ['Pathpool-Commit', 'abcdefgh.7'],
    ],
    body: JSON.stringify({ method, target, remoteAddress, headers, body: shown }),
  };
}

for (const front of availableFronts) {
  describe(`a request that writes, at a process without the lease (${front})`, () => {
    it('G-152: is executed by the holder, whose response is passed on', async (context) => {
      const { url, awaited } = await clusterOf(context, echo, { front });
      const response = await fetch(`${url}/context?graph=urn:x:%C3%A4`, {
        method: 'PUT',
        headers: { 'Content-Type': 'text/turtle', Authorization: 'Basic eDp5', 'X-A': 'e' },
        body: '<a> <b> <c> .',
      });
      assert.equal(response.status, 201);
      assert.equal(response.headers.get('location'), 'http://data.example/a');
      assert.equal(response.headers.get('link'), '<a>; rel="x", <b>; rel="y"');
      assert.equal(response.headers.get('pathpool-commit'), 'abcdefgh.7');
      const seen = (await response.json()) as { remoteAddress: string };
      assert.deepEqual(seen, {
        method: 'PUT',
        target: '/context?graph=urn:x:%C3%A4',
        remoteAddress: seen.remoteAddress,
        headers: { 'content-type': 'text/turtle', authorization: 'Basic eDp5', 'x-a': 'e' },
        body: '<a> <b> <c> .',
      });
      assert.match(seen.remoteAddress, /127\.0\.0\.1/);
      assert.deepEqual(awaited, [7]);
    });

    it('may have characters beyond ASCII in its target, where the front admits them', async (context) => {
      const { port } = await clusterOf(context, ({ target }) => text(encodeURI(target)), { front });
      const client = new RawClient(port);
      context.after(() => client.end());
      client.write('PUT /context?graph=urn:é€ HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n\r\nx');
      const received = await client.until((all) => /urn:%|}/.test(all));
      if (front === 'uws') assert.match(received, /200 OK[\s\S]*\/context\?graph=urn:%C3%A9%E2%82%AC/);
      else assert.match(received, /400 Bad Request/);
    });

    it('may have a response with a long head, such as one that repeats a long IRI', async (context) => {
      const location = `http://data.example/${'%C3%A4'.repeat(10_000)}`;
      const created: Handle = () => ({ status: 201, headers: [['Location', location]] });
      const { port } = await clusterOf(context, created, { front });
      const client = new RawClient(port);
      context.after(() => client.end());
      client.write('POST /resource HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\n\r\n');
      const received = await client.until((all) => all.includes('\r\n\r\n'));
      assert.match(received, /^HTTP\/1.1 201 Created/);
      assert.ok(received.includes(location));
    });

    it('may have no body, and its response none', async (context) => {
      const { url } = await clusterOf(context, () => ({ status: 204, headers: [] }), { front });
      const response = await fetch(`${url}/resource`, { method: 'DELETE' });
      assert.equal(response.status, 204);
      const posted = await fetch(`${url}/resource`, { method: 'POST' });
      assert.equal(posted.status, 204);
    });

    it('has a long body, and its response too, both of which are streamed', async (context) => {
      const reverse: Handle = async (request) => {
        let length = 0;
        for await (const chunk of request.streamBody(2 ** 26)) length += chunk.length;
        async function* body() {
          for (let i = 0; i < 64; i++) yield Buffer.alloc(2 ** 16, length % 251);
        }
        return { status: 200, headers: [], body: body() };
      };
      const { url } = await clusterOf(context, reverse, { front });
      const sent = Buffer.alloc(5_000_000, 1);
      const response = await fetch(`${url}/content/a/b?uri=urn:x:a`, { method: 'PUT', body: sent });
      const received = Buffer.from(await response.arrayBuffer());
      assert.equal(received.length, 64 * 2 ** 16);
      assert.ok(received.every((byte) => byte === sent.length % 251));
    });

    it('may have a chunked body, and expect 100', async (context) => {
      const { port } = await clusterOf(context, echo, { front });
      const client = new RawClient(port);
      context.after(() => client.end());
      client.write(
        'POST /context HTTP/1.1\r\nHost: localhost\r\nConnection: close, X-Hop\r\nX-Hop: 1\r\nTE: trailers\r\n' +
          'Transfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n',
      );
      await client.until((received) => received.includes('100 Continue'));
      client.write('3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n');
      const received = await client.untilClosed();
      assert.match(received, /201 Created/);
      assert.match(received, /"headers":\{\},"body":"abcde"/);
    });

    it('G-16: is 431 with a problem if it has too many header fields for its way', async (context) => {
      const { port } = await clusterOf(context, echo, { front });
      for (const [count, expected] of [
        [93, /^HTTP\/1\.1 201 /],
        [98, /^HTTP\/1\.1 431 [\s\S]*forwarded[\s\S]*"code":"head-too-large"/],
      ] as const) {
        const client = new RawClient(port);
        context.after(() => client.end());
        const more = Array.from({ length: count - 2 }, (_, i) => `X-Field-${i}: ${i}\r\n`).join('');
        client.write(`PUT /context HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1\r\n${more}\r\nx`);
        assert.match(await client.until((received) => received.endsWith('}')), expected);
      }
    });

    it('G-154: is redirected to the holder, if the operator wants that', async (context) => {
      const { url, holderUrl } = await clusterOf(context, echo, { front, redirects: true });
      const init = { method: 'PUT', body: 'x', redirect: 'manual' } as const;
      const response = await fetch(`${url}/context?graph=urn:x:a`, init);
      assert.equal(response.status, 307);
      assert.equal(response.headers.get('location'), `${holderUrl}/context?graph=urn:x:a`);
    });

    it('gets an early response of the holder, although its body is still on its way', async (context) => {
      const refuse: Handle = (request) => ({
        status: request.method === 'PUT' ? 415 : 200,
        headers: [],
        body: 'no',
      });
      const { port } = await clusterOf(context, refuse, { front });
      const client = new RawClient(port);
      context.after(() => client.end());
      client.write('PUT /context HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\nabc');
      assert.match(await client.until((received) => received.includes('no')), /415 Unsupported/);
    });
  });
}

describe('a request that writes, when the holder cannot be reached', () => {
  it('G-153: waits for another holder', async (context) => {
    const { url, holderUrl, view } = await clusterOf(context, echo);
    view.holder = undefined;
    view.onWait = () => {
      view.holder = { process: 'second', url: holderUrl };
    };
    const response = await fetch(`${url}/context`, { method: 'POST', body: 'x' });
    assert.equal(response.status, 201);
  });

  it('G-153: is 503 then, with the reason, which the operator is told once', {
    timeout: 60_000,
  }, async (context) => {
    const { url, view, unreachable } = await clusterOf(context, echo);
    view.holder = { process: 'second', url: 'https://127.0.0.1:1' };
    const write = async () => {
      const response = await fetch(`${url}/context`, { method: 'POST', body: 'x' });
      assert.equal(response.status, 503);
      return ((await response.json()) as { detail: string }).detail;
    };
    const details = await Promise.all([write(), write()]);
    for (const detail of details) assert.match(detail, /process second,.* can't be reached \(.*ECONNREFUSED/);
    assert.deepEqual(unreachable, ['second']);
  });

  it('is executed here if this process gets the lease meanwhile', async (context) => {
    const local: Handle = async (request) => {
      const body = await request.readBody(100);
      return text(`here: ${body.ok && Buffer.from(body.value).toString()}`);
    };
    const { url, view } = await clusterOf(context, echo, { local });
    view.holder = { process: 'gone', url: 'http://127.0.0.1:1' };
    view.onWait = () => view.takeOver();
    const response = await fetch(`${url}/context`, { method: 'POST', body: 'x' });
    assert.equal(await response.text(), 'here: x');
  });

  it('is executed here then, even if its handler asks whether it may write', async (context) => {
    const local: Handle = async (request) => {
      const body = await request.readBody(100);
      const error = await request.checkWrite();
      return text(error?.code ?? `here: ${body.ok && Buffer.from(body.value).toString()}`);
    };
    const { url, view } = await clusterOf(context, echo, { local });
    view.holder = undefined;
    view.onWait = () => view.takeOver();
    const update = { method: 'POST', headers: { 'Content-Type': 'application/sparql-update' }, body: 'x' };
    assert.equal(await (await fetch(`${url}/sparql/update`, update)).text(), 'here: x');
    view.holdsLease = false;
    const form = { method: 'POST', body: new URLSearchParams({ update: 'x' }) };
    assert.equal(await (await fetch(`${url}/sparql`, form)).text(), 'here: update=x');
  });

  it('is sent again after the holder has said that it no longer holds the lease', async (context) => {
    let asked = 0;
    const handle: Handle = (request) => (asked++ === 0 ? { status: 421, headers: [] } : echo(request));
    const { url } = await clusterOf(context, handle);
    const response = await fetch(`${url}/context`, { method: 'POST', body: 'x' });
    assert.equal(response.status, 201);
    assert.match(await response.text(), /"body":"x"/);
  });

  it('is 502 outcome-unknown if the connection breaks off after all was sent', async (context) => {
    const { url, view, forwarder } = await clusterOf(context, echo);
    const server = createServer((socket) => socket.on('data', () => socket.destroy()));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    context.after(() => server.close());
    const { port } = server.address() as { port: number };
    view.holder = { process: 'second', url: `http://127.0.0.1:${port}` };
    const response = await fetch(`${url}/context`, { method: 'POST', body: 'x' });
    assert.equal(response.status, 502);
    assert.equal(((await response.json()) as { code: string }).code, 'outcome-unknown');
    assert.equal(forwarder.counts.unknown, 1);
  });

  it('is 503 unavailable if the connection breaks off before the end of its body', async (context) => {
    const { port, view } = await clusterOf(context, echo);
    const server = createServer((socket) => socket.on('data', () => socket.destroy()));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    context.after(() => server.close());
    view.holder = {
      process: 'second',
      url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    };
    const client = new RawClient(port);
    context.after(() => client.end());
    client.write('PUT /context HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\nabc');
    const received = await client.until((all) => all.includes('unavailable'));
    assert.match(received, /503 Service Unavailable[\s\S]*Retry-After: 1\r\n/i);
  });
});

describe('a process of a cluster', () => {
  it('executes reads, and requests for its own tasks and state, itself', async (context) => {
    const { url } = await clusterOf(context, echo);
    for (const [method, path] of [
      ['GET', '/context'],
      ['POST', '/ldpath/batch'],
      ['DELETE', '/tasks/Importer/x'],
      ['PUT', '/health/live'],
    ] as const) {
      const response = await fetch(url + path, { method });
      assert.equal(await response.text(), 'executed here', path);
    }
  });

  it('executes what writes if it holds the lease', async (context) => {
    const { url, view } = await clusterOf(context, echo);
    view.takeOver();
    const response = await fetch(`${url}/context`, { method: 'PUT', body: 'x' });
    assert.equal(await response.text(), 'executed here');
  });

  it('G-155: does not forward what was forwarded to it', async (context) => {
    const { url } = await clusterOf(context, echo);
    const headers = { 'Pathpool-Peer': SECRET, 'Pathpool-Client': '192.0.2.1' };
    const response = await fetch(`${url}/context`, { method: 'PUT', body: 'x', headers });
    assert.equal(response.status, 421);
  });

  it('believes no client that pretends to be another process', async (context) => {
    const { url } = await clusterOf(context, echo);
    const headers = { 'Pathpool-Peer': `${SECRET}?`, 'Pathpool-Client': '192.0.2.1' };
    const response = await fetch(`${url}/context`, { method: 'PUT', body: 'x', headers });
    assert.equal(response.status, 201);
    assert.match(await response.text(), /"remoteAddress":"127\.0\.0\.1"/);
  });

  it('forwards a form that turns out to be an update', async (context) => {
    const local: Handle = async (request) => {
      const body = await request.readBody(1000);
      assert.ok(body.ok);
      if (!Buffer.from(body.value).toString().startsWith('update=')) return text('a query');
      const error = await request.checkWrite();
      return error ? text(error.code) : text('updated here');
    };
    const { url } = await clusterOf(context, echo, { local });
    const query = await fetch(`${url}/sparql`, {
      method: 'POST',
      body: new URLSearchParams({ query: 'ASK {}' }),
    });
    assert.equal(await query.text(), 'a query');
    assert.equal(query.headers.get('pathpool-commit'), null);
    const body = new URLSearchParams({ update: 'CLEAR ALL' });
    const update = await fetch(`${url}/sparql`, { method: 'POST', body });
    assert.match(await update.text(), /"body":"update=CLEAR\+ALL"/);
  });

  it('passes the cancellation of a client on', async (context) => {
    let cancel = () => {};
    const cancelled = new Promise<void>((resolve) => {
      cancel = resolve;
    });
    const controller = new AbortController();
    const wait: Handle = (request) => {
      request.onAbort(cancel);
      controller.abort();
      return new Promise(() => {});
    };
    const { url } = await clusterOf(context, wait);
    const init = { method: 'PUT', body: 'x', signal: controller.signal };
    await assert.rejects(fetch(`${url}/context`, init));
    await cancelled;
  });

  it('reports the failure of the client to send its body', async (context) => {
    const slow: Handle = async (request) => {
      const body = await request.readBody(100);
      return body.ok ? text('read') : text(failure(body.error.code, '').error.code);
    };
    const { url } = await clusterOf(context, slow);
    const response = await fetch(`${url}/context`, { method: 'PUT', body: Buffer.alloc(100_000) });
    assert.equal(await response.text(), 'too-large');
  });
});
