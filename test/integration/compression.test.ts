import assert from 'node:assert/strict';
import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { BASE, startServer } from '../support/server-process.ts';

interface Answer {
  readonly status: number;
  readonly headers: Record<string, string>;
  readonly body: Buffer;
}

/** `fetch` would unpack by itself. */
function ask(url: string, headers: Record<string, string>, method = 'GET', body?: string): Promise<Answer> {
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

test('G-63: long answers are packed when that is switched on', async (context) => {
  const { url } = await startServer(context, ['--memory', '--threads', '1', '--compress']);
  const lines = (count: number) =>
    Array.from({ length: count }, (_, i) => `<urn:x:s${i}> <urn:x:p> "value ${i}" .\n`).join('');
  const type = { 'Content-Type': 'text/turtle' };
  const gzip = { 'Accept-Encoding': 'gzip, deflate' };

  for (const [name, count] of [
    ['whole', 100],
    ['streamed', 20_000],
  ] as const) {
    await context.test(`a graph, ${name}`, async () => {
      const target = `${url}/context?graph=urn:x:${name}`;
      assert.equal((await ask(target, type, 'PUT', lines(count))).status, 201);
      const nt = { Accept: 'application/n-triples' };
      const plain = await ask(target, nt);
      const compressed = await ask(target, { ...nt, ...gzip });
      assert.equal(compressed.headers['content-encoding'], 'gzip');
      assert.equal(compressed.headers['vary'], 'Accept, Accept-Encoding');
      assert.ok(gunzipSync(compressed.body).equals(plain.body));
      const tag = compressed.headers['etag'] ?? '';
      assert.equal(tag, plain.headers['etag']?.replace(/"$/, '.gz"'));
      const again = await ask(target, { ...nt, ...gzip, 'If-None-Match': tag });
      assert.deepEqual([again.status, again.headers['etag']], [304, tag]);
      const head = await ask(target, { ...nt, ...gzip }, 'HEAD');
      assert.deepEqual([head.headers['etag'], head.headers['content-encoding']], [tag, 'gzip']);
      assert.equal((await ask(target, { ...type, 'If-Match': tag }, 'PUT', lines(1))).status, 204);
      const small = await ask(target, { ...nt, ...gzip });
      assert.equal(small.headers['content-encoding'], undefined);
    });
  }

  await context.test('a document of the LDP space, kept or not', async () => {
    const made = await ask(`${url}/ldp`, { ...type, Slug: 'long' }, 'POST', lines(100));
    const target = (made.headers['location'] ?? '').replace(BASE, url);
    for (let i = 0; i < 3; i++) {
      const compressed = await ask(target, gzip);
      assert.match(compressed.headers['etag'] ?? '', /-turtle\.gz"$/);
      assert.match(gunzipSync(compressed.body).toString(), /value 99/);
      const plain = await ask(target, {});
      assert.match(plain.body.toString(), /value 99/);
      assert.match(plain.headers['etag'] ?? '', /-turtle"$/);
    }
  });

  await context.test('lines of a batch', async () => {
    await ask(`${url}/context?graph=urn:x:g`, type, 'PUT', lines(1000));
    const uris = Array.from({ length: 1000 }, (_, i) => `urn:x:s${i}`);
    const answer = await ask(
      `${url}/ldpath/batch`,
      gzip,
      'POST',
      JSON.stringify({ path: '<urn:x:p>', uris }),
    );
    const text = gunzipSync(answer.body).toString().trimEnd().split('\n');
    assert.equal(text.length, 1001);
    assert.match(text.at(-1) ?? '', /"done":true/);
  });

  await context.test('R-62: content comes as it was stored, with its length', async () => {
    const target = `${url}/content/text/plain?uri=urn:x:text`;
    assert.equal((await ask(target, {}, 'PUT', lines(100))).status, 201);
    const answer = await ask(target, gzip);
    assert.equal(answer.headers['content-encoding'], undefined);
    assert.equal(Number(answer.headers['content-length']), lines(100).length);
    assert.equal(answer.body.toString(), lines(100));
  });
});

test('G-63: nothing is packed when that is not switched on', async (context) => {
  const { url } = await startServer(context, ['--memory', '--threads', '1']);
  const answer = await ask(`${url}/ldpath/functions`, { 'Accept-Encoding': 'gzip' });
  assert.equal(answer.headers['content-encoding'], undefined);
  assert.equal(answer.headers['vary'], undefined);
});
