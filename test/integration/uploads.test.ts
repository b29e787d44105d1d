import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, it } from 'node:test';
import { sharedServer } from '../support/shared-server.ts';

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

describe('an upload of RDF', () => {
  const server = sharedServer(['--memory', '--threads', '1', '--max-rdf-body', '64KiB']);

  const storeKept = async (graph: string) =>
    assert.equal((await put(server.url, graph, '<urn:x:s> <urn:x:p> "kept" .')).status, 201);
  const assertKept = async (graph: string) => {
    const text = await (await fetch(`${contextUrl(server.url, graph)}&format=nt`)).text();
    assert.equal(text, '<urn:x:s> <urn:x:p> "kept" .\n');
  };

  it('C-16, G-103: is rejected with line and column of a syntax error, and changes nothing', async () => {
    await storeKept('urn:x:broken');
    const response = await put(
      server.url,
      'urn:x:broken',
      '<urn:x:s> <urn:x:p> 1 .\n<urn:x:s> <urn:x:p> oops .\n',
    );
    assert.equal(response.status, 400);
    const { code, line, column, source } = await problem(response);
    assert.deepEqual(
      { code, line, column, source },
      { code: 'parse-error', line: 2, column: 21, source: 'body' },
    );
    await assertKept('urn:x:broken');
  });

  it('is rejected with the supported media types when its type is unknown', async () => {
    await storeKept('urn:x:image');
    const response = await put(server.url, 'urn:x:image', 'x', 'image/png');
    assert.equal(response.status, 415);
    assert.ok(((await problem(response))['available'] as string[]).includes('text/turtle'));
    await assertKept('urn:x:image');
  });

  it('is rejected when the graph name is not an absolute IRI', async () => {
    const response = await put(server.url, 'no iri', '<urn:x:s> <urn:x:p> 1 .');
    assert.equal(response.status, 400);
    assert.equal((await problem(response))['code'], 'bad-iri');
  });

  it('is rejected above the size limit, with and without Content-Length', async () => {
    await storeKept('urn:x:long');
    const body = `<urn:x:s> <urn:x:p> "${'x'.repeat(65_536)}" .`;
    assert.equal((await put(server.url, 'urn:x:long', body)).status, 413);
    const chunked = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(body));
        controller.close();
      },
    });
    const init = { method: 'PUT', headers: { 'Content-Type': 'text/turtle' }, body: chunked, duplex: 'half' };
    assert.equal((await fetch(contextUrl(server.url, 'urn:x:long'), init as RequestInit)).status, 413);
    await assertKept('urn:x:long');
  });

  it('changes nothing, and ends its task, when the client disconnects in the middle of it', async () => {
    await storeKept('urn:x:aborted');
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write(
      'PUT /context?graph=urn:x:aborted HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/turtle\r\nContent-Length: 5000\r\n\r\n',
    );
    socket.write('<urn:x:s> <urn:x:p> "half" .\n');
    socket.destroy();
    await once(socket, 'close');
    await assertKept('urn:x:aborted');
    assert.deepEqual(await (await fetch(`${server.url}/tasks?queued=true`)).json(), {});
  });
});
