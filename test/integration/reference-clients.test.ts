/**
 * The requests of the reference system's client libraries, as far as the libraries depend on them
 * (http-api Annex B).
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { BASE, startServer } from '../support/server-process.ts';

interface Sent {
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** One exchange; redirects are answers. */
type HttpExchange = (method: string, target: string, sent?: Sent) => Promise<Response>;

function exchangeWith(url: string): HttpExchange {
  return (method, target, { headers = {}, body } = {}) =>
    fetch(target.startsWith(BASE) ? target.replace(BASE, url) : url + target, {
      method,
      redirect: 'manual',
      headers,
      ...(body !== undefined && { body: Buffer.from(body) }),
    });
}

/**
 * The Java client: follows 303 after any method with GET, 302 only after GET and HEAD, at most
 * three in a row.
 */
function javaClient(exchange: HttpExchange): HttpExchange {
  return async (method, target, sent) => {
    let response = await exchange(method, target, sent);
    for (let i = 0; i < 3; i++) {
      const follows = response.status === 303 || (response.status === 302 && method === 'GET');
      if (!follows) break;
      const headers = sent?.headers ?? {};
      response = await exchange('GET', response.headers.get('location') ?? '', { headers });
    }
    return response;
  };
}

/** The PHP and JavaScript clients: 302 and 303 after any method with GET. */
function browserClient(exchange: HttpExchange): HttpExchange {
  return async (method, target, sent) => {
    let response = await exchange(method, target, sent);
    while (response.status === 303 || response.status === 302) {
      const headers = sent?.headers ?? {};
      response = await exchange('GET', response.headers.get('location') ?? '', { headers });
    }
    return response;
  };
}

const clients = {
  Java: { follow: javaClient, json: 'application/rdf+json; rel=meta' },
  'PHP and JavaScript': { follow: browserClient, json: 'application/json; rel=meta' },
};

const basicCredentials = { Authorization: `Basic ${Buffer.from('admin:pass123').toString('base64')}` };

for (const [name, { follow, json }] of Object.entries(clients)) {
  for (const mode of ['redirect', 'direct'] as const) {
    test(`the ${name} client in mode ${mode}`, async (context) => {
      const { url } = await startServer(context, ['--memory', '--threads', '1', '--put-mode', mode]);
      const exchange = exchangeWith(url);
      const request = follow(exchange);
      const X = `${BASE}/resource/test-${mode}`;
      const target = `/resource?uri=${encodeURIComponent(X)}`;
      const document = (value: string) =>
        JSON.stringify({ [X]: { 'http://xmlns.com/foaf/0.1/name': [{ type: 'literal', value }] } });

      await context.test('creates, with credentials that nobody asked for', async () => {
        const created = await exchange('POST', target, { headers: basicCredentials });
        assert.deepEqual([created.status, await created.text()], [201, X]);
        const unnamed = await exchange('POST', '/resource');
        assert.equal(await unnamed.text(), unnamed.headers.get('location'));
      });

      await context.test('asks whether a resource exists', async () => {
        const methods = async (uri: string) =>
          (await request('OPTIONS', `/resource?uri=${encodeURIComponent(uri)}`)).headers.get(
            'access-control-allow-methods',
          ) ?? '';
        assert.equal(await methods('http://example.org/missing'), 'POST');
        assert.ok((await methods(X)).indexOf('GET') > 0);
      });

      await context.test(
        mode === 'direct' ? 'writes metadata' : 'loses metadata, believing in its success',
        async () => {
          const sent = { headers: { 'Content-Type': json }, body: document('Tom') };
          assert.equal((await request('PUT', target, sent)).status, 200);
          const read = await request('GET', target, { headers: { Accept: json } });
          assert.equal(read.status, 200);
          assert.equal(read.headers.get('content-type'), json.replace('; rel=meta', ''));
          const metadata = (await read.json()) as Record<string, unknown>;
          if (mode === 'direct') assert.deepEqual(metadata, JSON.parse(document('Tom')));
          else assert.deepEqual(metadata, {});
        },
      );

      await context.test(
        mode === 'direct' ? 'writes and reads content' : 'does not store content',
        async () => {
          const sent = { headers: { 'Content-Type': 'text/plain; rel=content' }, body: 'hello' };
          const put = await request('PUT', target, sent);
          const read = await request('GET', target, { headers: { Accept: 'text/plain; rel=content' } });
          if (mode === 'redirect') {
            assert.equal(put.status, 404);
            assert.equal(read.status, 406);
            return;
          }
          assert.equal(put.status, 200);
          assert.equal(read.status, 200);
          assert.equal(read.headers.get('content-type'), 'text/plain');
          assert.equal(read.headers.get('content-length'), '5');
          assert.equal(await read.text(), 'hello');
          assert.equal((await request('PUT', target, { ...sent, body: 'again' })).status, 200);
        },
      );

      await context.test('evaluates a path and a program', async () => {
        const body = '<> <http://xmlns.com/foaf/0.1/name> "Tom"@en ; <http://example.org/age> 7 .';
        const graph = `/context?graph=${encodeURIComponent(X)}`;
        await exchange('PUT', graph, { headers: { 'Content-Type': 'text/turtle' }, body });
        const query = `uri=${encodeURIComponent(X)}`;
        const wanted = { headers: { Accept: 'application/json', ...basicCredentials } };
        const path = await request('GET', `/ldpath/path?path=foaf:name&${query}`, wanted);
        const nodes = (await path.json()) as object[];
        assert.ok(
          nodes.some((node) => JSON.stringify(node) === '{"type":"literal","value":"Tom","lang":"en"}'),
        );
        const text = encodeURIComponent('age = <http://example.org/age> ;');
        const program = await request('GET', `/ldpath/program?program=${text}&${query}`, wanted);
        assert.deepEqual(await program.json(), {
          age: [{ type: 'literal', value: '7', datatype: 'http://www.w3.org/2001/XMLSchema#integer' }],
        });
        assert.equal((await request('GET', '/ldpath/path?path=.&uri=urn:x:none', wanted)).status, 404);
        assert.equal((await request('DELETE', graph)).status, 200);
        assert.equal((await request('DELETE', graph)).status, 404);
        assert.equal(
          (await request('PUT', '/context/named', { headers: { 'Content-Type': 'text/turtle' }, body }))
            .status,
          201,
        );
        assert.equal((await request('DELETE', '/context/named')).status, 200);
      });

      await context.test('reads what is missing or not to be had, and deletes', async () => {
        const missing = `/resource?uri=${encodeURIComponent('http://example.org/missing')}`;
        assert.equal((await request('GET', missing, { headers: { Accept: json } })).status, 404);
        assert.equal((await request('DELETE', '/resource')).status, 400);
        assert.equal((await request('DELETE', missing)).status, 404);
        assert.equal((await request('DELETE', target)).status, 200);
        assert.equal((await request('DELETE', target)).status, 404);
      });
    });
  }
}

