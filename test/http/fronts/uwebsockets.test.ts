/** The behaviour of the installed version of uWebSockets.js that docs/http-server.md describes. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test as everywhere, type TestContext } from 'node:test';
import type { HttpResponse } from '../../../src/http/server/message.ts';
import { projectFile } from '../../support/project.ts';
import { tested, withoutUws } from '../../support/tested-front.ts';
import { RawClient } from '../raw-client.ts';
import { serve, type TestServer, text } from '../test-server.ts';

tested.front = 'uws';
const test = withoutUws ? everywhere.skip : everywhere;

const HIDDEN = 'DELETE /hidden HTTP/1.1\r\nHost: a\r\n\r\n';

interface LoggedServer extends TestServer {
  /** The requests that its handler was given, with their bodies. */
  readonly carriedOut: string[];
}

/** `/waits` never gets a response, `/unread` without its body being read. */
async function serveLogged(t: TestContext, bodyTimeMs = 30_000): Promise<LoggedServer> {
  const carriedOut: string[] = [];
  const server = await serve(
    t,
    async (request) => {
      carriedOut.push(`${request.method} ${request.path}`);
      if (request.path === '/waits') await new Promise(() => {});
      if (request.path === '/unread') return text('unread');
      const body = await request.readBody(1_000_000);
      return body.ok ? text(`<${Buffer.from(body.value)}>`) : text(body.error.code, 408);
    },
    { bodyTimeMs },
  );
  return Object.assign(server, { carriedOut });
}

function request(line: string, ...fields: string[]): string {
  return [line, ...fields, '', ''].join('\r\n');
}

function chunked(body: string, path = '/'): string {
  return request(`POST ${path} HTTP/1.1`, 'Host: a', 'Transfer-Encoding: chunked') + body;
}

const fields = (count: number) => Array.from({ length: count }, (_, i) => `X-${i}: x`);
const get = (...fields: string[]) => request('GET / HTTP/1.1', 'Host: a', ...fields);

/** Status and bytes, of what is rejected. */
const rejected: Record<string, [status: number, bytes: string]> = {
  'absolute form': [505, request('GET http://a/ HTTP/1.1', 'Host: a')],
  asterisk: [505, request('OPTIONS * HTTP/1.1', 'Host: a')],
  CONNECT: [505, request('CONNECT a:80 HTTP/1.1', 'Host: a')],
  'HTTP/1.0': [505, request('GET / HTTP/1.0', 'Host: a')],
  'HTTP/2.0': [505, request('GET / HTTP/2.0', 'Host: a')],
  'space in the target': [505, request('GET /a b HTTP/1.1', 'Host: a')],
  'two spaces': [505, request('GET  / HTTP/1.1', 'Host: a')],
  'bare LF in the head': [505, 'GET / HTTP/1.1\nHost: a\n\n'],
  trailers: [505, chunked('3\r\nabc\r\n0\r\nX-Trailer: x\r\n\r\n', '/waits')],
  'no Host': [400, request('GET / HTTP/1.1', 'Accept: */*')],
  'length and coding': [400, `${get('Content-Length: 3', 'Transfer-Encoding: chunked')}abc`],
  'bad chunk size': [400, chunked('xyz\r\nabc\r\n0\r\n\r\n')],
  'chunk extension with letters beyond g': [400, chunked('3;name=value\r\nabc\r\n0\r\n\r\n')],
  '99 fields': [431, get(...fields(98))],
  'a head of 200 KiB': [431, get(`X-Long: ${'x'.repeat(200 * 1024)}`)],
};

test('uWebSockets.js rejects some requests itself with a line of HTML and closes the connection; later requests are not executed', async (t) => {
  const server = await serveLogged(t);
  for (const [name, [status, bytes]] of Object.entries(rejected)) {
    const received = await new RawClient(server.port).write(bytes + HIDDEN).untilClosed();
    assert.match(
      received,
      new RegExp(`^HTTP/1\\.1 ${status} .*\\r\\nConnection: close\\r\\n\\r\\n<h1>`),
      name,
    );
    assert.equal(received.match(/HTTP\/1\.1 \d/g)?.length, 1, name);
    assert.ok(!server.carriedOut.includes('DELETE /hidden'), name);
  }
});

test('uWebSockets.js accepts 98 fields', async (t) => {
  const server = await serveLogged(t);
  const received = await new RawClient(server.port)
    .write(get(...fields(96), 'Connection: close'))
    .untilClosed();
  assert.match(received, /^HTTP\/1\.1 200 /);
});

test('uWebSockets.js executes a request line in place of trailers as another request', async (t) => {
  const server = await serveLogged(t);
  const smuggled = 'DELETE /hidden HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';
  const bytes = chunked('3\r\nabc\r\n0\r\n..') + smuggled;
  await new RawClient(server.port).write(bytes).untilClosed();
  assert.deepEqual(server.carriedOut, ['POST /', 'DELETE /hidden']);
});

test('uWebSockets.js rejects a request line that arrives in two parts', async (t) => {
  const server = await serveLogged(t);
  const client = new RawClient(server.port);
  await new Promise((resolve) => client.socket.write('GET / HTT', resolve));
  await (await fetch(server.url)).text();
  client.write('P/1.1\r\nHost: a\r\n\r\n');
  assert.match(await client.untilClosed(), /^HTTP\/1\.1 505 /);
});

