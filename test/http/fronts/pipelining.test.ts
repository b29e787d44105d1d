/** Requests before the response to an earlier one, and bodies that wait for `100 Continue`. */
import assert from 'node:assert/strict';
import { channel } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { problemResponse } from '../../../src/http/problem.ts';
import type { HttpRequest, HttpResponse } from '../../../src/http/server/message.ts';
import { tested } from '../../support/tested-front.ts';
import { RawClient } from '../raw-client.ts';
import { serve, text } from '../test-server.ts';

tested.front = 'node';

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

const put = (path: string, body: string, ...fields: string[]) =>
  [`PUT ${path} HTTP/1.1`, 'Host: a', `Content-Length: ${body.length}`, ...fields, '', body].join('\r\n');

test('pipelined requests are carried out one after the other, and their responses are in order', async (t) => {
  let stored = 'old';
  let running = 0;
  const server = await serve(t, async (request) => {
    assert.equal(++running, 1);
    if (request.method === 'PUT') {
      const body = await request.readBody(1000);
      await turn();
      if (body.ok) stored = Buffer.from(body.value).toString();
    }
    await turn();
    running--;
    return text(`${stored}|`);
  });
  const client = new RawClient(server.port).write(
    get('/') + put('/', 'new') + get('/') + put('/', 'x'.repeat(500)) + get('/'),
  );
  const received = await client.until((all) => all.split('|').length === 6);
  client.end();
  const bodies = [...received.matchAll(/\r\n\r\n([^|]*)\|/g)].map(([, body]) => body);
  assert.deepEqual(bodies, ['old', 'new', 'new', 'x'.repeat(500), 'x'.repeat(500)]);
  assert.deepEqual(server.internalErrors, []);
});

test('requests that come in many packets while the first one waits are all answered', async (t) => {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const server = await serve(t, async (request) => {
    if (request.path === '/first') await released;
    return text('<>');
  });
  const client = new RawClient(server.port).write(get('/first'));
  for (let i = 0; i < 100; i++) {
    client.write(get('/next'));
    await turn();
  }
  release();
  await client.until((all) => all.split('<>').length === 102);
  client.end();
});

test('a client that sends hundreds of requests at once without waiting is disconnected', async (t) => {
  let cancelled = 0;
  let carriedOut = 0;
  const server = await serve(t, (request) => {
    carriedOut++;
    request.onAbort(() => cancelled++);
    return new Promise<HttpResponse>(() => {});
  });
  const client = new RawClient(server.port).write(get('/').repeat(1_000));
  assert.equal(await client.untilClosed(), '');
  assert.deepEqual([carriedOut, cancelled], [1, 1]);
});

/** Calls `listener` with each request that node:http has parsed. */
function onParsed(t: TestContext, listener: (request: IncomingMessage) => void): void {
  const parsed = channel('http.server.request.start');
  const subscriber = (message: unknown) => listener((message as { request: IncomingMessage }).request);
  parsed.subscribe(subscriber);
  t.after(() => parsed.unsubscribe(subscriber));
}

/** A gate that requests wait for. */
function gate(): { readonly open: () => void; readonly passed: Promise<void> } {
  let open = () => {};
  const passed = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, passed };
}

const PIECES = 1_000;
const piece = Buffer.alloc(64 * 1024);
const BODY = PIECES * piece.length;

/** Writes pieces as fast as the server reads them. */
function pour(client: RawClient, pieces: number): { taken: number } {
  const progress = { taken: 0 };
  const next = () => {
    if (progress.taken < pieces) {
      client.socket.write(piece, () => {
        progress.taken++;
        next();
      });
    }
  };
  next();
  return progress;
}

test('the body of a waiting request stays in the socket, whatever came in the same packet', async (t) => {
  for (const between of [get('/').repeat(11), put('/', 'x'.repeat(20_000))]) {
    const entered = gate();
    const released = gate();
    const server = await serve(t, async (request) => {
      entered.open();
      if (request.path === '/first') await released.passed;
      const body = await request.readBody(BODY);
      return text(body.ok ? `<${body.value.length}>` : body.error.code);
    });
    const begun = `PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: ${BODY}\r\n\r\n${piece.subarray(0, 20_000)}`;
    const client = new RawClient(server.port).write(get('/first') + between + begun);
    await entered.passed;
    const progress = pour(client, PIECES - 1);
    for (let before = 0; progress.taken === 0 || progress.taken !== before; ) {
      before = progress.taken;
      for (let i = 0; i < 5; i++) await (await fetch(server.url)).arrayBuffer();
    }
    assert.ok(progress.taken < PIECES / 2, `${progress.taken} pieces were read`);
    released.open();
    client.write(piece.subarray(20_000));
    await client.until((all) => all.endsWith(`<${BODY}>`));
    client.end();
  }
});

