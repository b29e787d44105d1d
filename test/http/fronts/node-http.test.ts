/** The behaviour of the front on node:http that docs/http-server.md describes. */
import assert from 'node:assert/strict';
import { channel } from 'node:diagnostics_channel';
import type { EventEmitter } from 'node:events';
import { type TestContext, test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { createNodeFront } from '../../../src/http/fronts/node-front.ts';
import type { HttpRequest, HttpResponse } from '../../../src/http/server/message.ts';
import { tested } from '../../support/tested-front.ts';
import { RawClient } from '../raw-client.ts';
import { serve, type TestServer, text } from '../test-server.ts';

tested.front = 'node';

const HIDDEN = 'DELETE /hidden HTTP/1.1\r\nHost: a\r\n\r\n';

interface LoggedServer extends TestServer {
  /** The requests that its handler was given. */
  readonly carriedOut: string[];
}

/** `/unread` gets a response without its body being read, `/late` when its client has left. */
async function serveLogged(t: TestContext): Promise<LoggedServer> {
  const carriedOut: string[] = [];
  const handle = async (request: HttpRequest): Promise<HttpResponse> => {
    carriedOut.push(`${request.method} ${request.target} ${request.header('host')}`);
    if (request.path === '/unread') return text('<unread>', 404);
    const body = await request.readBody(1_000_000);
    return body.ok ? text(`<${Buffer.from(body.value)}>`) : text(body.error.code, 400);
  };
  return Object.assign(await serve(t, handle), { carriedOut });
}

function request(line: string, ...fields: string[]): string {
  return [line, ...fields, '', ''].join('\r\n');
}

const get = (...fields: string[]) => request('GET / HTTP/1.1', 'Host: a', ...fields);
const fields = (count: number) => Array.from({ length: count }, (_, i) => `X-${i}: x`);

function chunked(body: string, path = '/'): string {
  return request(`POST ${path} HTTP/1.1`, 'Host: a', 'Transfer-Encoding: chunked') + body;
}

/** What is rejected with a problem: status and code, and the bytes. */
const rejected: Record<string, [verdict: string, bytes: string]> = {
  CONNECT: ['501 unknown-method', request('CONNECT a:80 HTTP/1.1', 'Host: a')],
  'a method that node:http does not know': [
    '501 unknown-method',
    request('FROBNICATE / HTTP/1.1', 'Host: a'),
  ],
  'a method in lower case': ['501 unknown-method', request('get / HTTP/1.1', 'Host: a')],
  'HTTP/2.0': ['400 bad-arguments', request('GET / HTTP/2.0', 'Host: a')],
  'space in the target': ['400 bad-arguments', request('GET /a b HTTP/1.1', 'Host: a')],
  'a target without a slash': ['400 bad-arguments', request('GET a HTTP/1.1', 'Host: a')],
  'another scheme': ['400 bad-arguments', request('GET ftp://a/ HTTP/1.1', 'Host: a')],
  'an absolute form with two hosts': [
    '400 bad-arguments',
    request('GET http://a/ HTTP/1.1', 'Host: a', 'Host: b'),
  ],
  'user information in the target': ['400 bad-arguments', request('GET http://u@a/ HTTP/1.1', 'Host: a')],
  'asterisk with GET': ['400 bad-arguments', request('GET * HTTP/1.1', 'Host: a')],
  'bare LF in the head': ['400 bad-arguments', 'GET / HTTP/1.1\nHost: a\n\n'],
  'no Host': ['400 bad-arguments', request('GET / HTTP/1.1', 'Accept: */*')],
  'no field at all': ['400 bad-arguments', request('GET / HTTP/1.1')],
  'a line without a colon': ['400 bad-arguments', get('nonsense')],
  'a space before the colon': ['400 bad-arguments', get('Transfer-Encoding : chunked')],
  'a control character': ['400 bad-arguments', get('X-Bell: \x07')],
  'a field without a name': ['400 bad-arguments', get(': x', 'Content-Length: 3')],
  'length and coding': ['400 bad-arguments', `${get('Content-Length: 3', 'Transfer-Encoding: chunked')}abc`],
  'several lengths': ['400 bad-arguments', `${get('Content-Length: 3', 'Content-Length: 3')}abc`],
  'bad chunk size': ['400 bad-arguments', chunked('xyz\r\nabc\r\n0\r\n\r\n')],
  'bare LF after a chunk size': ['400 bad-arguments', chunked('3\nabc\r\n0\r\n\r\n')],
  'other bytes behind a chunk': ['400 bad-arguments', chunked('3\r\nabcXX0\r\n\r\n')],
  'other bytes at the end': ['400 bad-arguments', chunked('3\r\nabc\r\n0\r\nXX')],
  'a colon for a digit': ['400 bad-arguments', chunked(':\r\n0123456789\r\n0\r\n\r\n')],
  'a length as a trailer': ['400 bad-arguments', chunked('3\r\nabc\r\n0\r\nContent-Length: 9\r\n\r\n')],
  'long chunk extensions': ['413 too-large', chunked(`3;${'x'.repeat(20_000)}\r\nabc\r\n0\r\n\r\n`)],
  '99 fields': ['431 head-too-large', get(...fields(98))],
  'a head of 200 KiB': ['431 head-too-large', get(`X-Long: ${'x'.repeat(200 * 1024)}`)],
  'trailers of 200 KiB': ['431 head-too-large', chunked(`0\r\nX-Long: ${'x'.repeat(200 * 1024)}\r\n\r\n`)],
};

test('what node:http rejects gets a problem, and the connection ends; what follows is not carried out', async (t) => {
  const server = await serveLogged(t);
  for (const [name, [verdict, bytes]] of Object.entries(rejected)) {
    const received = await new RawClient(server.port).write(bytes + HIDDEN).untilClosed();
    const [status, code] = verdict.split(' ');
    assert.match(received, new RegExp(`^HTTP/1\\.1 ${status} .*"code":"${code}"`, 's'), name);
    assert.match(received, /\r\nDate: .*\r\nConnection: close\r\n/s, name);
    assert.match(received, /\r\nX-Content-Type-Options: nosniff\r\n/, name);
    assert.equal(received.match(/HTTP\/1\.1 \d/g)?.length, 1, name);
    assert.ok(!server.carriedOut.some((line) => line.includes('/hidden')), name);
  }
});

/** What is carried out, and as which request. */
const accepted: Record<string, [carriedOut: string, bytes: string]> = {
  'absolute form': ['GET /x?y b:80', request('GET http://b:80/x?y HTTP/1.1', 'Host: a')],
  'absolute form without a path': ['GET /?y b', request('GET HTTP://b?y HTTP/1.1', 'Host: a')],
  asterisk: ['OPTIONS * a', request('OPTIONS * HTTP/1.1', 'Host: a')],
  'absolute form of the asterisk': ['OPTIONS * b', request('OPTIONS http://b HTTP/1.1', 'Host: a')],
  'a line end before the request line': ['GET / a', `\r\n${get()}`],
  'an upgrade': ['GET / a', get('Connection: Upgrade', 'Upgrade: websocket')],
  'chunk extensions': ['POST / a', chunked('3;a=b;name="value"\r\nabc\r\n0;x\r\n\r\n')],
  trailers: ['POST / a', chunked('3\r\nabc\r\n0\r\nX-Trailer: x\r\nHost: b\r\n\r\n')],
  '98 fields': ['GET / a', get(...fields(97))],
};

test('node:http reads every form of a request that HTTP has', async (t) => {
  const server = await serveLogged(t);
  for (const [name, [carriedOut, bytes]] of Object.entries(accepted)) {
    const client = new RawClient(server.port).write(bytes);
    assert.match(await client.until((all) => all.endsWith('>')), /^HTTP\/1\.1 200 [^<]*<(abc)?>$/, name);
    client.end();
    assert.equal(server.carriedOut.at(-1), carriedOut, name);
  }
});

test('a request of HTTP/1.0 gets its response, and the connection ends', async (t) => {
  const server = await serveLogged(t);
  for (const bytes of [
    request('GET / HTTP/1.0'),
    request('GET / HTTP/1.0', `Host: 127.0.0.1:${server.port}`, 'Connection: keep-alive'),
  ]) {
    const received = await new RawClient(server.port).write(bytes).untilClosed();
    assert.match(received, /^HTTP\/1\.1 200 .*\r\nConnection: close\r\n.*<>$/s);
    assert.equal(server.carriedOut.at(-1), `GET / 127.0.0.1:${server.port}`);
  }
});

test('a stream for HTTP/1.0 is not chunked', async (t) => {
  const server = await serve(t, () => ({ status: 200, headers: [], body: pieces() }));
  const received = await new RawClient(server.port).write(request('GET / HTTP/1.0')).untilClosed();
  assert.match(received, /\r\n\r\none, two$/);
  assert.doesNotMatch(received, /Transfer-Encoding|Content-Length/);
});

async function* pieces(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('one, ');
  await turn();
  yield Buffer.from('two');
}

test('text beyond ASCII in fields is UTF-8 in both directions', async (t) => {
  const server = await serve(t, (request) => ({
    status: 200,
    headers: [['X-Name', request.header('x-name') ?? '']],
    body: '>',
  }));
  const client = new RawClient(server.port).write(Buffer.from(get('X-Name: größer')));
  const received = await client.until((all) => all.endsWith('>'));
  client.end();
  assert.ok(Buffer.from(received, 'latin1').toString().includes('\r\nX-Name: größer\r\n'));
});

test('connections that the system could not accept do not end the server', async (t) => {
  const parsed = channel('http.server.request.start');
  let http: EventEmitter | undefined;
  const note = (message: unknown) => {
    http = (message as { server: EventEmitter }).server;
  };
  parsed.subscribe(note);
  t.after(() => parsed.unsubscribe(note));
  const server = await serve(t, () => text('<>'));
  await (await fetch(server.url)).text();
  for (let i = 0; i < 3; i++) http?.emit('error', new Error('accept EMFILE'));
  assert.equal(await (await fetch(server.url)).text(), '<>');
});

test('a head that takes too long gets 408, and an idle connection is closed', async (t) => {
  const loadUws = () => Promise.resolve(createNodeFront({ idleMs: 300, checkMs: 50 }));
  const server = await serve(t, () => text('<>'), { front: 'uws', loadUws });
  const opened = new RawClient(server.port);
  const unfinished = new RawClient(server.port).write('GET / HTTP/1.1\r\nHost: a\r\nX-Slow: ');
  const dripping = setInterval(() => unfinished.write('x'), 20);
  const second = new RawClient(server.port).write(`${get()}GET / HTT`);
  const idle = new RawClient(server.port).write(get());
  assert.match(await unfinished.untilClosed(), /^HTTP\/1\.1 408 .*"code":"head-timeout"/s);
  clearInterval(dripping);
  assert.equal(await opened.untilClosed(), '');
  assert.match(await second.untilClosed(), /^HTTP\/1\.1 200 .*<>HTTP\/1\.1 408 .*"code":"head-timeout"/s);
  assert.match(await idle.untilClosed(), /^HTTP\/1\.1 200 [^<]*<>$/s);
});