/** Requests that uWebSockets.js treats as an incomplete head. */
const neverWhole: Record<string, string> = {
  'no field at all': request('GET / HTTP/1.1'),
  'a line without a colon': get('nonsense'),
  'a space before the colon': get('Transfer-Encoding : chunked'),
  'a folded line': get('X-Folded: a', ' b'),
  'a control character': get('X-Bell: \x07'),
  'a line end before the request line': `\r\n${get()}`,
};

test('uWebSockets.js closes unanswered connections by its idle timeout; later requests are not executed', {
  timeout: 300_000,
}, async (t) => {
  const server = await serveLogged(t);
  const unanswered = Object.entries(neverWhole).map(async ([name, bytes]) => {
    assert.equal(await new RawClient(server.port).write(bytes + HIDDEN).untilClosed(), '', name);
  });
  const unread = chunked('3;a=b\r\nabc\r\n0\r\n\r\n', '/unread') + HIDDEN;
  const received = new RawClient(server.port).write(unread).untilClosed();
  await Promise.all(unanswered);
  assert.match(await received, /^HTTP\/1\.1 200 [^<]*unread$/);
  assert.deepEqual(server.carriedOut, ['POST /unread']);
});

test('uWebSockets.js reads other chunk extensions as digits, so the body does not end: 408, and the connection is closed', async (t) => {
  const server = await serveLogged(t, 100);
  for (const body of ['3;a=b\r\nabc\r\n0\r\n\r\n', '3\r\nabc\r\n0;a=b\r\n\r\n']) {
    const received = await new RawClient(server.port).write(chunked(body) + HIDDEN).untilClosed();
    assert.match(received, /^HTTP\/1\.1 408 /);
    assert.ok(!server.carriedOut.includes('DELETE /hidden'));
  }
});

test('a request before the response to the last one ends the connection, and cancels that one', async (t) => {
  let cancelled = 0;
  let served = 0;
  const server = await serve(t, (request) => {
    request.onAbort(() => {
      cancelled++;
    });
    return served++ === 0 ? new Promise<HttpResponse>(() => {}) : text('ok');
  });
  const client = new RawClient(server.port).write(get() + get());
  assert.equal(await client.untilClosed(), '');
  assert.equal(cancelled, 1);
  assert.equal(await (await fetch(server.url)).text(), 'ok');
});

test('a client that ends its side of the connection gets no response', async (t) => {
  const server = await serveLogged(t);
  const client = new RawClient(server.port);
  client.socket.end(request('GET /waits HTTP/1.1', 'Host: a'));
  assert.equal(await client.untilClosed(), '');
});

test('uWebSockets.js sends 100 Continue before the head is parsed, and only for the lower-case value', async (t) => {
  const server = await serveLogged(t);
  const body = 'Content-Length: 3';
  const asked = new RawClient(server.port).write(`${get('Expect: 100-continue', body)}abc`);
  assert.match(
    await asked.until((all) => all.endsWith('<abc>')),
    /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /,
  );
  asked.end();
  const shouted = new RawClient(server.port).write(`${get('Expect: 100-Continue', body)}abc`);
  assert.match(await shouted.until((all) => all.endsWith('<abc>')), /^HTTP\/1\.1 200 /);
  shouted.end();
});

/** Bodies with invalid chunks, and how uWebSockets.js reads them. */
const lenient: Record<string, [bytes: string, read: string]> = {
  'bare LF': [chunked('3\nabc\r\n0\r\n\r\n'), 'abc'],
  'other bytes in place of the line end behind a chunk': [chunked('3\r\nabcXX0\r\n\r\n'), 'abc'],
  'other bytes in place of the last line end': [chunked('3\r\nabc\r\n0\r\nXX'), 'abc'],
  'a colon for a digit': [chunked(':\r\n0123456789\r\n0\r\n\r\n'), '0123456789'],
  'g for a digit': [chunked('g\r\n0123456789abcdef\r\n0\r\n\r\n'), '0123456789abcdef'],
  'anything behind a space': [chunked('3 xyz\r\nabc\r\n0\r\n\r\n'), 'abc'],
  'a field without a name': [get(': x', 'Content-Length: 3'), ''],
};

test('uWebSockets.js accepts some invalid requests', async (t) => {
  const server = await serveLogged(t);
  for (const [name, [bytes, read]] of Object.entries(lenient)) {
    const client = new RawClient(server.port).write(bytes);
    const received = await client.until((all) => all.endsWith('>'));
    client.end();
    assert.match(received, new RegExp(`^HTTP/1\\.1 200 [^<]*<${read}>$`), name);
  }
});

everywhere('the document names the installed version', async () => {
  const document = await readFile(projectFile('docs/http-server.md'), 'utf8');
  const installed = JSON.parse(
    await readFile(projectFile('node_modules/uWebSockets.js/package.json'), 'utf8'),
  ) as { name: string; version: string };
  assert.ok(document.includes(`${installed.name} ${installed.version}`));
});
