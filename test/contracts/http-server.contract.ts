/** What the server does with HTTP, whatever its front. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { problemResponse } from '../../src/http/problem.ts';
import { HeaderTemplate } from '../../src/http/server/header-lines.ts';
import type { HttpRequest, HttpResponse } from '../../src/http/server/message.ts';
import { isComplete, RawClient } from '../http/raw-client.ts';
import { serve, text } from '../http/test-server.ts';

const GET = (path: string, ...headers: string[]) =>
  [`GET ${path} HTTP/1.1`, 'Host: a', ...headers, '', ''].join('\r\n');

/** Answers with what the body was, or with the problem. */
const echo =
  (maxBytes: number) =>
  async (request: HttpRequest): Promise<HttpResponse> => {
    const body = await request.readBody(maxBytes);
    return body.ok ? { status: 200, headers: [], body: body.value } : problemResponse(body.error, request);
  };

test('a request reaches the handler as plain data', async (t) => {
  const seen: HttpRequest[] = [];
  const server = await serve(
    t,
    (request) => {
      seen.push(request);
      return text(request.remoteAddress);
    },
    { basePath: '/store' },
  );
  const response = await fetch(`${server.url}/store/a%2Fb/?x=%20+`, { headers: { 'X-Some': 'value' } });
  assert.match(await response.text(), /127.*1|:0001$/);
  const [request] = seen;
  assert.equal(request!.method, 'GET');
  assert.equal(request!.path, '/a%2Fb/');
  assert.equal(request!.query, 'x=%20+');
  assert.equal(request!.target, '/store/a%2Fb/?x=%20+');
  assert.equal(request!.header('x-some'), 'value');
  assert.equal(request!.header('x-none'), undefined);
  assert.equal(request!.remoteAddress, '127.0.0.1', 'kept, since it was asked for');
});

test('the values of a repeated header are joined in their order', async (t) => {
  const server = await serve(t, (request) => text(request.header('link') ?? ''));
  const client = new RawClient(server.port).write(GET('/', 'Link: <a>', 'link: <b>', 'LINK: <c>'));
  assert.match(await client.until(isComplete), /\r\n\r\n<a>, <b>, <c>$/);
  client.end();
});

test('headers are available after the handler has waited', async (t) => {
  const server = await serve(t, async (request) => {
    await setImmediate();
    return text(request.header('x-some') ?? 'gone');
  });
  const response = await fetch(server.url, { headers: { 'X-Some': 'value' } });
  assert.equal(await response.text(), 'value');
});

test('G-24, G-31: every response carries Date, the CORS headers and nosniff', async (t) => {
  const responses: Record<string, HttpResponse> = {
    '/ok': text('ok'),
    '/none': text('none', 404),
    '/moved': { status: 303, headers: [['Location', '/ok']] },
    '/empty': { status: 204, headers: [] },
    '/same': { status: 304, headers: [['ETag', '"a-b"']] },
  };
  const server = await serve(t, (request) => responses[request.path]!, { allowOrigins: ['*'] });
  for (const path of Object.keys(responses)) {
    const before = Date.now();
    const response = await fetch(server.url + path, { redirect: 'manual' });
    assert.equal(response.status, responses[path]!.status);
    const date = Date.parse(response.headers.get('date')!);
    // In seconds, and of the turn of the event loop in which the second began.
    assert.ok(date > before - 5_000 && date <= Date.now(), path);
    assert.equal(response.headers.get('access-control-allow-origin'), '*');
    assert.match(
      response.headers.get('access-control-expose-headers')!,
      /Accept-Patch,.* Vary, X-Request-Id$/,
    );
    assert.equal(response.headers.get('x-content-type-options'), 'nosniff');
    assert.equal(response.headers.get('uwebsockets'), null, 'the library is not named');
    await response.arrayBuffer();
  }
});

test('each header of a response is a separate line', async (t) => {
  const headers = [
    ['Content-Type', 'text/turtle; charset=utf-8'],
    ['ETag', '"s1-turtle"'],
    ['Link', '<http://a/>; rel="canonical"'],
  ] as const;
  const server = await serve(t, () => ({ status: 200, headers, body: 'x' }));
  const response = await fetch(server.url);
  for (const [name, value] of headers) assert.equal(response.headers.get(name), value);
});

