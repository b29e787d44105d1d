import assert from 'node:assert/strict';
import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { BASE } from '../support/server-process.ts';
import { sharedServer } from '../support/shared-server.ts';

interface RawResponse {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

/** Sends a request, and returns the body as it is sent. `fetch` would decode it. */
function send(
  url: string,
  headers: Record<string, string>,
  method = 'GET',
  body?: string,
): Promise<RawResponse> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers }, (response) => {
      buffer(response).then(
        (bytes) =>
          resolve({
            status: response.statusCode ?? 0,
            headers: response.headers as Record<string, string>,
            body: bytes,
          }),
        reject,
      );
    });
    sent.on('error', reject).end(body);
  });
}

const turtle = { 'Content-Type': 'text/turtle' };
const gzip = { 'Accept-Encoding': 'gzip, deflate' };

function turtleOf(count: number): string {
  return Array.from({ length: count }, (_, i) => `<urn:x:s${i}> <urn:x:p> "value ${i}" .\n`).join('');
}

describe('a server with --compress', () => {
  const server = sharedServer(['--memory', '--threads', '1', '--compress']);

  for (const [name, count] of [
    ['buffered', 100],
    ['streamed', 20_000],
  ] as const) {
    it(`G-63: compresses a long graph that is ${name}, but not a short one`, async () => {
      const target = `${server.url}/context?graph=urn:x:${name}`;
      assert.equal((await send(target, turtle, 'PUT', turtleOf(count))).status, 201);
      const nt = { Accept: 'application/n-triples' };
      const plain = await send(target, nt);
      const compressed = await send(target, { ...nt, ...gzip });
      assert.equal(compressed.headers['content-encoding'], 'gzip');
      assert.equal(compressed.headers['vary'], 'Accept, Accept-Datetime, Accept-Encoding');
      assert.ok(gunzipSync(compressed.body).equals(plain.body));
      const tag = compressed.headers['etag'] ?? '';
      assert.equal(tag, plain.headers['etag']?.replace(/"$/, '.gz"'));
      const again = await send(target, { ...nt, ...gzip, 'If-None-Match': tag });
      assert.deepEqual([again.status, again.headers['etag']], [304, tag]);
      const head = await send(target, { ...nt, ...gzip }, 'HEAD');
      assert.deepEqual([head.headers['etag'], head.headers['content-encoding']], [tag, 'gzip']);
      assert.equal((await send(target, { ...turtle, 'If-Match': tag }, 'PUT', turtleOf(1))).status, 204);
      const small = await send(target, { ...nt, ...gzip });
      assert.equal(small.headers['content-encoding'], undefined);
    });
  }

  it('G-63: compresses a document of an LDP resource, whether it is cached or not', async () => {
    const made = await send(`${server.url}/ldp`, { ...turtle, Slug: 'long' }, 'POST', turtleOf(100));
    const target = (made.headers['location'] ?? '').replace(BASE, server.url);
    for (let i = 0; i < 3; i++) {
      const compressed = await send(target, gzip);
      assert.match(compressed.headers['etag'] ?? '', /-turtle\.2\.gz"$/);
      assert.match(gunzipSync(compressed.body).toString(), /value 99/);
      const plain = await send(target, {});
      assert.match(plain.body.toString(), /value 99/);
      assert.match(plain.headers['etag'] ?? '', /-turtle\.2"$/);
    }
  });

  it('G-63: compresses the lines of a batch', async () => {
    await send(`${server.url}/context?graph=urn:x:batch`, turtle, 'PUT', turtleOf(1000));
    const uris = Array.from({ length: 1000 }, (_, i) => `urn:x:s${i}`);
    const body = JSON.stringify({ path: '<urn:x:p>', uris });
    const response = await send(`${server.url}/ldpath/batch`, gzip, 'POST', body);
    const text = gunzipSync(response.body).toString().trimEnd().split('\n');
    assert.equal(text.length, 1001);
    assert.match(text.at(-1) ?? '', /"done":true/);
  });

  it('R-62: sends content as it was stored, with its length', async () => {
    const target = `${server.url}/content/text/plain?uri=urn:x:text`;
    assert.equal((await send(target, {}, 'PUT', turtleOf(100))).status, 201);
    const response = await send(target, gzip);
    assert.equal(response.headers['content-encoding'], undefined);
    assert.equal(Number(response.headers['content-length']), turtleOf(100).length);
    assert.equal(response.body.toString(), turtleOf(100));
  });
});

describe('a server without --compress', () => {
  const server = sharedServer(['--memory', '--threads', '1']);

  it('G-63: compresses nothing', async () => {
    const response = await send(`${server.url}/ldpath/functions`, { 'Accept-Encoding': 'gzip' });
    assert.equal(response.headers['content-encoding'], undefined);
    assert.equal(response.headers['vary'], undefined);
  });
});
