import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { type ErrorCode, failure } from '../../../src/errors.ts';
import { TrustedProxies } from '../../../src/http/middleware/trusted-proxies.ts';
import { problemResponse } from '../../../src/http/problem.ts';
import type { HttpRequest, HttpResponse } from '../../../src/http/server/message.ts';
import { RequestLog } from '../../../src/http/server/request-log.ts';
import { rawRequest } from '../../support/raw-request.ts';
import { tested } from '../../support/tested-front.ts';
import { RawClient } from '../raw-client.ts';
import { serve, text } from '../test-server.ts';

type Line = Record<string, unknown>;

/** A log that keeps its lines, of which one can wait for more. */
function keptLog() {
  const lines: Line[] = [];
  let wake = () => {};
  const info = (details: object) => {
    lines.push({ ...details });
    wake();
  };
  const request = async (nth: number): Promise<Line> => {
    for (;;) {
      const line = lines.filter(({ event }) => event === 'request')[nth];
      if (line) return line;
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    }
  };
  const log = { info, debug: info, isLevelEnabled: (level: string) => level === 'info' };
  return { lines, request, requestLog: new RequestLog(log) };
}

const piece = Buffer.alloc(100_000, 'x');
async function* pieces(count: number): AsyncGenerator<Uint8Array> {
  for (let i = 0; i < count; i++) {
    await setImmediate();
    yield piece;
  }
}
const responses: Record<string, () => HttpResponse> = {
  '/whole': () => text('hällo'),
  '/bytes': () => ({ status: 201, headers: [], body: new Uint8Array(10) }),
  '/long': () => ({ status: 200, headers: [], body: Buffer.alloc(300_000, 'x') }),
  '/long-text': () => text('x'.repeat(300_000)),
  '/streamed': () => ({ status: 200, headers: [], body: pieces(3) }),
  '/sized': () => ({ status: 200, headers: [], body: pieces(3), length: 300_000 }),
  '/empty': () => ({ status: 204, headers: [] }),
  '/same': () => ({ status: 304, headers: [] }),
};

test('a complete request is logged with its status, bytes, duration and client', async (t) => {
  const log = keptLog();
  const handle = (request: HttpRequest) => responses[request.path]!();
  const server = await serve(t, handle, { requestLog: log.requestLog });
  const expected = [
    ['GET', '/whole', 200, 6],
    ['GET', '/bytes', 201, 10],
    ['GET', '/long', 200, 300_000],
    ['GET', '/long-text', 200, 300_000],
    ['GET', '/streamed', 200, 300_000],
    ['GET', '/sized', 200, 300_000],
    ['GET', '/empty', 204, 0],
    ['GET', '/same', 304, 0],
    ['HEAD', '/whole', 200, 0],
    ['HEAD', '/streamed', 200, 0],
    ['HEAD', '/long', 200, 0],
  ] as const;
  for (const [nth, [method, target, status, bytes]] of expected.entries()) {
    const { headers } = await rawRequest(`${server.url + target}?a=b`, method);
    const { duration, requestId, ...line } = await log.request(nth);
    assert.deepEqual(line, {
      event: 'request',
      method,
      target: `${target}?a=b`,
      client: '127.0.0.1',
      status,
      bytes,
    });
    assert.ok(Number(duration) >= 0);
    assert.equal(headers['x-request-id'], requestId);
  }
  assert.equal(log.lines.length, expected.length, 'nothing else is said');
  assert.equal(new Set(log.lines.map(({ requestId }) => requestId)).size, expected.length);
});