test('a header value with a line end is not written: 500, logged, nothing injected', async (t) => {
  for (const bad of ['a\r\nSet-Cookie: x=1', 'a\nb', 'a\rb', 'a\0b']) {
    const server = await serve(t, () => ({ status: 200, headers: [['X-Name', bad]], body: 'secret' }));
    const client = new RawClient(server.port).write(GET('/'));
    const received = await client.until(isComplete);
    client.end();
    assert.match(received, /^HTTP\/1.1 500 /);
    assert.doesNotMatch(received, /Set-Cookie|X-Name|secret/);
    assert.equal(server.internalErrors.length, 1);
  }
});

test('an error that a handler throws is logged and not disclosed', async (t) => {
  const server = await serve(t, (request) => {
    if (request.path === '/throw') throw new Error('disk /var/secret');
    return Promise.reject(new Error('disk /var/secret'));
  });
  for (const path of ['/throw', '/reject']) {
    const response = await fetch(server.url + path);
    assert.equal(response.status, 500);
    const problem = (await response.json()) as { detail: string; code: string };
    assert.equal(problem.code, 'internal');
    assert.doesNotMatch(JSON.stringify(problem), /secret|at .*\.ts/);
    const { faultId } = server.internalErrors.at(-1) as { faultId: string };
    assert.ok(problem.detail.includes(faultId));
  }
});

test('a handler without a response costs only its connection', async (t) => {
  const server = await serve(t, (request) => {
    const nothing = undefined as unknown as HttpResponse;
    if (request.path === '/ok') return text('ok');
    return request.path === '/later' ? Promise.resolve(nothing) : nothing;
  });
  for (const path of ['/', '/later']) await assert.rejects(fetch(server.url + path));
  assert.equal(server.internalErrors.length, 2);
  assert.equal(await (await fetch(`${server.url}/ok`)).text(), 'ok');
});

test('HEAD returns the status, headers and length of GET without a body', async (t) => {
  const server = await serve(t, (request) => text('hällo', request.path === '/none' ? 404 : 200));
  for (const path of ['/', '/none']) {
    const client = new RawClient(server.port);
    client.write(`HEAD ${path} HTTP/1.1\r\nHost: a\r\n\r\n`);
    // The next response begins just where the head of this one ends.
    client.write(GET('/after'));
    const received = await client.until((text) => text.split('HTTP/1.1 ').length === 3);
    client.end();
    assert.match(received, /Content-Length: 6\r\n(?:[A-Za-z-]+: .*\r\n)*\r\nHTTP\/1.1 /);
    assert.match(received, path === '/none' ? /^HTTP\/1.1 404/ : /^HTTP\/1.1 200/);
  }
});

test('HEAD of a streamed response cancels the stream, and has a length only if it is known', async (t) => {
  let cancelled = 0;
  const body = {
    [Symbol.asyncIterator]: () => ({
      next: () => Promise.reject(new Error('nobody reads')),
      return: () => {
        cancelled++;
        return Promise.resolve({ done: true as const, value: undefined });
      },
    }),
  };
  const server = await serve(t, (request) => ({
    status: 200,
    headers: [],
    body,
    ...(request.path === '/sized' && { length: 12345 }),
  }));
  const sized = await fetch(`${server.url}/sized`, { method: 'HEAD' });
  assert.equal(sized.headers.get('content-length'), '12345');
  const unsized = await fetch(`${server.url}/`, { method: 'HEAD' });
  assert.equal(unsized.headers.get('content-length'), null);
  assert.equal(cancelled, 2);
});

test('methods reach the handler as they were sent', async (t) => {
  const server = await serve(t, (request) => text(`<${request.method}>`));
  for (const method of ['GET', 'POST', 'PUT', 'DELETE', 'PROPFIND']) {
    const client = new RawClient(server.port).write(`${method} / HTTP/1.1\r\nHost: a\r\n\r\n`);
    const received = await client.until((text) => text.endsWith('>'));
    client.end();
    assert.ok(received.endsWith(`<${method}>`));
  }
});

test('a shared response head works for complete and streamed responses, sent at once or later', async (t) => {
  const lines = new HeaderTemplate((name) => [['X-Name', name]]);
  const server = await serve(t, (request) => {
    const [, name, kind] = request.path.split('/') as [string, string, string];
    const response = { status: 200, headers: [], lines: lines.fill(name) };
    if (kind === 'now') return { ...response, body: name };
    if (kind === 'later') return setImmediate({ ...response, body: name });
    const body = (async function* () {
      await setImmediate();
      yield Buffer.from(name);
    })();
    return { ...response, body };
  });
  for (let round = 0; round < 3; round++) {
    const responses = ['a', 'b', 'c'].flatMap((name) =>
      ['now', 'later', 'streamed'].map(async (kind) => {
        const response = await fetch(`${server.url}/${name}/${kind}`);
        assert.equal(response.headers.get('x-name'), name);
        assert.equal(await response.text(), name);
        const head = await fetch(`${server.url}/${name}/${kind}`, { method: 'HEAD' });
        assert.equal(head.headers.get('x-name'), name);
      }),
    );
    await Promise.all(responses);
  }
});

