import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { problemResponse } from '../../../src/http/problem.ts';
import type { HttpRequest } from '../../../src/http/server/message.ts';
import { RawClient } from '../raw-client.ts';
import { serve, type TestServer, text } from '../test-server.ts';

const HIDDEN = 'DELETE /hidden HTTP/1.1\r\nHost: a\r\n\r\n';

/** A server, and the requests that its handler was given. */
async function serveLogged(t: TestContext) {
  const carriedOut: string[] = [];
  const handle = async (request: HttpRequest) => {
    if (request.path === '/probe') return text('probe');
    carriedOut.push(`${request.method} ${request.path}`);
    if (request.path === '/now') return text('now');
    const body = await request.readBody(100);
    return body.ok ? text('read') : problemResponse(body.error, request);
  };
  const server = await serve(t, handle, { allowOrigins: ['*'] });
  return { server, carriedOut };
}

/**
 * Sends each part when the server has received the one before. Returns the bytes received until the
 * connection is closed.
 */
async function converse(server: TestServer, ...parts: string[]): Promise<string> {
  const client = new RawClient(server.port);
  for (const part of parts) {
    await new Promise((resolve) => client.socket.write(part, 'latin1', resolve));
    if (part !== parts.at(-1)) await (await fetch(`${server.url}/probe`)).text();
  }
  return client.untilClosed();
}

function post(fields: string, body: string): string {
  return `POST /first HTTP/1.1\r\nHost: a\r\n${fields}\r\n\r\n${body}`;
}

/** Heads that others may read otherwise, with what uWebSockets.js takes for their bodies. */
const ambiguous: Record<string, string> = {
  'two lengths': post(`Content-Length: 0\r\nContent-Length: ${HIDDEN.length}`, ''),
  'the same length twice': post('Content-Length: 3\r\nContent-Length: 3', 'abc'),
  'a list of lengths': post('Content-Length: 3, 3', 'abc'),
  'a length with a sign': post('Content-Length: +3', 'abc'),
  'a negative length': post('Content-Length: -3', 'abc'),
  'a hexadecimal length': post('Content-Length: 0x3', 'abc'),
  'a length with an exponent': post('Content-Length: 3e0', 'abc'),
  'a length of many digits': post(`Content-Length: ${'0'.repeat(16)}3`, 'abc'),
  'a length beyond 64 bits': post('Content-Length: 18446744073709551616', ''),
  'an empty length': post('Content-Length: ', ''),
  'another coding': post('Transfer-Encoding: gzip', '0\r\n\r\n'),
  identity: post('Transfer-Encoding: identity', '0\r\n\r\n'),
  'a list of codings': post('Transfer-Encoding: gzip, chunked', '0\r\n\r\n'),
  'a list that ends otherwise': post('Transfer-Encoding: chunked, identity', '0\r\n\r\n'),
  'chunked twice': post('Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked', '0\r\n\r\n'),
  'a coding of another name': post('Transfer-Encoding: xchunked', '0\r\n\r\n'),
  'an empty coding': post('Transfer-Encoding: ', ''),
  'an empty coding and a length': post('Transfer-Encoding: \r\nContent-Length: 3', 'abc'),
  'two hosts': 'GET /first HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n',
  'no method': 'DELETE: /first HTTP/1.1\r\nHost: a\r\n\r\n',
  'a long head': `GET /first HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(70_000)}\r\n\r\n`,
};

/** node:http does not tell a method that it does not know from what is not a token. */
function rejection(name: string, { front }: TestServer): { status: RegExp; code: RegExp } {
  if (name === 'no method' && front === 'node') {
    return { status: /^HTTP\/1\.1 501 /, code: /^unknown-method$/ };
  }
  return { status: /^HTTP\/1\.1 4(?:00|31) /, code: /^(?:bad-arguments|head-too-large)$/ };
}

test('a request behind an ambiguous head is not executed', async (t) => {
  const { server, carriedOut } = await serveLogged(t);
  for (const [name, request] of Object.entries(ambiguous)) {
    const { status, code } = rejection(name, server);
    const half = request.indexOf('Host');
    for (const parts of [
      [request + HIDDEN],
      [request, HIDDEN],
      [request.slice(0, half), request.slice(half) + HIDDEN],
      [`${request}abc`],
    ]) {
      const received = await converse(server, ...parts);
      assert.match(received, status, name);
      assert.equal(received.match(/HTTP\/1\.1/g)?.length, 1, name);
      const [fields, body] = received.split('\r\n\r\n') as [string, string];
      const head = `${fields}\r\n`;
      assert.match(head, /\r\nContent-Type: application\/problem\+json\r\n/);
      assert.match(head, /\r\nAccess-Control-Allow-Origin: \*\r\n/);
      assert.match(head, /\r\nDate: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\r\n/);
      assert.match(head, /\r\nConnection: close\r\n/);
      assert.match(head, new RegExp(`\\r\\nContent-Length: ${body.length}\\r\\n`));
      assert.match((JSON.parse(body) as { code: string }).code, code);
      assert.deepEqual(carriedOut, [], name);
    }
  }
});

test('uWebSockets.js rejects Content-Length with Transfer-Encoding, and no later request is executed', async (t) => {
  const { server, carriedOut } = await serveLogged(t);
  const both = post('Content-Length: 3\r\nTransfer-Encoding: chunked', `0\r\n\r\n${HIDDEN}`);
  assert.match(await converse(server, both), /^HTTP\/1\.1 400 /);
  assert.deepEqual(carriedOut, []);
});

test('a rejected HEAD request gets no body', async (t) => {
  const { server } = await serveLogged(t);
  const received = await converse(server, 'HEAD / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n');
  assert.match(received, /^HTTP\/1\.1 400 (?:.*\r\n)+\s*$/);
});

test('responses to earlier requests of the packet precede the error response', async (t) => {
  const { server, carriedOut } = await serveLogged(t);
  const before = 'GET /now HTTP/1.1\r\nHost: a\r\n\r\n';
  const received = await converse(server, before + before + ambiguous['two lengths'] + HIDDEN);
  assert.deepEqual(received.match(/HTTP\/1\.1 \d+/g), ['HTTP/1.1 200', 'HTTP/1.1 200', 'HTTP/1.1 400']);
  assert.deepEqual(carriedOut, ['GET /now', 'GET /now']);
});

test('no request after the last one of a connection is executed', async (t) => {
  const { server, carriedOut } = await serveLogged(t);
  const last: Record<string, string> = {
    'the client ends it': 'GET /now HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n',
    'the client ends it, among other options':
      'GET /now HTTP/1.1\r\nHost: a\r\nConnection: TE, Close\r\n\r\n',
    'the body is too long': post('Content-Length: 101', 'x'.repeat(101)),
    'the chunks are too long': post('Transfer-Encoding: chunked', `65\r\n${'x'.repeat(101)}\r\n0\r\n\r\n`),
  };
  for (const [name, request] of Object.entries(last)) {
    for (const parts of [[request + HIDDEN], [request, HIDDEN]]) {
      const received = await converse(server, ...parts);
      assert.ok((received.match(/HTTP\/1\.1/g)?.length ?? 0) <= 1, name);
      assert.ok(!carriedOut.includes('DELETE /hidden'), name);
    }
    const alone = await converse(server, request);
    assert.match(alone, /^HTTP\/1\.1 (?:200|413) /, name);
  }
});