test('G-140: a request id from the client is logged, returned, and repeated in problems', async (t) => {
  const log = keptLog();
  const problem = (request: HttpRequest) => problemResponse(failure('not-found', 'No.').error, request);
  const server = await serve(t, problem, { requestLog: log.requestLog });
  const given = ['a', '4bf92f35-77b3-4da6_a3ce.929d~0e:/+=@', 'x'.repeat(128)];
  for (const [nth, id] of given.entries()) {
    const response = await rawRequest(server.url, 'GET', { 'X-Request-Id': id });
    assert.equal(response.headers['x-request-id'], id);
    assert.equal((JSON.parse(response.text) as Line)['requestId'], id);
    assert.equal((await log.request(nth))['requestId'], id);
  }
});

for (const [what, id] of [
  ['quotes and braces', '"},{"level":60'],
  ['a space', 'a b'],
  ['a tabulator', 'a\tb'],
  ['wider characters', 'ä'],
  ['angle brackets', '<script>'],
  ['too many characters', 'x'.repeat(129)],
  ['nothing', ''],
] as const) {
  test(`a request id with ${what} is replaced`, async (t) => {
    const log = keptLog();
    const server = await serve(t, () => text('x'), { requestLog: log.requestLog });
    const client = new RawClient(server.port);
    client.write(Buffer.from(`GET / HTTP/1.1\r\nHost: a\r\nX-Request-Id: ${id}\r\n\r\n`, 'latin1'));
    const { requestId } = await log.request(0);
    assert.match(String(requestId), /^[0-9a-f-]{36}$/);
    const received = await client.until((all) => all.includes('\r\n\r\n'));
    client.end();
    assert.ok(received.includes(`\r\nX-Request-Id: ${requestId}\r\n`));
  });
}

test('without a log no id is generated, but an id from the client is returned', async (t) => {
  const problem = (request: HttpRequest) => problemResponse(failure('not-found', 'No.').error, request);
  const server = await serve(t, problem);
  const bare = await rawRequest(server.url, 'GET');
  assert.equal(bare.headers['x-request-id'], undefined);
  assert.ok(!('requestId' in (JSON.parse(bare.text) as Line)));
  const given = await rawRequest(server.url, 'GET', { 'X-Request-Id': 'mine' });
  assert.equal(given.headers['x-request-id'], 'mine');
  assert.equal((JSON.parse(given.text) as Line)['requestId'], 'mine');
  assert.equal((await rawRequest(server.url, 'GET')).headers['x-request-id'], undefined);
});

test('a rejected write and a failure are logged with the reason', async (t) => {
  const log = keptLog();
  const codes: Record<string, ErrorCode> = {
    '/rejected': 'precondition-failed',
    '/full': 'store-full',
    '/late': 'time-limit',
  };
  const handle = (request: HttpRequest): HttpResponse => {
    const code = codes[request.path];
    return code ? problemResponse(failure(code, 'Secret.').error, request) : text('fine');
  };
  const server = await serve(t, handle, { requestLog: log.requestLog });
  for (const [method, path] of [
    ['PUT', '/rejected'],
    ['PUT', '/full'],
    ['GET', '/late'],
    ['GET', '/rejected'],
    ['PUT', '/fine'],
  ] as const) {
    await rawRequest(server.url + path, method);
  }
  await log.request(4);
  assert.deepEqual(
    log.lines.map(({ event, method, target, status, code }) => [event, method, target, status, code]),
    [
      ['write-refused', 'PUT', '/rejected', 412, 'precondition-failed'],
      ['request', 'PUT', '/rejected', 412, 'precondition-failed'],
      ['write-refused', 'PUT', '/full', 507, 'store-full'],
      ['request', 'PUT', '/full', 507, 'store-full'],
      ['request-failed', 'GET', '/late', 504, 'time-limit'],
      ['request', 'GET', '/late', 504, 'time-limit'],
      ['request', 'GET', '/rejected', 412, 'precondition-failed'],
      ['request', 'PUT', '/fine', 200, undefined],
    ],
  );
  assert.doesNotMatch(JSON.stringify(log.lines), /Secret/);
});