test('204 and 304 have neither body nor length', async (t) => {
  const server = await serve(t, (request) => ({ status: Number(request.path.slice(1)), headers: [] }));
  for (const status of [204, 304]) {
    const client = new RawClient(server.port).write(GET(`/${status}`));
    const received = await client.until((text) => text.endsWith('\r\n\r\n'));
    client.end();
    assert.doesNotMatch(received, /content-length|transfer-encoding/i);
  }
});

test('G-1: paths outside the base path get 404', async (t) => {
  const server = await serve(t, () => text('inside'), { basePath: '/store' });
  for (const [path, status] of Object.entries({
    '/store': 200,
    '/store/': 200,
    '/store/x': 200,
    '/storefront': 404,
    '/': 404,
    '/other/store': 404,
  })) {
    const response = await fetch(server.url + path);
    assert.equal(response.status, status, path);
    if (status === 404) assert.equal(((await response.json()) as { instance: string }).instance, path);
  }
});

test('G-16, G-30: a head beyond the limit gets a problem with CORS headers, unless it is twice too long', async (t) => {
  const server = await serve(t, () => text('ok'), { allowOrigins: ['*'] });
  const ask = async (bytes: number) => {
    const client = new RawClient(server.port).write(GET('/', `X-Long: ${'x'.repeat(bytes)}`));
    const response = await client.until((received) => isComplete(received) || received.includes('<h1>'));
    client.end();
    return response;
  };
  const frame = GET('/', 'X-Long: ').length - '\r\n'.length;
  assert.match(await ask(64 * 1024 - frame), /^HTTP\/1\.1 200 /);
  const rejected = await ask(64 * 1024 - frame + 1);
  assert.match(rejected, /^HTTP\/1\.1 431 /);
  assert.match(rejected, /access-control-allow-origin: \*/i);
  assert.match(rejected, /"code":"head-too-large"/);
  assert.match(await ask(100_000), /"code":"head-too-large"/);
  assert.match(await ask(200_000), /^HTTP\/1\.1 431 /);
});

test('a head of up to 64 KiB is read, and a longer one gets 431', async (t) => {
  const server = await serve(t, (request) => text(String(request.query.length)));
  const long = 'x'.repeat(60_000);
  assert.equal(await (await fetch(`${server.url}/?${long}`)).text(), '60000');
  const client = new RawClient(server.port).write(GET(`/?${'x'.repeat(70_000)}`));
  assert.match(await client.untilClosed(), /^HTTP\/1.1 431 /);
});

test('an origin of the list is echoed with Vary, another gets none', async (t) => {
  const allowOrigins = ['https://a.example', 'https://b.example'];
  const always = text('x');
  const server = await serve(t, () => always, { allowOrigins });
  const ask = async (origin: string) => (await fetch(server.url, { headers: { Origin: origin } })).headers;
  const b = await ask('https://b.example');
  assert.equal(b.get('access-control-allow-origin'), 'https://b.example');
  assert.match(b.get('vary')!, /Origin/);
  const evil = await ask('https://evil.example');
  assert.equal(evil.get('access-control-allow-origin'), null);
  assert.match(evil.get('vary')!, /Origin/);
});

test('without allowed origins no origin may read', async (t) => {
  const server = await serve(t, (request) => text('x', request.path === '/none' ? 404 : 200));
  for (const path of ['/', '/none']) {
    const { headers } = await fetch(server.url + path, { headers: { Origin: 'https://a.example' } });
    for (const name of headers.keys()) assert.doesNotMatch(name, /^access-control-/);
    assert.equal(headers.get('cross-origin-resource-policy'), 'same-site');
  }
});

