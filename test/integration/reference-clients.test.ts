/**
 * The requests of the reference system's client libraries, as far as the libraries depend on them
 * (http-api Annex B).
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BASE } from '../support/server-process.ts';
import { sharedServer } from '../support/shared-server.ts';

interface Sent {
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** One exchange. It does not follow redirects. */
type HttpExchange = (method: string, target: string, sent?: Sent) => Promise<Response>;

function exchangeWith(server: { readonly url: string }): HttpExchange {
  return (method, target, { headers = {}, body } = {}) =>
    fetch(target.startsWith(BASE) ? target.replace(BASE, server.url) : server.url + target, {
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
  Java: { follow: javaClient, json: 'application/rdf+json; rel=meta', prefix: 'java' },
  'PHP and JavaScript': { follow: browserClient, json: 'application/json; rel=meta', prefix: 'browser' },
};

const basicCredentials = { Authorization: `Basic ${Buffer.from('admin:pass123').toString('base64')}` };

for (const mode of ['redirect', 'direct'] as const) {
  describe(`in mode ${mode}`, () => {
    const server = sharedServer(['--memory', '--threads', '1', '--put-mode', mode]);
    const exchange = exchangeWith(server);

    for (const [name, { follow, json, prefix }] of Object.entries(clients)) {
      describe(`the ${name} client`, () => {
        const request = follow(exchange);
        const resource = (localName: string) => {
          const uri = `${BASE}/resource/${prefix}-${localName}`;
          return { uri, target: `/resource?uri=${encodeURIComponent(uri)}` };
        };
        const existing = async (localName: string) => {
          const { uri, target } = resource(localName);
          assert.equal((await exchange('POST', target)).status, 201);
          return { uri, target };
        };

        it('creates resources, and may send credentials', async () => {
          const { uri, target } = resource('created');
          const created = await exchange('POST', target, { headers: basicCredentials });
          assert.deepEqual([created.status, await created.text()], [201, uri]);
          const unnamed = await exchange('POST', '/resource');
          assert.equal(await unnamed.text(), unnamed.headers.get('location'));
        });

        it('asks whether a resource exists', async () => {
          const { uri: known } = await existing('known');
          const methods = async (uri: string) =>
            (await request('OPTIONS', `/resource?uri=${encodeURIComponent(uri)}`)).headers.get(
              'access-control-allow-methods',
            ) ?? '';
          assert.equal(await methods('http://example.org/missing'), 'POST');
          assert.ok((await methods(known)).indexOf('GET') > 0);
        });

        it(
          mode === 'direct' ? 'writes metadata' : 'loses metadata, although the response reports success',
          async () => {
            const { uri, target } = await existing('described');
            const value = 'Tom';
            const document = JSON.stringify({
              [uri]: { 'http://xmlns.com/foaf/0.1/name': [{ type: 'literal', value }] },
            });
            const sent = { headers: { 'Content-Type': json }, body: document };
            assert.equal((await request('PUT', target, sent)).status, 200);
            const read = await request('GET', target, { headers: { Accept: json } });
            assert.equal(read.status, 200);
            assert.equal(read.headers.get('content-type'), json.replace('; rel=meta', ''));
            const metadata = (await read.json()) as Record<string, unknown>;
            if (mode === 'direct') assert.deepEqual(metadata, JSON.parse(document));
            else assert.deepEqual(metadata, {});
          },
        );

        it(mode === 'direct' ? 'writes and reads content' : 'does not store content', async () => {
          const { target } = await existing('with-content');
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
        });

        it('evaluates a path and a program', async () => {
          const { uri } = resource('evaluated');
          const body = '<> <http://xmlns.com/foaf/0.1/name> "Tom"@en ; <http://example.org/age> 7 .';
          const graph = `/context?graph=${encodeURIComponent(uri)}`;
          await exchange('PUT', graph, { headers: { 'Content-Type': 'text/turtle' }, body });
          const query = `uri=${encodeURIComponent(uri)}`;
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
            (await request('PUT', `/context/${prefix}`, { headers: { 'Content-Type': 'text/turtle' }, body }))
              .status,
            201,
          );
          assert.equal((await request('DELETE', `/context/${prefix}`)).status, 200);
        });

        it('gets errors for missing resources, and deletes an existing one', async () => {
          const { target } = await existing('deleted');
          const missing = `/resource?uri=${encodeURIComponent('http://example.org/missing')}`;
          assert.equal((await request('GET', missing, { headers: { Accept: json } })).status, 404);
          assert.equal((await request('DELETE', '/resource')).status, 400);
          assert.equal((await request('DELETE', missing)).status, 404);
          assert.equal((await request('DELETE', target)).status, 200);
          assert.equal((await request('DELETE', target)).status, 404);
        });
      });
    }
  });
}

describe('PUT /resource in mode direct', () => {
  const server = sharedServer(['--memory', '--threads', '1', '--put-mode', 'direct']);
  const exchange = exchangeWith(server);
  const target = '/resource?uri=urn:x:direct';
  const put = (headers: Record<string, string>, body: string) => exchange('PUT', target, { headers, body });

  it('R-33: checks the request first, evaluates conditions, and returns 200 on success', async () => {
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
});

describe('PUT /resource with --default-rel content', () => {
  const server = sharedServer(['--memory', '--threads', '1', '--default-rel', 'content']);
  const exchange = exchangeWith(server);

  it('redirects a media type without rel to the content', async () => {
    await exchange('POST', '/resource?uri=urn:x:r');
    const put = await exchange('PUT', '/resource?uri=urn:x:r', {
      headers: { 'Content-Type': 'text/turtle' },
    });
    assert.equal(put.headers.get('location'), `${BASE}/content/text/turtle?uri=urn%3Ax%3Ar`);
  });
});
