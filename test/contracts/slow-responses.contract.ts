import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { problemResponse } from '../../src/http/problem.ts';
import type { HttpRequest, HttpResponse } from '../../src/http/server/message.ts';
import { RawClient } from '../http/raw-client.ts';
import { serve, type TestServer, text } from '../http/test-server.ts';

/** Longer than any idle timeout of uWebSockets.js, which is 8 to 12 s. */
const SLOW_MS = 16_000;
const MAX_BODY = 2 ** 24;

type TestHandler = (request: HttpRequest) => Promise<HttpResponse>;

const slowly = () => setTimeout(SLOW_MS);

/** What handlers do with a body, each with a response that takes long. */
const handlers: Record<string, TestHandler> = {
  '/reads': async (request) => {
    const body = await request.readBody(MAX_BODY);
    assert.ok(body.ok);
    await slowly();
    return text(`read ${body.value.length}`);
  },
  '/streams': async (request) => {
    let bytes = 0;
    for await (const piece of request.streamBody(MAX_BODY)) bytes += piece.length;
    await slowly();
    return text(`read ${bytes}`);
  },
  '/ignores': async () => {
    await slowly();
    return text('ignored');
  },
  '/reads-late': async (request) => {
    await slowly();
    const body = await request.readBody(MAX_BODY);
    return text(body.ok ? `read ${body.value.length}` : body.error.code);
  },
  '/leaves-early': async (request) => {
    for await (const piece of request.streamBody(MAX_BODY)) {
      if (piece.length > 0) break;
    }
    await slowly();
    return text('left');
  },
  '/rejects': async (request) => {
    const body = await request.readBody(10);
    await slowly();
    return body.ok ? text('small') : problemResponse(body.error, request);
  },
  '/begins-late': async (request) => {
    await request.readBody(MAX_BODY);
    const pieces = async function* () {
      await slowly();
      yield Buffer.from('late but whole');
    };
    return { status: 200, headers: [], body: pieces() };
  },
  '/pauses': async (request) => {
    await request.readBody(MAX_BODY);
    return { status: 200, headers: [], body: withPause('first, ', 'second') };
  },
  '/pauses-sized': async (request) => {
    await request.readBody(MAX_BODY);
    return { status: 200, headers: [], body: withPause('first, ', 'second'), length: 13 };
  },
};

async function* withPause(first: string, second: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(first);
  await slowly();
  yield Buffer.from(second);
}

/** How the response to a body of so many bytes ends. */
function expectedEnd(path: string, bytes: number): string {
  if (path === '/rejects' && bytes > 10) return '"code":"too-large"}';
  const ends: Record<string, string> = {
    '/ignores': 'ignored',
    '/leaves-early': 'left',
    '/rejects': 'small',
    '/begins-late': 'late but whole\r\n0\r\n\r\n',
    '/pauses': 'first, \r\n6\r\nsecond\r\n0\r\n\r\n',
    '/pauses-sized': 'first, second',
  };
  return ends[path] ?? `read ${bytes}`;
}

const framings: Record<string, (body: Buffer) => [header: string, bytes: Buffer]> = {
  declared: (body) => [`Content-Length: ${body.length}`, body],
  chunked: (body) => [
    'Transfer-Encoding: chunked',
    Buffer.concat([
      Buffer.from(`${body.length.toString(16)}\r\n`),
      body,
      Buffer.from(body.length === 0 ? '\r\n' : '\r\n0\r\n\r\n'),
    ]),
  ],
};

function post(server: TestServer, path: string, header: string): RawClient {
  return new RawClient(server.port).write(`POST ${path} HTTP/1.1\r\nHost: a\r\n${header}\r\n\r\n`);
}

/**
 * Sends a body, and waits for the slow response and for a quick one to another request on the same
 * connection. Returns the failures.
 */
async function faultOf(server: TestServer, path: string, framing: string, size: number): Promise<string[]> {
  const [header, bytes] = framings[framing]!(Buffer.alloc(size, 'x'));
  const client = post(server, path, header).write(bytes);
  try {
    const response = await client.until((all) => all.endsWith(expectedEnd(path, size)));
    if (/Connection: close/i.test(response)) return [];
    client.write('GET /quick HTTP/1.1\r\nHost: a\r\n\r\n');
    await client.until((all) => all.endsWith('quick'));
    return [];
  } catch (error) {
    return [`${path}, ${size} bytes ${framing}: ${(error as Error).message}`];
  } finally {
    client.end();
  }
}