test('a body is read to its end, whether its length is declared or it comes in chunks', async (t) => {
  const server = await serve(t, echo(2 ** 20));
  const bytes = Buffer.alloc(300_000, 'abcdefg');
  const declared = await fetch(server.url, { method: 'PUT', body: bytes });
  assert.deepEqual(Buffer.from(await declared.arrayBuffer()), bytes);
  const stream = new ReadableStream({
    start(controller) {
      for (let i = 0; i < bytes.length; i += 1000) controller.enqueue(bytes.subarray(i, i + 1000));
      controller.close();
    },
  });
  const chunked = await fetch(server.url, { method: 'PUT', body: stream, duplex: 'half' });
  assert.deepEqual(Buffer.from(await chunked.arrayBuffer()), bytes);
  const none = await fetch(server.url, { method: 'PUT' });
  assert.equal((await none.arrayBuffer()).byteLength, 0);
});

test('a body is available to a handler that reads it late', async (t) => {
  const server = await serve(t, async (request) => {
    for (let i = 0; i < 20; i++) await setImmediate();
    return echo(2 ** 24)(request);
  });
  const bytes = Buffer.alloc(5_000_000, 'late body ');
  const response = await fetch(server.url, { method: 'POST', body: bytes });
  assert.deepEqual(Buffer.from(await response.arrayBuffer()), bytes);
});

test('a declared length over the limit gets 413, and the connection ends', async (t) => {
  const server = await serve(t, echo(1000));
  const client = new RawClient(server.port).write(
    'PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 1001\r\n\r\n',
  );
  client.write(Buffer.alloc(1001, 'x'));
  const received = await client.untilClosed();
  assert.match(received, /^HTTP\/1.1 413 /);
  assert.match(received, /Connection: close/i);
  assert.match(received, /"code":"too-large"/);
});

test('G-90: a declared length over the limit is rejected before the first byte', async (t) => {
  const server = await serve(t, echo(1000));
  const client = new RawClient(server.port).write(
    'PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 1001\r\n\r\n',
  );
  assert.match(await client.untilClosed(), /^HTTP\/1.1 413 /);
});

test('G-90: chunks are counted as they arrive, and get 413 over the limit', async (t) => {
  const server = await serve(t, echo(1000));
  const client = new RawClient(server.port).write(
    'PUT / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n',
  );
  for (let i = 0; i < 11; i++) client.write(`64\r\n${'x'.repeat(100)}\r\n`);
  assert.match(await client.untilClosed(), /^HTTP\/1.1 413 /);
});

test('an ordinary client that uploads far too much sees the 413, not a broken connection', async (t) => {
  const server = await serve(t, echo(1000));
  for (let i = 0; i < 5; i++) {
    const response = await fetch(server.url, { method: 'PUT', body: Buffer.alloc(20_000_000) });
    assert.equal(response.status, 413);
    await response.text();
  }
});

test('a body without progress gets 408, and the connection ends', async (t) => {
  const server = await serve(t, echo(1000), { bodyTimeMs: 100 });
  const client = new RawClient(server.port).write(
    'PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc',
  );
  const received = await client.untilClosed();
  assert.match(received, /^HTTP\/1.1 408 /);
  assert.match(received, /Connection: close/i);
  assert.match(received, /"code":"body-timeout"/);
});

test('buffered bodies have a memory limit: requests beyond it get 503, and complete ones free memory', async (t) => {
  const server = await serve(t, echo(10_000), { maxBufferedBodies: 1500 });
  const first = new RawClient(server.port).write('PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n');
  first.write('x'.repeat(999));
  await fetch(server.url); // after this the first 999 bytes are in
  const second = await fetch(server.url, { method: 'PUT', body: 'y'.repeat(1000) });
  assert.equal(second.status, 503);
  assert.equal(second.headers.get('retry-after'), '1');
  await second.text();
  first.write('x');
  assert.match(await first.until(isComplete), /^HTTP\/1.1 200 /);
  first.end();
  for (let i = 0; i < 5; i++) {
    const third = await fetch(server.url, { method: 'PUT', body: 'y'.repeat(1000) });
    assert.equal(third.status, 200);
    await third.text();
  }
});

test('an aborted upload cancels the read and frees its memory', async (t) => {
  let outcome: (code: string) => void;
  const cancelled = new Promise<string>((resolve) => {
    outcome = resolve;
  });
  let gone = false;
  const server = await serve(
    t,
    async (request) => {
      request.onAbort(() => {
        gone = true;
      });
      const body = await request.readBody(10_000);
      if (!body.ok) outcome(body.error.code);
      return text('nobody reads this');
    },
    { maxBufferedBodies: 1000 },
  );
  const client = new RawClient(server.port).write('PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 900\r\n\r\n');
  client.write('x'.repeat(800));
  await fetch(server.url);
  client.end();
  assert.equal(await cancelled, 'cancelled');
  assert.ok(gone);
  const response = await fetch(server.url, { method: 'PUT', body: 'y'.repeat(1000) });
  assert.equal(await response.text(), 'nobody reads this');
  assert.equal(server.internalErrors.length, 0);
});

