import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { RawClient } from '../http/raw-client.ts';
import { BASE, startServer } from '../support/server-process.ts';
import { sharedServer } from '../support/shared-server.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

/** Sends requests to a server. Targets are URIs that begin with `BASE`, or paths. */
function requests(server: { readonly url: string }) {
  const send =
    (method: string) =>
    (target: string, headers: Record<string, string> = {}, body?: Uint8Array | string) =>
      fetch(server.url + target.replace(BASE, ''), {
        method,
        redirect: 'manual',
        headers,
        ...(body !== undefined && { body: Buffer.from(body) }),
      });
  return {
    get: send('GET'),
    head: send('HEAD'),
    put: send('PUT'),
    remove: send('DELETE'),
    post: send('POST'),
  };
}

/** The names of all files in a directory and below it, sorted. */
async function filesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => entry.name)
    .sort();
}

async function bytesOf(response: Response): Promise<Buffer> {
  return Buffer.from(await response.arrayBuffer());
}

function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

describe('content over HTTP', () => {
  let data = '';
  const server = sharedServer(async (scope) => {
    data = await temporaryDirectory(scope);
    return ['--data', data, '--threads', '1', '--max-content', '8MiB'];
  });
  const { get, head, put, remove, post } = requests(server);
  const files = () => filesIn(join(data, 'content'));

  it('R-65, R-62: PUT stores bytes, and GET returns them with type, length, tag and digest', async () => {
    const target = '/content/image/jpeg?uri=http%3A%2F%2Fexample.org%2Fcat';
    const before = await files();
    const bytes = randomBytes(3_000_000);
    const stored = await put(target, {}, bytes);
    assert.equal(stored.status, 201);
    assert.equal(stored.headers.get('location'), BASE + target);
    const read = await get(target);
    assert.equal(read.status, 200);
    assert.ok((await bytesOf(read)).equals(bytes));
    assert.equal(read.headers.get('content-type'), 'image/jpeg');
    assert.equal(read.headers.get('content-length'), '3000000');
    assert.equal(read.headers.get('accept-ranges'), 'bytes');
    assert.equal(read.headers.get('content-security-policy'), 'sandbox');
    assert.equal(read.headers.get('x-content-type-options'), 'nosniff');
    assert.match(read.headers.get('etag') ?? '', /^"[0-9a-f]{32}"$/);
    assert.equal(read.headers.get('etag'), stored.headers.get('etag'));
    const digest = Buffer.from(sha256(bytes), 'hex').toString('base64');
    assert.equal(read.headers.get('repr-digest'), `sha-256=:${digest}:`);
    assert.deepEqual(await files(), [...before, sha256(bytes)].sort());
    const headers = await head(target);
    assert.deepEqual([headers.status, headers.headers.get('content-length')], [200, '3000000']);
  });

  it('R-64: links lead from content to the metadata in every type', async () => {
    const query = '?uri=http%3A%2F%2Fexample.org%2Flinked';
    assert.equal((await put(`/content/image/jpeg${query}`, {}, 'linked')).status, 201);
    const links = (await head(`/content/image/jpeg${query}`)).headers.get('link')?.split(', ') ?? [];
    assert.equal(links.length, 8);
    assert.equal(links[0], `<${BASE}/meta/text/turtle${query}>; rel="meta"; type="text/turtle"`);
  });

  it('two resources with equal bytes share one file, which lasts until both are removed', async () => {
    const before = await files();
    const other = '/content/text/plain?uri=urn:x:other';
    const third = '/content/text/x-other?uri=urn:x:third';
    assert.equal((await put(other, {}, 'shared')).status, 201);
    assert.equal((await put(third, {}, 'shared')).status, 201);
    assert.deepEqual(await files(), [...before, sha256('shared')].sort());
    assert.equal((await remove('/content?uri=urn:x:other')).status, 200);
    assert.equal(await (await get(third)).text(), 'shared');
    assert.equal((await remove('/resource?uri=urn:x:third')).status, 200);
    assert.deepEqual(await files(), before);
  });

  it('a replacement gets 200, and removes the old file', async () => {
    const before = await files();
    const query = '?uri=urn:x:replaced';
    assert.equal((await put(`/content/image/jpeg${query}`, {}, 'jpeg')).status, 201);
    const replaced = await put(`/content/image/png${query}`, {}, 'png');
    assert.deepEqual([replaced.status, replaced.headers.get('location')], [200, null]);
    assert.deepEqual(await files(), [...before, sha256('png')].sort());
    assert.equal((await get(`/content/image/jpeg${query}`)).status, 406);
    assert.equal((await put(`/content/image/png${query}`, {}, 'png')).status, 200);
    assert.deepEqual(await files(), [...before, sha256('png')].sort());
  });

  it('R-60: the charset of a textual type is stored, and no other parameter', async () => {
    const stored = async (mime: string, header: string) => {
      await put(`/content/${mime}?uri=urn:x:text`, { 'Content-Type': header }, 'x');
      return (await get(`/content/${mime}?uri=urn:x:text`)).headers.get('content-type');
    };
    assert.equal(
      await stored('text/plain', 'text/plain; charset=ISO-8859-1'),
      'text/plain; charset=ISO-8859-1',
    );
    assert.equal(await stored('text/plain', 'text/plain'), 'text/plain');
    assert.equal(await stored('text/plain', 'text/html; charset=utf-8'), 'text/plain');
    assert.equal(await stored('text/plain', 'text/plain; charset="a; b"'), 'text/plain');
    assert.equal(await stored('image/png', 'image/png; charset=utf-8'), 'image/png');
    assert.equal(
      await stored('TEXT/Html', 'text/html;charset=utf-8;rel=content'),
      'text/html; charset=utf-8',
    );
  });

  it('R-61: an alias of an RDF type addresses the same content, and a wildcard none', async () => {
    await put('/content/text/turtle?uri=urn:x:ttl', {}, '# turtle');
    const read = await get('/content/application/x-turtle?uri=urn:x:ttl');
    assert.deepEqual([read.status, read.headers.get('content-type')], [200, 'text/turtle']);
    assert.equal((await get('/content/text/*?uri=urn:x:ttl')).status, 404);
    assert.equal((await get('/content/*/*?uri=urn:x:ttl')).status, 404);
  });

  it('a path without a type redirects to the stored type', async () => {
    const query = '?uri=http%3A%2F%2Fexample.org%2Funtyped';
    assert.equal((await put(`/content/image/png${query}`, {}, 'untyped')).status, 201);
    const found = await get(`/content${query}`);
    assert.deepEqual([found.status, found.headers.get('vary')], [303, 'Accept']);
    assert.equal(found.headers.get('location'), `${BASE}/content/image/png${query}`);
    assert.equal((await put('/content/text/css/local/style', {}, 'p {}')).status, 201);
    const local = await get('/content/local/style');
    assert.equal(local.headers.get('location'), `${BASE}/content/text/css/local/style`);
    assert.equal(await (await get(local.headers.get('location') ?? '')).text(), 'p {}');
    assert.equal((await remove('/content/local/style')).status, 200);
    assert.equal((await remove('/content/local/style')).status, 404);
    assert.equal((await get('/content/local/style')).status, 404);
  });

  it('R-63: one range gets 206, and any other Range header gets the whole content', async () => {
    const text = '0123456789';
    const target = '/content/text/plain?uri=urn:x:range';
    await put(target, {}, text);
    const cases: [range: string, status: number, body: string, contentRange: string | null][] = [
      ['bytes=2-4', 206, '234', 'bytes 2-4/10'],
      ['bytes=0-0', 206, '0', 'bytes 0-0/10'],
      ['bytes=7-', 206, '789', 'bytes 7-9/10'],
      ['bytes=-3', 206, '789', 'bytes 7-9/10'],
      ['bytes=-30', 206, text, 'bytes 0-9/10'],
      ['bytes=5-100', 206, '56789', 'bytes 5-9/10'],
      ['bytes=4-2', 200, text, null],
      ['bytes=0-1,3-4', 200, text, null],
      ['lines=0-1', 200, text, null],
      ['bytes=-', 200, text, null],
    ];
    for (const [range, status, body, contentRange] of cases) {
      const read = await get(target, { Range: range });
      assert.equal(read.status, status, range);
      assert.equal(read.headers.get('content-range'), contentRange);
      assert.equal(read.headers.get('content-length'), String(body.length));
      assert.equal(await read.text(), body);
    }
  });

  it('R-63: a range outside of the content gets 416', async () => {
    const target = '/content/text/plain?uri=urn:x:outside';
    await put(target, {}, '0123456789');
    for (const range of ['bytes=10-', 'bytes=100-200', 'bytes=-0']) {
      const read = await get(target, { Range: range });
      assert.deepEqual([read.status, read.headers.get('content-range')], [416, 'bytes */10']);
      assert.equal(((await read.json()) as { code: string }).code, 'bad-range');
    }
  });

  it('R-63: a range applies only if If-Range names the current state', async () => {
    const target = '/content/text/plain?uri=urn:x:if-range';
    const tag = (await put(target, {}, '0123456789')).headers.get('etag') ?? '';
    const modified = (await head(target)).headers.get('last-modified') ?? '';
    const ifRange = async (value: string) =>
      (await get(target, { Range: 'bytes=0-1', 'If-Range': value })).status;
    assert.equal(await ifRange(tag), 206);
    assert.equal(await ifRange('"other"'), 200);
    assert.equal(await ifRange(`W/${tag}`), 200);
    assert.equal(await ifRange(modified), 206);
    assert.equal(await ifRange('Sun, 06 Nov 1994 08:49:37 GMT'), 200);
    assert.equal((await head(target, { Range: 'bytes=0-1' })).status, 200);
  });

  it('preconditions apply to reads and to writes, and of racing writes one succeeds', async () => {
    const target = '/content/text/plain?uri=urn:x:conditions';
    assert.equal((await put(target, { 'If-Match': '*' }, 'a')).status, 412);
    const tag = (await put(target, { 'If-None-Match': '*' }, 'a')).headers.get('etag') ?? '';
    assert.equal((await put(target, { 'If-None-Match': '*' }, 'b')).status, 412);
    assert.equal((await get(target, { 'If-None-Match': tag })).status, 304);
    assert.equal((await get(target, { 'If-Match': '"other"' })).status, 412);
    const modified = (await head(target)).headers.get('last-modified') ?? '';
    assert.equal((await get(target, { 'If-Modified-Since': modified })).status, 304);
    const responses = await Promise.all(
      Array.from({ length: 6 }, (_, i) => put(target, { 'If-Match': tag }, `new ${i}`)),
    );
    assert.deepEqual(responses.map(({ status }) => status).sort(), [200, ...Array(5).fill(412)]);
    assert.equal((await remove('/content?uri=urn:x:conditions', { 'If-Match': tag })).status, 412);
    const left = await (await get(target)).text();
    assert.ok((await files()).includes(sha256(left)));
    assert.ok(!(await files()).includes(sha256('a')));
  });

  it('a rejected upload leaves nothing behind', async () => {
    const before = await files();
    const codeOf = async (response: Response) => [
      response.status,
      ((await response.json()) as { code: string }).code,
    ];
    const target = '/content/text/plain?uri=urn:x:refused';
    assert.deepEqual(await codeOf(await put(target, {}, '')), [400, 'empty-body']);
    assert.deepEqual(await codeOf(await put('/content/text/plain', {}, 'x')), [400, 'missing-parameter']);
    const gzip = await put(target, { 'Content-Encoding': 'gzip' }, 'x');
    assert.deepEqual(await codeOf(gzip), [415, 'unsupported-coding']);
    assert.equal(gzip.headers.get('accept-encoding'), 'identity', 'G-62');
    const part = await put(target, { 'Content-Range': 'bytes 0-0/10' }, 'x');
    assert.deepEqual(await codeOf(part), [400, 'bad-arguments']);
    const tooLong = randomBytes(8 * 2 ** 20 + 1);
    assert.deepEqual(await codeOf(await put(target, {}, tooLong)), [413, 'too-large']);
    const chunked = { method: 'PUT', body: new Blob([tooLong]).stream(), duplex: 'half' } as RequestInit;
    assert.deepEqual(await codeOf(await fetch(server.url + target, chunked)), [413, 'too-large']);
    assert.equal((await get(target)).status, 404);
    assert.equal((await get('/resource?uri=urn:x:refused')).status, 404);
    assert.equal((await get('/content/text/plain?genid=b1')).status, 404);
    assert.deepEqual(await files(), before);
  });

  it('an aborted upload leaves nothing behind', async () => {
    const before = await files();
    const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write(
      'PUT /content/text/plain?uri=urn:x:half HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000000\r\n\r\n',
    );
    socket.write(randomBytes(1_000_000));
    while ((await files()).length === before.length) await new Promise(setImmediate);
    socket.destroy();
    while ((await files()).length > before.length) await new Promise(setImmediate);
    assert.deepEqual(await files(), before);
    assert.equal((await get('/resource?uri=urn:x:half')).status, 404);
  });

  it('a download of replaced content continues to its end', async () => {
    const first = randomBytes(8 * 2 ** 20);
    const target = '/content/application/octet-stream?uri=urn:x:slow';
    await put(target, {}, first);
    const slow = await get(target);
    const reader = slow.body!.getReader();
    const pieces = [(await reader.read()).value!];
    await put(target, {}, 'short');
    assert.equal(await (await get(target)).text(), 'short');
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) pieces.push(piece.value);
    assert.ok(Buffer.concat(pieces).equals(first));
  });

  it('an aborted download does not delay other requests', async () => {
    const target = '/content/application/octet-stream?uri=urn:x:aborted';
    await put(target, {}, randomBytes(8 * 2 ** 20));
    const left = await get(target);
    await left.body!.cancel();
    assert.equal((await head(target)).status, 200);
  });

  it('no name leads out of the data directory', async () => {
    const raw = async (target: string) => {
      const client = new RawClient(Number(new URL(server.url).port));
      client.write(
        `PUT ${target} HTTP/1.1\r\nHost: localhost\r\nContent-Length: 4\r\nConnection: close\r\n\r\nevil`,
      );
      const received = await client.until((text) => text.includes('\r\n\r\n'));
      client.end();
      return Number(received.slice(9, 12));
    };
    const hostile = [
      '/content/text/plain/../../../../escape',
      '/content/text/plain/%2e%2e/%2e%2e/escape',
      '/content/text/plain/..%2f..%2fescape',
      '/content/text/plain/a%00b',
      '/content/text/plain/a%0d%0aX-Injected:%20yes',
      '/content/text%2f..%2f/plain/x',
      '/content/text/%2e%2e?uri=urn:x:h',
      '/content/../plain?uri=urn:x:h',
      '/content/te%0d%0axt/plain?uri=urn:x:h',
      '/content/text/pl%00ain?uri=urn:x:h',
      `/content/text/${'p'.repeat(200)}?uri=urn:x:h`,
      '/content/text/plain?uri=../../escape',
      '/content/text/plain?uri=%2Fetc%2Fpasswd',
      '/content/text/plain?uri=urn:x:a%00b',
      `/content/text/plain?uri=urn:x:${'u'.repeat(9000)}`,
    ];
    for (const target of hostile) {
      const status = await raw(target);
      assert.ok(status === 400 || status === 405, `${target}: ${status}`);
    }
    assert.equal(await raw('/content/text/plain?uri=file:%2F%2F%2Fetc%2Fpasswd-pathpool'), 201);
    assert.ok(!existsSync('/etc/passwd-pathpool'));
    assert.ok(!existsSync(join(dirname(data), 'escape')) && !existsSync(join(data, 'escape')));
    for (const name of await files()) assert.match(name, /^[0-9a-f]{64}$/);
  });

  it('hostile content is sent as a sandboxed document of its stored type', async () => {
    await put('/content/text/html?uri=urn:x:html', {}, '<script>alert(1)</script>');
    const read = await get('/content/text/html?uri=urn:x:html');
    assert.equal(read.headers.get('content-security-policy'), 'sandbox');
    assert.equal(read.headers.get('x-content-type-options'), 'nosniff');
    const part = await get('/content/text/html?uri=urn:x:html', { Range: 'bytes=0-3' });
    assert.equal(part.headers.get('content-security-policy'), 'sandbox');
  });

  it('a resource exists as long as it has content', async () => {
    assert.equal((await put('/content/text/plain?uri=urn:x:alone', {}, 'x')).status, 201);
    assert.equal((await get('/resource?uri=urn:x:alone')).status, 303);
    assert.equal((await post('/resource?uri=urn:x:alone')).status, 302);
    assert.equal((await remove('/content?uri=urn:x:alone')).status, 200);
    assert.equal((await get('/resource?uri=urn:x:alone')).status, 404);
  });

  it('G-72: a change or removal of content changes its tag, and equal bytes keep it', async () => {
    const target = '/content/text/plain?uri=urn:x:again';
    const tagOf = async (body: string) => (await put(target, {}, body)).headers.get('etag');
    const first = await tagOf('same');
    assert.equal(await tagOf('same'), first);
    assert.notEqual(await tagOf('other'), first);
    assert.notEqual(await tagOf('same'), first);
    const before = await tagOf('same');
    assert.equal((await remove('/content?uri=urn:x:again')).status, 200);
    assert.notEqual(await tagOf('same'), before);
  });
});

