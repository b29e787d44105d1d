/** The files of the console over HTTP; `test/console/` has its pages in a browser. */
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { describe, it } from 'node:test';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { startServer } from '../support/server-process.ts';
import { sharedServer } from '../support/shared-server.ts';

describe('the console over HTTP', () => {
  const server = sharedServer(['--memory', '--threads', '1']);

  it('is one document at the paths of all pages, to which the root leads (T-60)', async () => {
    for (const path of ['/', '/console']) {
      const moved = await fetch(server.url + path, { redirect: 'manual' });
      assert.deepEqual([moved.status, moved.headers.get('location')], [303, '/console/'], path);
    }
    const first = await (await fetch(`${server.url}/console/`)).text();
    const other = await fetch(`${server.url}/console/tasks`);
    assert.equal(await other.text(), first);
    assert.match(other.headers.get('content-security-policy')!, /^default-src 'none'; script-src 'self';/);
    const again = { headers: { 'If-None-Match': other.headers.get('etag')! } };
    assert.equal((await fetch(`${server.url}/console/tasks`, again)).status, 304);
  });

  it('has scripts that may be kept, compressed as the client accepts it (T-60)', async () => {
    const page = await (await fetch(`${server.url}/console/`)).text();
    const url = `${server.url}/console/${/src="([^"]+)"/.exec(page)![1]}`;
    const plain = await fetch(url, { headers: { 'Accept-Encoding': 'identity' } });
    assert.equal(plain.headers.get('content-encoding'), null);
    assert.match(plain.headers.get('cache-control')!, /immutable/);
    const script = await plain.text();
    for (const [coding, decode] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const bytes = await encodedBytes(url, coding);
      assert.equal(decode(bytes).toString(), script, coding);
    }
  });

  it('serves nothing but its own files (T-60)', async () => {
    for (const name of [
      'none.js',
      '..%2Findex.html',
      '%2e%2e%2fmain.js',
      'main',
      'x.json',
      'index.html.br',
    ]) {
      const { status } = await fetch(`${server.url}/console/assets/${name}`);
      assert.equal(status, 404, name);
    }
  });

  it('can be switched off (T-60)', async (context) => {
    const { url } = await startServer(context, ['--memory', '--threads', '1', '--console', 'off']);
    for (const path of ['/', '/console', '/console/tasks']) {
      assert.equal((await fetch(url + path)).status, 404, path);
    }
  });
});

/** Returns the bytes as they are sent; `fetch` would decode them. */
function encodedBytes(url: string, coding: string): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { headers: { 'Accept-Encoding': coding } }, (response) => {
      const chunks: Buffer[] = [];
      assert.equal(response.headers['content-encoding'], coding);
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => resolve(Buffer.concat(chunks)));
    });
    sent.on('error', reject).end();
  });
}