test('an unread body is discarded, and the connection stays usable', async (t) => {
  const server = await serve(t, () => text('not found', 404));
  const client = new RawClient(server.port);
  client.write(`PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: 200000\r\n\r\n${'x'.repeat(200_000)}`);
  await client.until((received) => received.includes('404'));
  client.write(GET('/'));
  await client.until((received) => received.split('HTTP/1.1 404').length === 3);
  client.end();
});

test('G-94: Expect: 100-continue gets 100, and any other expectation gets 417', async (t) => {
  const server = await serve(t, echo(1000));
  const client = new RawClient(server.port);
  client.write('PUT / HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n');
  await client.until((received) => received === 'HTTP/1.1 100 Continue\r\n\r\n');
  client.write('hi');
  await client.until((received) => received.endsWith('\r\n\r\nhi'));
  client.end();
  const other = new RawClient(server.port).write(GET('/', 'Expect: tea'));
  assert.match(await other.until(isComplete), /^HTTP\/1.1 417 /);
  other.end();
});

const PUT = (path: string, framing: string) =>
  `PUT ${path} HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n${framing}\r\n\r\n`;

test('G-94: a client that need not wait for 100, or does not, is answered, and its connection goes on', async (t) => {
  const server = await serve(t, async (request) => {
    if (request.path !== '/') await setImmediate();
    if (request.path === '/reads') await request.readBody(1000);
    return text('here');
  });
  for (const request of [
    GET('/', 'Expect: 100-continue'),
    GET('/late', 'Expect: 100-continue'),
    PUT('/', 'Content-Length: 0'),
    `${PUT('/reads', 'Content-Length: 2')}hi`,
    `${PUT('/late', 'Content-Length: 2')}hi`,
    `${PUT('/late', 'Transfer-Encoding: chunked')}0\r\n\r\n`,
  ]) {
    const client = new RawClient(server.port).write(request);
    assert.doesNotMatch(await client.until((received) => received.endsWith('here')), /Connection: close/i);
    client.write(GET('/'));
    await client.until((received) => received.split('HTTP/1.1 200').length === 3);
    client.end();
  }
});

test('ambiguous framing is rejected, and the connection ends', async (t) => {
  const server = await serve(t, echo(1000));
  for (const header of [
    'Transfer-Encoding: gzip',
    'Transfer-Encoding: gzip, chunked',
    'Content-Length: 3\r\nContent-Length: 4',
    'Content-Length: 3, 3',
    'Content-Length: -3',
    'Content-Length: 3\r\nTransfer-Encoding: chunked',
  ]) {
    const client = new RawClient(server.port).write(
      `PUT / HTTP/1.1\r\nHost: a\r\n${header}\r\n\r\n3\r\nabc\r\n0\r\n\r\n`,
    );
    assert.match(await client.untilClosed(), /^HTTP\/1.1 400 /, header);
  }
});