test('requests behind the last response of a connection are not even parsed', async (t) => {
  let hidden = 0;
  onParsed(t, (request) => {
    if (request.url === '/hidden') hidden++;
  });
  const server = await serve(t, () => text('<>'));
  const client = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
  client.write('GET / HTTP/1.1\r\nHost: a b\r\n\r\n');
  await new Promise((resolve) => client.resume().on('end', resolve));
  client.end(get('/hidden').repeat(20_000));
  await new Promise((resolve) => client.on('close', resolve));
  assert.equal(hidden, 0);
});

test('the time limit of a client that was slow to read does not apply to its next request', async (t) => {
  let socket: IncomingMessage['socket'] | undefined;
  onParsed(t, (request) => {
    if (request.url !== '/other') socket = request.socket;
  });
  const limits = new Set<number>();
  const server = await serve(t, (request) => {
    if (request.path === '/other') return text('');
    limits.add(socket?.timeout ?? 0);
    return text('x'.repeat(60_000));
  });
  const client = new RawClient(server.port);
  client.socket.pause();
  client.write(get('/').repeat(200));
  while (!socket?.timeout) await (await fetch(`${server.url}/other`)).text();
  client.socket.resume();
  await client.until((all) => all.length > 200 * 60_000);
  client.end();
  assert.deepEqual([...limits], [0]);
});

test('a malformed request behind others is answered behind them', async (t) => {
  const server = await serve(t, async (request) => {
    await turn();
    return text(`<${request.path}>`);
  });
  const client = new RawClient(server.port).write(`${get('/a')}${get('/b')}nonsense\r\n\r\n${get('/c')}`);
  const received = await client.untilClosed();
  assert.deepEqual(received.match(/HTTP\/1\.1 \d+|<\/.>/g), [
    'HTTP/1.1 200',
    '</a>',
    'HTTP/1.1 200',
    '</b>',
    'HTTP/1.1 501',
  ]);
});

/** `/early` decides by the head alone. */
async function answer(request: HttpRequest): Promise<HttpResponse> {
  if (request.path === '/early') return text('not found', 404);
  if (request.path === '/empty') return { status: 204, headers: [] };
  if (request.path === '/streamed') {
    let bytes = 0;
    for await (const chunk of request.streamBody(1000)) bytes += chunk.length;
    return text(`<${bytes}>`);
  }
  const body = await request.readBody(1000);
  return body.ok ? text(`<${body.value.length}>`) : problemResponse(body.error, request);
}

const expecting = (path: string, length: number) =>
  `PUT ${path} HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: ${length}\r\n\r\n`;

test('G-94: 100 is sent when the body is needed, and not before', async (t) => {
  const server = await serve(t, answer);
  for (const path of ['/', '/streamed']) {
    const client = new RawClient(server.port).write(expecting(path, 3));
    await client.until((all) => all === 'HTTP/1.1 100 Continue\r\n\r\n');
    client.write('abc');
    await client.until((all) => all.endsWith('<3>'));
    client.write(get('/early'));
    await client.until((all) => all.endsWith('not found'));
    client.end();
  }
});

test('G-94: a response that the head alone decides comes without 100, and ends the connection', async (t) => {
  const server = await serve(t, answer);
  for (const [path, length, status] of [
    ['/early', 3, 404],
    ['/empty', 3, 204],
    ['/', 2000, 413],
  ] as const) {
    const client = new RawClient(server.port).write(expecting(path, length));
    const received = await client.untilClosed();
    assert.match(received, new RegExp(`^HTTP/1\\.1 ${status} .*\\r\\nConnection: close\\r\\n`, 's'));
  }
});

test('G-94: a client that sends the body without waiting gets a response', async (t) => {
  const server = await serve(t, answer);
  const client = new RawClient(server.port).write(`${expecting('/', 3)}abc`);
  assert.match(await client.until((all) => all.endsWith('<3>')), /HTTP\/1\.1 200 /);
  client.end();
  const other = new RawClient(server.port).write(`${expecting('/early', 3)}abc${get('/')}`);
  const received = await other.until((all) => all.endsWith('<0>'));
  assert.deepEqual(received.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 100', 'HTTP/1.1 404', 'HTTP/1.1 200']);
  other.end();
});
