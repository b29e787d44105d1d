import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { test } from 'node:test';
import { startServer } from '../support/server-process.ts';

function contextUrl(url: string, graph: string): string {
  return `${url}/context?graph=${encodeURIComponent(graph)}`;
}

async function put(url: string, graph: string, body: string, type = 'text/turtle'): Promise<Response> {
  return fetch(contextUrl(url, graph), { method: 'PUT', headers: { 'Content-Type': type }, body });
}

async function problem(response: Response): Promise<Record<string, unknown>> {
  assert.equal(response.headers.get('content-type'), 'application/problem+json');
  return (await response.json()) as Record<string, unknown>;
}

test('refused uploads', async (context) => {
  const server = await startServer(context, ['--memory', '--threads', '1', '--max-rdf-body', '64KiB']);
  const { url } = server;
  assert.equal((await put(url, 'urn:x:g', '<urn:x:s> <urn:x:p> "kept" .')).status, 201);

  const assertKept = async () => {
    const text = await (await fetch(`${contextUrl(url, 'urn:x:g')}&format=nt`)).text();
    assert.equal(text, '<urn:x:s> <urn:x:p> "kept" .\n');
  };

  await context.test(
    'C-16, G-103: broken Turtle gives line and column, and leaves the graph as it was',
    async () => {
      const response = await put(url, 'urn:x:g', '<urn:x:s> <urn:x:p> 1 .\n<urn:x:s> <urn:x:p> oops .\n');
      assert.equal(response.status, 400);
      const { code, line, column, source } = await problem(response);
      assert.deepEqual(
        { code, line, column, source },
        { code: 'parse-error', line: 2, column: 21, source: 'body' },
      );
      await assertKept();
    },
  );

  await context.test('an unknown media type is refused with those that work', async () => {
    const response = await put(url, 'urn:x:g', 'x', 'image/png');
    assert.equal(response.status, 415);
    assert.ok(((await problem(response))['available'] as string[]).includes('text/turtle'));
    await assertKept();
  });

  await context.test('a graph name that is no absolute IRI is refused', async () => {
    const response = await put(url, 'no iri', '<urn:x:s> <urn:x:p> 1 .');
    assert.equal(response.status, 400);
    assert.equal((await problem(response))['code'], 'bad-iri');
  });

  await context.test('a body over the limit is refused, announced or not', async () => {
    const body = `<urn:x:s> <urn:x:p> "${'x'.repeat(65_536)}" .`;
    assert.equal((await put(url, 'urn:x:g', body)).status, 413);
    const chunked = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(body));
        controller.close();
      },
    });
    const init = { method: 'PUT', headers: { 'Content-Type': 'text/turtle' }, body: chunked, duplex: 'half' };
    assert.equal((await fetch(contextUrl(url, 'urn:x:g'), init as RequestInit)).status, 413);
    await assertKept();
  });

  await context.test(
    'a client that goes away in the middle of its upload leaves nothing behind',
    async () => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      await once(socket, 'connect');
      socket.write(
        'PUT /context?graph=urn:x:g HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/turtle\r\nContent-Length: 5000\r\n\r\n',
      );
      socket.write('<urn:x:s> <urn:x:p> "half" .\n');
      socket.destroy();
      await once(socket, 'close');
      await assertKept();
      assert.deepEqual(await (await fetch(`${url}/tasks?queued=true`)).json(), {});
    },
  );
});