test('repeated and malformed Host headers are rejected, and the connection ends', async (t) => {
  const server = await serve(t, () => text('here'));
  for (const host of [
    'a\r\nHost: a',
    'a\r\nX: y\r\nHost: b',
    'a, b',
    'a b',
    'http://a/',
    'a?b',
    'user@a',
    '<a>',
  ]) {
    const client = new RawClient(server.port).write(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    const received = await client.untilClosed();
    assert.match(received, /^HTTP\/1.1 400 /, host);
    assert.match(received, /"code":"bad-arguments"/);
  }
  for (const host of [
    'a',
    '',
    'A.example:8080',
    '127.0.0.1:1',
    '[::1]:8080',
    '[fe80::1%25eth0]',
    'xn--e.test',
    'a_b',
  ]) {
    const client = new RawClient(server.port).write(`GET / HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    assert.match(await client.until((received) => received.endsWith('here')), /^HTTP\/1.1 200 /, host);
    client.end();
  }
});

test('pipelined requests get their responses in order', async (t) => {
  const server = await serve(t, (request) => Promise.resolve(text(request.path)));
  const client = new RawClient(server.port).write(['/a', '/b', '/c'].map((path) => GET(path)).join(''));
  const received = await client.until((all) => all.endsWith('/c'));
  client.end();
  assert.deepEqual(received.match(/\r\n\r\n\/[abc]/g), ['\r\n\r\n/a', '\r\n\r\n/b', '\r\n\r\n/c']);
});

test('a thousand concurrent requests all get responses', async (t) => {
  const server = await serve(t, async (request) => {
    await setImmediate();
    return text(request.query);
  });
  const responses = await Promise.all(
    Array.from({ length: 1000 }, async (_, i) => (await fetch(`${server.url}/?${i}`)).text()),
  );
  assert.deepEqual(
    responses,
    responses.map((_, i) => String(i)),
  );
});

test('a slow client gets a large body completely', async (t) => {
  const bytes = Buffer.alloc(20_000_000);
  for (let i = 0; i < bytes.length; i += 4) bytes.writeUInt32LE(i, i);
  const server = await serve(t, () => ({ status: 200, headers: [], body: bytes }));
  const response = await fetch(server.url);
  assert.equal(response.headers.get('content-length'), String(bytes.length));
  const parts: Uint8Array[] = [];
  for await (const part of response.body!) {
    parts.push(part);
    if (parts.length % 50 === 0) await setImmediate();
  }
  assert.ok(Buffer.concat(parts).equals(bytes));
});

/** Resolves when a count above 0 stays the same while the server handles others. */
async function untilSettled(url: string, count: () => number): Promise<void> {
  for (let before = 0; count() === 0 || count() !== before; ) {
    before = count();
    for (let i = 0; i < 5; i++) await (await fetch(url)).arrayBuffer();
  }
}

test('few responses are buffered for a client that sends without reading, then its connection ends', async (t) => {
  for (const [bytes, requests] of [
    [60_000, 20_000],
    [200, 300_000],
  ] as const) {
    let sent = 0;
    const server = await serve(t, (request) => {
      if (request.path === '/a') sent++;
      return { status: 200, headers: [], body: new Uint8Array(bytes) };
    });
    const client = new RawClient(server.port);
    client.socket.pause();
    client.write(GET('/a').repeat(requests));
    await untilSettled(server.url, () => sent);
    // What the system's own buffers take, and a few.
    assert.ok(sent * bytes < 32_000_000, `${sent} responses`);
    client.socket.resume();
    await client.closed;
    assert.equal(server.internalErrors.length, 0);
  }
});

test('few responses without a body are buffered for a client that does not read', async (t) => {
  for (const [method, status] of [
    ['HEAD', 200],
    ['GET', 204],
    ['GET', 304],
  ] as const) {
    let sent = 0;
    const server = await serve(t, (request) => {
      if (request.path === '/a') sent++;
      return { status, headers: [] };
    });
    const client = new RawClient(server.port);
    client.socket.pause();
    client.write(`${method} /a HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(300_000));
    await untilSettled(server.url, () => sent);
    client.socket.resume();
    await client.closed;
    assert.ok(sent < 150_000, `${sent} responses to ${method} with ${status}`);
  }
});

test('a short body that a client did not take at once arrives completely when it reads', async (t) => {
  const bodyOf = (number: number) => Buffer.alloc(60_000, String(number % 10));
  let asked = 0;
  const server = await serve(
    t,
    (request) => {
      if (request.path === '/long') return { status: 200, headers: [], body: Buffer.alloc(70_000) };
      return { status: 200, headers: [], body: bodyOf(asked++) };
    },
    { maxBufferedResponses: 100_000 },
  );
  const client = new RawClient(server.port);
  client.socket.pause();
  let rejected = false;
  for (let number = 1; !rejected; number++) {
    client.write(GET('/short'));
    while (asked < number) await setImmediate();
    const other = await fetch(`${server.url}/long`);
    await other.arrayBuffer();
    // There is no room for it beside the body that waits.
    rejected = other.status === 503;
  }
  client.socket.resume();
  const expected = Array.from({ length: asked }, (_, number) => bodyOf(number).toString());
  const received = await client.until((all) => all.length > asked * 60_000 && all.endsWith(expected.at(-1)!));
  const bodies = received.split(/HTTP\/1\.1 200 OK\r\n[\s\S]*?\r\n\r\n/).slice(1);
  assert.ok(bodies.every((body, number) => body === expected[number]));
  assert.equal(bodies.length, asked);
  client.write(GET('/short'));
  await client.until((all) => all.length > received.length + 60_000);
  client.end();
});

test('buffered responses have a memory limit: requests beyond it get 503, and complete ones free memory', async (t) => {
  const bytes = Buffer.alloc(20_000_000);
  const server = await serve(t, () => ({ status: 200, headers: [], body: bytes }), {
    maxBufferedResponses: 30_000_000,
  });
  const slow = new RawClient(server.port).write(GET('/'));
  slow.socket.pause();
  await once(slow.socket, 'connect');
  let rejected: Response;
  do rejected = await fetch(server.url);
  while (rejected.status === 200 && (await rejected.arrayBuffer()).byteLength === bytes.length);
  assert.equal(rejected.status, 503);
  assert.equal(rejected.headers.get('retry-after'), '5');
  assert.equal(((await rejected.json()) as { code: string }).code, 'overloaded');
  slow.end();
  let given: Response;
  do given = await fetch(server.url);
  while (given.status === 503 && (await given.text()) !== '');
  assert.equal((await given.arrayBuffer()).byteLength, bytes.length);
});

async function* numbered(chunks: number, taken?: { count: number }): AsyncIterable<Uint8Array> {
  for (let i = 0; i < chunks; i++) {
    if (taken) taken.count = i + 1;
    yield Buffer.alloc(65_536, i);
  }
}

test('a stream is sent completely, in chunks or with the given length', async (t) => {
  const total = 100 * 65_536;
  const server = await serve(t, (request) => ({
    status: 200,
    headers: [],
    body: numbered(100),
    ...(request.path === '/sized' && { length: total }),
  }));
  for (const path of ['/', '/sized']) {
    const response = await fetch(server.url + path);
    assert.equal(response.headers.get('content-length'), path === '/' ? null : String(total));
    const bytes = Buffer.from(await response.arrayBuffer());
    assert.equal(bytes.length, total);
    for (let i = 0; i < 100; i++)
      assert.ok(bytes.subarray(i * 65_536, (i + 1) * 65_536).every((b) => b === i));
  }
});

test('a client that does not read pauses the stream, and cancels it by an abort', async (t) => {
  for (const sized of [false, true]) {
    const taken = { count: 0 };
    let ended: () => void;
    const streamEnded = new Promise<void>((resolve) => {
      ended = resolve;
    });
    async function* endless(): AsyncIterable<Uint8Array> {
      try {
        yield* numbered(100_000, taken);
      } finally {
        ended();
      }
    }
    const server = await serve(t, () => ({
      status: 200,
      headers: [],
      body: endless(),
      ...(sized && { length: 100_000 * 65_536 }),
    }));
    const client = new RawClient(server.port);
    client.socket.pause();
    client.write(GET('/'));
    let before = -1;
    while (taken.count !== before || taken.count === 0) {
      before = taken.count;
      for (let i = 0; i < 5; i++) await (await fetch(server.url, { method: 'HEAD' })).text();
    }
    assert.ok(taken.count < 1000, `${taken.count} chunks taken`);
    client.end();
    await streamEnded;
    assert.equal(server.internalErrors.length, 0);
  }
});

test('G-142: a failing stream gets 500 before its first byte, and afterwards ends the connection', async (t) => {
  const server = await serve(t, (request) => ({
    status: 200,
    headers: [],
    body: (async function* () {
      if (request.path === '/late') yield Buffer.from('some');
      throw new Error('no more');
    })(),
  }));
  const early = await fetch(`${server.url}/early`);
  assert.equal(early.status, 500);
  await early.text();
  await assert.rejects(async () => (await fetch(`${server.url}/late`)).text());
  assert.equal(server.internalErrors.length, 2);
});

test('a stream that ends before its declared length ends the connection', async (t) => {
  const server = await serve(t, () => ({ status: 200, headers: [], body: numbered(1), length: 70_000 }));
  await assert.rejects(async () => (await fetch(server.url)).arrayBuffer());
});

test('a stream that is longer than its declared length ends the connection, and no more is sent', async (t) => {
  async function* tooLong() {
    yield Buffer.from('first,');
    yield Buffer.from('second,');
    yield Buffer.from('third,');
  }
  for (const length of [3, 10, 18]) {
    const server = await serve(t, () => ({ status: 200, headers: [], body: tooLong(), length }));
    const received = await new RawClient(server.port).write(GET('/')).untilClosed();
    const [, body = ''] = received.split(/\r\n\r\n/);
    assert.ok(received.startsWith('HTTP/1.1 500') || body.length < length, body);
    assert.equal(server.internalErrors.length, 1);
  }
});

test('G-92: a client that disconnects before the response cancels its request', async (t) => {
  let started: () => void;
  const running = new Promise<void>((resolve) => {
    started = resolve;
  });
  let cancelled: () => void;
  const aborted = new Promise<void>((resolve) => {
    cancelled = resolve;
  });
  const server = await serve(t, async (request) => {
    request.onAbort(() => cancelled());
    started();
    await aborted;
    let late = false;
    request.onAbort(() => {
      late = true;
    });
    assert.ok(late);
    return text('too late');
  });
  const client = new RawClient(server.port).write(GET('/'));
  await running;
  client.end();
  await aborted;
  await setImmediate();
  assert.equal(server.internalErrors.length, 0);
});

test('G-93: during a shutdown new requests get 503, running ones end, and then connections close', async (t) => {
  let finish: (response: HttpResponse) => void = () => {};
  let started: () => void;
  const running = new Promise<void>((resolve) => {
    started = resolve;
  });
  const server = await serve(t, () => {
    started();
    return new Promise<HttpResponse>((resolve) => {
      finish = resolve;
    });
  });
  const idle = new RawClient(server.port);
  const busy = new RawClient(server.port).write(GET('/slow'));
  await running;
  const closed = server.close(10_000);
  const late = new RawClient(server.port).write(GET('/late'));
  const rejected = await late.untilClosed();
  assert.match(rejected, /^HTTP\/1.1 503 /);
  assert.match(rejected, /"code":"shutting-down"/);
  assert.match(rejected, /Connection: close/i);
  finish(text('done'));
  assert.match(await busy.untilClosed(), /^HTTP\/1.1 200 (?:.|\s)*done$/);
  await closed;
  await idle.closed;
  await assert.rejects(fetch(server.url));
});

type LongBody = Pick<HttpResponse, 'body' | 'length'>;

/** Bodies of which the first bytes, and so the head, are sent during a shutdown. */
const lateBodies: Record<string, (begun: Promise<void>) => LongBody | Promise<LongBody>> = {
  buffered: async (begun) => {
    await begun;
    return { body: new Uint8Array(3 * 65_536) };
  },
  sized: (begun) => ({ body: numberedAfter(begun), length: 3 * 65_536 }),
  chunked: (begun) => ({ body: numberedAfter(begun) }),
};

async function* numberedAfter(begun: Promise<void>): AsyncIterable<Uint8Array> {
  await begun;
  yield* numbered(3);
}

test('G-93: a long response that begins during a shutdown says that its connection ends, and is complete', async (t) => {
  for (const [name, bodyOf] of Object.entries(lateBodies)) {
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    let requests = 0;
    const server = await serve(t, async () => {
      requests++;
      return { status: 200, headers: [], ...(await bodyOf(begun)) };
    });
    const client = new RawClient(server.port).write(GET('/'));
    while (requests === 0) await setImmediate();
    const closed = server.close(10_000);
    begin();
    const received = await client.untilClosed();
    assert.equal(received.match(/\r\nConnection: close\r\n/gi)?.length, 1, name);
    assert.ok(received.length > 3 * 65_536, name);
    await closed;
  }
});

test('a synchronous response is sent even if the server closes at once', async (t) => {
  let closed: Promise<void> | undefined;
  const server = await serve(t, () => {
    closed = server.close(1000);
    return Promise.resolve(text('last words'));
  });
  const client = new RawClient(server.port).write(GET('/'));
  assert.match(await client.untilClosed(), /last words$/);
  await closed;
});

test('requests that outlast the grace period are aborted', async (t) => {
  let cut = false;
  let enter = () => {};
  const entered = new Promise<void>((resolve) => {
    enter = resolve;
  });
  const server = await serve(t, (request) => {
    request.onAbort(() => {
      cut = true;
    });
    enter();
    return new Promise<HttpResponse>(() => {});
  });
  const client = new RawClient(server.port).write(GET('/'));
  await entered;
  await server.close(20);
  assert.ok(cut);
  await client.closed;
});

test('a port in use is reported', async (t) => {
  const first = await serve(t, () => text('x'));
  await assert.rejects(
    serve(t, () => text('y'), { port: first.port }),
    /Can't listen/,
  );
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

test('a server can reuse its port at once, and then no other can', async (t) => {
  const options = { port: await freePort() };
  const before = await serve(t, () => text('x'), options);
  const client = new RawClient(before.port).write(GET('/'));
  await client.until(isComplete);
  await before.close(0);
  await client.closed;
  const after = await serve(t, () => text('again'), options);
  assert.equal(await (await fetch(after.url)).text(), 'again');
  await assert.rejects(
    serve(t, () => text('y'), options),
    /Can't listen/,
  );
});