describe('resources and content on disk', () => {
  it('outlive kill -9 during uploads', async (context) => {
    const data = await temporaryDirectory(context);
    const first = await startServer(context, ['--data', data, '--threads', '1']);
    const before = requests(first);
    assert.equal((await before.post('/resource?uri=urn:x:registered')).status, 201);
    assert.equal((await before.post('/resource?uri=urn:x:deleted')).status, 201);
    assert.equal((await before.remove('/resource?uri=urn:x:deleted')).status, 200);
    await before.put('/meta/text/turtle?uri=urn:x:described', {}, '<> <urn:x:p> [ <urn:x:q> 1 ] .');
    const metaTag = (await before.get('/meta/text/turtle?uri=urn:x:described')).headers.get('etag');
    const acknowledged = new Map<string, Buffer>();
    let uploads = 0;
    // Each continues until the server is gone, so that the kill interrupts some upload.
    const uploader = async () => {
      for (;;) {
        const target = `/content/application/octet-stream?uri=urn:x:c${uploads++}`;
        const bytes = randomBytes(20_000 + uploads);
        const response = await before.put(target, {}, bytes).catch(() => undefined);
        if (!response) return;
        assert.equal(response.status, 201);
        acknowledged.set(target, bytes);
        if (acknowledged.size === 30) first.process.kill('SIGKILL');
      }
    };
    await Promise.all(Array.from({ length: 8 }, uploader));
    assert.ok(acknowledged.size >= 30);

    const second = await startServer(context, ['--data', data, '--threads', '1']);
    const after = requests(second);
    assert.equal((await after.get('/resource?uri=urn:x:registered')).status, 303);
    assert.equal((await after.get('/resource?uri=urn:x:deleted')).status, 404);
    const read = await after.get('/meta/text/turtle?uri=urn:x:described', { 'If-None-Match': metaTag ?? '' });
    assert.equal(read.status, 304);
    for (const [target, bytes] of acknowledged) {
      const content = await after.get(target);
      assert.equal(content.status, 200);
      assert.ok((await bytesOf(content)).equals(bytes));
    }
    assert.deepEqual(await readdir(join(data, 'content', 'incoming')), []);
  });
});

describe('content of a server in memory', () => {
  it('is in a temporary directory, which a shutdown removes', async (context) => {
    const temporary = await temporaryDirectory(context);
    const server = await startServer(context, ['--memory', '--threads', '1'], { TMPDIR: temporary });
    const folders = async () =>
      (await readdir(temporary)).filter((name) => name.startsWith('pathpool-content-'));
    const { put, get } = requests(server);
    assert.deepEqual(await folders(), []);
    const target = (i: number) => `/content/text/plain?uri=urn:x:m${i}`;
    const stored = await Promise.all([1, 2, 3].map((i) => put(target(i), {}, `x${i}`)));
    assert.deepEqual(
      stored.map(({ status }) => status),
      [201, 201, 201],
    );
    assert.equal(await (await get(target(2))).text(), 'x2');
    assert.equal((await folders()).length, 1);
    assert.equal(await server.end('SIGTERM'), 0);
    assert.deepEqual(await folders(), []);
  });
});