test('an aborted request is logged with the bytes sent', async (t) => {
  const log = keptLog();
  const handle = (request: HttpRequest): HttpResponse | Promise<HttpResponse> =>
    request.path === '/never'
      ? new Promise<HttpResponse>(() => {})
      : { status: 200, headers: [], body: pieces(Number.POSITIVE_INFINITY) };
  const server = await serve(t, handle, { requestLog: log.requestLog });
  const reader = new RawClient(server.port).write('GET /endless HTTP/1.1\r\nHost: a\r\n\r\n');
  await reader.until((received) => received.length > 200_000);
  reader.end();
  const broken = await log.request(0);
  assert.deepEqual([broken['status'], broken['aborted']], [200, true]);
  assert.ok(Number(broken['bytes']) >= 200_000);
  const waiting = new RawClient(server.port).write('GET /never HTTP/1.1\r\nHost: a\r\n\r\n');
  await new Promise((resolve) => waiting.socket.once('connect', resolve));
  waiting.socket.end();
  const { status, bytes, aborted } = await log.request(1);
  assert.deepEqual([status, bytes, aborted], [null, 0, true]);
});

test('a response that fails before its first byte is logged with the bytes of the error response', async (t) => {
  const log = keptLog();
  async function* failing(): AsyncGenerator<Uint8Array> {
    yield await Promise.reject<Uint8Array>(new Error('no bytes'));
  }
  const handle = (): HttpResponse => ({ status: 200, headers: [], body: failing() });
  const server = await serve(t, handle, { requestLog: log.requestLog });
  const response = await fetch(server.url);
  const body = await response.arrayBuffer();
  const { status, bytes } = await log.request(0);
  assert.deepEqual([status, bytes], [response.status, body.byteLength]);
});

test('a method longer than any known one is truncated in the log', {
  skip: tested.front === 'node' && 'node:http passes no method on that it does not know.',
}, async (t) => {
  const log = keptLog();
  const server = await serve(t, () => text('fine'), { requestLog: log.requestLog });
  const bytes = `${'X'.repeat(60_000)} / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
  await new RawClient(server.port).write(bytes).untilClosed();
  assert.equal(String((await log.request(0))['method']).length, 32);
});

test('the client is the one that a trusted proxy names', async (t) => {
  const log = keptLog();
  const proxies = new TrustedProxies(['127.0.0.0/8']);
  const server = await serve(t, (request) => text(request.remoteAddress), {
    requestLog: log.requestLog,
    proxies,
  });
  const headers = { 'X-Forwarded-For': '203.0.113.9, 198.51.100.7' };
  assert.equal((await rawRequest(server.url, 'GET', headers)).text, '198.51.100.7');
  assert.equal((await log.request(0))['client'], '198.51.100.7');
});

test('a request rejected before any handler is logged', async (t) => {
  const log = keptLog();
  const server = await serve(t, () => text('x'), { requestLog: log.requestLog, basePath: '/store' });
  await rawRequest(`${server.url}/elsewhere`, 'GET');
  const client = new RawClient(server.port);
  client.write('PUT /store HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip\r\n\r\n');
  await client.untilClosed();
  assert.deepEqual(
    [(await log.request(0))['code'], (await log.request(1))['code']],
    ['not-found', 'bad-arguments'],
  );
});

test('G-144: a request with a valid traceparent is logged with its trace', async (t) => {
  const log = keptLog();
  const server = await serve(t, () => text('ok'), { requestLog: log.requestLog });
  const id = '0af7651916cd43dd8448eb211c80319c';
  const parents = [
    `00-${id}-b7ad6b7169203331-01`,
    `00-${'0'.repeat(32)}-b7ad6b7169203331-01`,
    'x',
    `ff-${id}-b7ad6b7169203331-01`,
  ];
  for (const [nth, traceparent] of parents.entries()) {
    await rawRequest(`${server.url}/`, 'GET', { traceparent });
    assert.equal((await log.request(nth))['traceId'], nth === 0 ? id : undefined, traceparent);
  }
});
