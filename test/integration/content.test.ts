import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { RawClient } from '../http/raw-client.ts';
import { BASE, startServer } from '../support/server-process.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const CAT = 'http://example.org/cat';
const Q = `?uri=${encodeURIComponent(CAT)}`;

function requests(url: string) {
  const send =
    (method: string) =>
    (target: string, headers: Record<string, string> = {}, body?: Uint8Array | string) =>
      fetch(target.startsWith(BASE) ? target.replace(BASE, url) : url + target, {
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

async function filesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

async function bytesOf(response: Response): Promise<Buffer> {
  return Buffer.from(await response.arrayBuffer());
}

function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}

test('content over HTTP', async (context) => {
  const data = await temporaryDirectory(context);
  const folder = join(data, 'content');
  const { url } = await startServer(context, ['--data', data, '--threads', '1', '--max-content', '8MiB']);
  const { get, head, put, remove, post } = requests(url);

  await context.test(
    'R-65, R-62: PUT creates, GET gives the very bytes with type, length, tag and digest',
    async () => {
      const bytes = randomBytes(3_000_000);
      const stored = await put(`/content/image/jpeg${Q}`, {}, bytes);
      assert.equal(stored.status, 201);
      assert.equal(stored.headers.get('location'), `${BASE}/content/image/jpeg${Q}`);
      const read = await get(`/content/image/jpeg${Q}`);
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
      assert.deepEqual(await filesIn(folder), [sha256(bytes)]);
      const headers = await head(`/content/image/jpeg${Q}`);
      assert.deepEqual([headers.status, headers.headers.get('content-length')], [200, '3000000']);
    },
  );

  await context.test('R-64: the links lead to the metadata in every type', async () => {
    const links = (await head(`/content/image/jpeg${Q}`)).headers.get('link')?.split(', ') ?? [];
    assert.equal(links.length, 8);
    assert.equal(links[0], `<${BASE}/meta/text/turtle${Q}>; rel="meta"; type="text/turtle"`);
  });

  await context.test(
    'the same bytes of two resources are one file, which stays until both are gone',
    async () => {
      const other = '/content/text/plain?uri=urn:x:other';
      const third = '/content/text/x-other?uri=urn:x:third';
      assert.equal((await put(other, {}, 'shared')).status, 201);
      assert.equal((await put(third, {}, 'shared')).status, 201);
      assert.equal((await filesIn(folder)).length, 2);
      assert.equal((await remove('/content?uri=urn:x:other')).status, 200);
      assert.equal(await (await get(third)).text(), 'shared');
      assert.equal((await remove('/resource?uri=urn:x:third')).status, 200);
      assert.equal((await filesIn(folder)).length, 1);
    },
  );

  await context.test('replacing gives 200, and the old file goes', async () => {
    const replaced = await put(`/content/image/png${Q}`, {}, 'png');
    assert.deepEqual([replaced.status, replaced.headers.get('location')], [200, null]);
    assert.deepEqual(await filesIn(folder), [sha256('png')]);
    assert.equal((await get(`/content/image/jpeg${Q}`)).status, 406);
    assert.equal((await put(`/content/image/png${Q}`, {}, 'png')).status, 200);
    assert.deepEqual(await filesIn(folder), [sha256('png')]);
  });

  await context.test('R-60: the charset of a textual type is kept, all else of a header is not', async () => {
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

  await context.test('R-61: aliases of RDF types are the same type, wildcards are not', async () => {
    await put('/content/text/turtle?uri=urn:x:ttl', {}, '# turtle');
    const read = await get('/content/application/x-turtle?uri=urn:x:ttl');
    assert.deepEqual([read.status, read.headers.get('content-type')], [200, 'text/turtle']);
    assert.equal((await get('/content/text/*?uri=urn:x:ttl')).status, 404);
    assert.equal((await get('/content/*/*?uri=urn:x:ttl')).status, 404);
  });

  await context.test('without a type the path leads to the stored one', async () => {
    const found = await get(`/content${Q}`);
    assert.deepEqual([found.status, found.headers.get('vary')], [303, 'Accept']);
    assert.equal(found.headers.get('location'), `${BASE}/content/image/png${Q}`);
    assert.equal((await put('/content/text/css/local/style', {}, 'p {}')).status, 201);
    const local = await get('/content/local/style');
    assert.equal(local.headers.get('location'), `${BASE}/content/text/css/local/style`);
    assert.equal(await (await get(local.headers.get('location') ?? '')).text(), 'p {}');
    assert.equal((await remove('/content/local/style')).status, 200);
    assert.equal((await remove('/content/local/style')).status, 404);
    assert.equal((await get('/content/local/style')).status, 404);
  });

  await context.test('R-63: one range gives 206, none that is there 416, all else everything', async () => {
    const text = '0123456789';
    const target = '/content/text/plain?uri=urn:x:range';
    const tag = (await put(target, {}, text)).headers.get('etag') ?? '';
    const modified = (await head(target)).headers.get('last-modified') ?? '';
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
    for (const range of ['bytes=10-', 'bytes=100-200', 'bytes=-0']) {
      const read = await get(target, { Range: range });
      assert.deepEqual([read.status, read.headers.get('content-range')], [416, 'bytes */10']);
      assert.equal(((await read.json()) as { code: string }).code, 'bad-range');
    }
    const ifRange = async (value: string) =>
      (await get(target, { Range: 'bytes=0-1', 'If-Range': value })).status;
    assert.equal(await ifRange(tag), 206);
    assert.equal(await ifRange('"other"'), 200);
    assert.equal(await ifRange(`W/${tag}`), 200);
    assert.equal(await ifRange(modified), 206);
    assert.equal(await ifRange('Sun, 06 Nov 1994 08:49:37 GMT'), 200);
    assert.equal((await head(target, { Range: 'bytes=0-1' })).status, 200);
  });

  await context.test('conditions on reading and on writing', async () => {
    const target = '/content/text/plain?uri=urn:x:conditions';
    assert.equal((await put(target, { 'If-Match': '*' }, 'a')).status, 412);
    const tag = (await put(target, { 'If-None-Match': '*' }, 'a')).headers.get('etag') ?? '';
    assert.equal((await put(target, { 'If-None-Match': '*' }, 'b')).status, 412);
    assert.equal((await get(target, { 'If-None-Match': tag })).status, 304);
    assert.equal((await get(target, { 'If-Match': '"other"' })).status, 412);
    const modified = (await head(target)).headers.get('last-modified') ?? '';
    assert.equal((await get(target, { 'If-Modified-Since': modified })).status, 304);
    const answers = await Promise.all(
      Array.from({ length: 6 }, (_, i) => put(target, { 'If-Match': tag }, `new ${i}`)),
    );
    assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(5).fill(412)]);
    assert.equal((await remove('/content?uri=urn:x:conditions', { 'If-Match': tag })).status, 412);
    const left = await (await get(target)).text();
    assert.ok((await filesIn(folder)).includes(sha256(left)));
    assert.ok(!(await filesIn(folder)).includes(sha256('a')));
  });

  await context.test('what can not be stored is refused, and leaves nothing behind', async () => {
    const before = await filesIn(folder);
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
    assert.deepEqual(await codeOf(await fetch(url + target, chunked)), [413, 'too-large']);
    assert.equal((await get(target)).status, 404);
    assert.equal((await get('/resource?uri=urn:x:refused')).status, 404);
    assert.equal((await get('/content/text/plain?genid=b1')).status, 404);
    assert.deepEqual(await filesIn(folder), before);
  });

  await context.test(
    'a client that goes away in the middle of its upload leaves nothing behind',
    async () => {
      const before = await filesIn(folder);
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      await once(socket, 'connect');
      socket.write(
        'PUT /content/text/plain?uri=urn:x:half HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5000000\r\n\r\n',
      );
      socket.write(randomBytes(1_000_000));
      while ((await filesIn(folder)).length === before.length) await new Promise(setImmediate);
      socket.destroy();
      while ((await filesIn(folder)).length > before.length) await new Promise(setImmediate);
      assert.deepEqual(await filesIn(folder), before);
      assert.equal((await get('/resource?uri=urn:x:half')).status, 404);
    },
  );

  await context.test(
    'a reader that goes away does not hold up others, and replaced content is read to its end',
    async () => {
      const first = randomBytes(8 * 2 ** 20);
      const target = '/content/application/octet-stream?uri=urn:x:slow';
      await put(target, {}, first);
      const slow = await get(target);
      const reader = slow.body!.getReader();
      const pieces = [(await reader.read()).value!];
      await put(target, {}, 'short');
      assert.equal(await (await get(target)).text(), 'short');
      for (let piece = await reader.read(); !piece.done; piece = await reader.read())
        pieces.push(piece.value);
      assert.ok(Buffer.concat(pieces).equals(first));
      await put(target, {}, first);
      const left = await get(target);
      await left.body!.cancel();
      assert.equal((await head(target)).status, 200);
    },
  );

  await context.test('content never leads out of the data directory, whatever its names', async () => {
    const raw = async (target: string) => {
      const client = new RawClient(Number(new URL(url).port));
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
    for (const name of await filesIn(folder)) assert.match(name, /^[0-9a-f]{64}$/);
  });

  await context.test(
    'hostile content is given out as what it was stored as, and can do nothing',
    async () => {
      await put('/content/text/html?uri=urn:x:html', {}, '<script>alert(1)</script>');
      const read = await get('/content/text/html?uri=urn:x:html');
      assert.equal(read.headers.get('content-security-policy'), 'sandbox');
      assert.equal(read.headers.get('x-content-type-options'), 'nosniff');
      const part = await get('/content/text/html?uri=urn:x:html', { Range: 'bytes=0-3' });
      assert.equal(part.headers.get('content-security-policy'), 'sandbox');
    },
  );

  await context.test('content alone makes a resource, and taking it away ends that', async () => {
    assert.equal((await put('/content/text/plain?uri=urn:x:alone', {}, 'x')).status, 201);
    assert.equal((await get('/resource?uri=urn:x:alone')).status, 303);
    assert.equal((await post('/resource?uri=urn:x:alone')).status, 302);
    assert.equal((await remove('/content?uri=urn:x:alone')).status, 200);
    assert.equal((await get('/resource?uri=urn:x:alone')).status, 404);
  });
});

test('G-72: content that is removed and stored again has another tag, and what is the same keeps it', async (context) => {
  const { url } = await startServer(context, ['--memory', '--threads', '1']);
  const { put, remove } = requests(url);
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

test('after kill -9 resources and content are there, in the midst of uploads too', async (context) => {
  const data = await temporaryDirectory(context);
  const first = await startServer(context, ['--data', data, '--threads', '1']);
  const before = requests(first.url);
  assert.equal((await before.post('/resource?uri=urn:x:registered')).status, 201);
  assert.equal((await before.post('/resource?uri=urn:x:deleted')).status, 201);
  assert.equal((await before.remove('/resource?uri=urn:x:deleted')).status, 200);
  await before.put('/meta/text/turtle?uri=urn:x:described', {}, '<> <urn:x:p> [ <urn:x:q> 1 ] .');
  const metaTag = (await before.get('/meta/text/turtle?uri=urn:x:described')).headers.get('etag');
  const acknowledged = new Map<string, Buffer>();
  let uploads = 0;
  // Each goes on until the server is gone, so that some upload is under way when it goes.
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
  const after = requests(second.url);
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

test('content in memory is in a temporary directory that goes with the server', async (context) => {
  const temporary = await temporaryDirectory(context);
  const server = await startServer(context, ['--memory', '--threads', '1'], { TMPDIR: temporary });
  const folders = async () =>
    (await readdir(temporary)).filter((name) => name.startsWith('pathpool-content-'));
  const { put, get } = requests(server.url);
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