test('a response may take longer than any timeout, whatever came before it', {
  timeout: 300_000,
}, async (t) => {
  const server = await serve(t, (request) => handlers[request.path]?.(request) ?? text('quick'));
  const sizes = [0, 10, 600_000, 3_000_000];
  const failures = Object.keys(handlers).flatMap((path) =>
    Object.keys(framings).flatMap((framing) => sizes.map((size) => faultOf(server, path, framing, size))),
  );
  const [all] = await Promise.all([
    Promise.all(failures),
    assertWithoutBody(server),
    assertBodySentLate(server),
    assertHeadInParts(server),
    assertLeavingIsNoticed(t),
    assertSlowReaderIsAwaited(t),
    assertDeafIsDropped(t),
  ]);
  assert.deepEqual([...all.flat(), ...server.internalErrors], []);
});

async function assertWithoutBody(server: TestServer): Promise<void> {
  const client = new RawClient(server.port).write('GET /ignores HTTP/1.1\r\nHost: a\r\n\r\n');
  const head = new RawClient(server.port).write('HEAD /pauses-sized HTTP/1.1\r\nHost: a\r\n\r\n');
  assert.match(await client.until((all) => all.endsWith('ignored')), /^HTTP\/1\.1 200 /);
  assert.match(await head.until((all) => all.endsWith('\r\n\r\n')), /\r\nContent-Length: 13\r\n/);
}

/** Neither the server nor the client is in a hurry. */
async function assertBodySentLate(server: TestServer): Promise<void> {
  const client = post(server, '/reads-late', 'Content-Length: 4');
  await setTimeout(SLOW_MS - 2_000);
  client.write('late');
  await client.until((all) => all.endsWith('read 4'));
}

/** uWebSockets.js says nothing of the end of an empty body then. */
async function assertHeadInParts(server: TestServer): Promise<void> {
  const client = new RawClient(server.port).write('POST /reads HTTP/1.1\r\nHost: a\r\nContent-Len');
  await new Promise((resolve) => client.socket.write('', resolve));
  await (await fetch(`${server.url}/quick`)).text();
  client.write('gth: 0\r\n\r\n');
  await client.until((all) => all.endsWith('read 0'));
}

/** A connection that was held back during its upload still tells when the client goes away. */
async function assertLeavingIsNoticed(t: TestContext): Promise<void> {
  for (const mode of ['reads', 'streams']) {
    let read = () => {};
    let left = () => {};
    const isRead = new Promise<void>((resolve) => {
      read = resolve;
    });
    const hasLeft = new Promise<void>((resolve) => {
      left = resolve;
    });
    const server = await serve(t, async (request) => {
      request.onAbort(left);
      if (mode === 'reads') await request.readBody(MAX_BODY);
      else for await (const _ of request.streamBody(MAX_BODY));
      read();
      await hasLeft;
      return text('nobody reads this');
    });
    const client = post(server, '/', 'Content-Length: 3000000').write(Buffer.alloc(3_000_000));
    await isRead;
    client.end();
    await hasLeft;
  }
}

/** A client that was behind with reading, and has caught up, has time like any other. */
async function assertSlowReaderIsAwaited(t: TestContext): Promise<void> {
  const server = await serve(t, async (request) => {
    await request.readBody(MAX_BODY);
    const pieces = async function* () {
      yield new Uint8Array(MAX_BODY);
      yield* withPause('begin, ', 'end');
    };
    return { status: 200, headers: [], body: pieces() };
  });
  const response = await fetch(server.url, { method: 'POST', body: Buffer.alloc(3_000_000) });
  await setTimeout(1_000);
  let bytes = 0;
  for await (const piece of response.body!) bytes += piece.length;
  assert.equal(bytes, MAX_BODY + 'begin, end'.length);
}

/**
 * Checks that a client that does not read a long response loses its connection, even if it was kept
 * alive before.
 */
async function assertDeafIsDropped(t: TestContext): Promise<void> {
  let drop = () => {};
  const dropped = new Promise<void>((resolve) => {
    drop = resolve;
  });
  const server = await serve(t, async (request) => {
    request.onAbort(drop);
    await request.readBody(MAX_BODY);
    const pieces = async function* () {
      for (;;) yield new Uint8Array(65_536);
    };
    return { status: 200, headers: [], body: pieces() };
  });
  const client = post(server, '/', 'Content-Length: 3000000');
  client.socket.pause();
  client.write(Buffer.alloc(3_000_000));
  await dropped;
}