test('R-33: mode direct checks first, looks at conditions, and reports success as 200 only', async (context) => {
  const { url } = await startServer(context, ['--memory', '--threads', '1', '--put-mode', 'direct']);
  const exchange = exchangeWith(url);
  const target = '/resource?uri=urn:x:direct';
  const put = (headers: Record<string, string>, body: string) => exchange('PUT', target, { headers, body });
  const turtle = { 'Content-Type': 'text/turtle' };
  assert.equal((await put(turtle, '<> <urn:x:p> 1 .')).status, 404);
  await exchange('POST', target);
  const stored = await put(turtle, '<> <urn:x:p> 1 .');
  assert.deepEqual(
    [stored.status, await stored.json()],
    [200, { uri: 'urn:x:direct', added: 1, removed: 0, ignored: 0 }],
  );
  const content = await put({ 'Content-Type': 'text/plain; charset=latin1;rel=content' }, 'x');
  assert.deepEqual([content.status, content.headers.get('location')], [200, null]);
  const read = await exchange('GET', '/content/text/plain?uri=urn:x:direct');
  assert.equal(read.headers.get('content-type'), 'text/plain; charset=latin1');
  assert.equal((await put({ ...turtle, 'If-Match': '"other"' }, '<> <urn:x:p> 2 .')).status, 412);
  assert.equal((await put(turtle, 'broken {')).status, 400);
  assert.equal((await put(turtle, '')).status, 400);
  assert.equal((await put({ 'Content-Type': 'image/png' }, 'x')).status, 415);
  assert.equal((await exchange('PUT', target, { body: 'x' })).status, 400);
});

test('setting default-rel: a type without rel means content', async (context) => {
  const { url } = await startServer(context, ['--memory', '--threads', '1', '--default-rel', 'content']);
  const exchange = exchangeWith(url);
  await exchange('POST', '/resource?uri=urn:x:r');
  const put = await exchange('PUT', '/resource?uri=urn:x:r', { headers: { 'Content-Type': 'text/turtle' } });
  assert.equal(put.headers.get('location'), `${BASE}/content/text/turtle?uri=urn%3Ax%3Ar`);
});
