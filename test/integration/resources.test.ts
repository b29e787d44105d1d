import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BASE } from '../support/server-process.ts';
import { sharedServer } from '../support/shared-server.ts';

const TEXT = 'text/plain; charset=utf-8';
const METADATA = [
  'text/turtle',
  'application/ld+json',
  'application/n-triples',
  'application/rdf+xml',
  'text/n3',
  'application/n-quads',
  'application/trig',
  'application/rdf+json',
].map((type) => `${type};rel=meta`);

interface Sent {
  readonly headers?: Record<string, string>;
  readonly body?: string;
}

/** Sends requests to a server. It does not follow redirects. */
function client(server: { readonly url: string }) {
  const send =
    (method: string) =>
    (target: string, sent: Sent = {}) =>
      fetch(target.startsWith(BASE) ? target.replace(BASE, server.url) : server.url + target, {
        method,
        redirect: 'manual',
        ...(sent.headers && { headers: sent.headers }),
        // `fetch` would add a content type to a string.
        ...(sent.body !== undefined && { body: Buffer.from(sent.body) }),
      });
  return {
    get: send('GET'),
    head: send('HEAD'),
    post: send('POST'),
    put: send('PUT'),
    remove: send('DELETE'),
    options: send('OPTIONS'),
    patch: send('PATCH'),
  };
}

function by(uri: string): string {
  return `uri=${encodeURIComponent(uri)}`;
}

function type(value: string): Sent {
  return { headers: { 'Content-Type': value } };
}

function accept(value: string): Sent {
  return { headers: { Accept: value } };
}

function location(response: Response): string {
  return response.headers.get('location') ?? '';
}

async function code(response: Response): Promise<string> {
  return ((await response.json()) as { code: string }).code;
}

describe('/resource, /meta and /content', () => {
  const server = sharedServer(['--memory', '--threads', '2']);
  const http = client(server);
  const putGraph = (name: string, body: string) =>
    http.put(`/context?graph=${encodeURIComponent(name)}`, { ...type('text/turtle'), body });
  const register = async (uri: string) => {
    assert.equal((await http.post(`/resource?${by(uri)}`)).status, 201);
    return `/resource?${by(uri)}`;
  };
  const putText = async (uri: string) => {
    assert.equal((await http.put(`/content/text/plain?${by(uri)}`, { body: 'x' })).status, 201);
  };
  const exists = async (uri: string) => (await http.get(`/resource?${by(uri)}`)).status === 303;
  const nt = async (uri: string) => {
    const response = await http.get(`/meta/application/n-triples?${by(uri)}`);
    assert.equal(response.status, 200);
    return (await response.text())
      .split('\n')
      .filter(Boolean)
      .map((line) => line.replaceAll(/_:\w+/g, '_:b'))
      .sort();
  };

  it('pass the walk-through of http-api 3.8', async () => {
    const CAT = 'http://example.org/cat';
    const Q = `?${by(CAT)}`;
    for (const status of [201, 302]) {
      const created = await http.post(`/resource${Q}`);
      assert.equal(created.status, status);
      assert.equal(location(created), `${BASE}/resource${Q}`);
      assert.equal(await created.text(), CAT);
    }
    const toMeta = await http.put(`/resource${Q}`, type('text/turtle;rel=meta'));
    assert.equal(toMeta.status, 303);
    assert.equal(location(toMeta), `${BASE}/meta/text/turtle${Q}`);
    assert.equal((await http.put(location(toMeta), { body: '<> <urn:x:name> "Tom" .' })).status, 200);
    const toContent = await http.put(`/resource${Q}`, type('image/jpeg;rel=content'));
    assert.equal(toContent.status, 303);
    assert.equal(location(toContent), `${BASE}/content/image/jpeg${Q}`);
    assert.equal((await http.put(location(toContent), { body: 'jpeg' })).status, 201);
    const asXml = await http.get(`/resource${Q}`, accept('application/rdf+xml'));
    assert.deepEqual([asXml.status, location(asXml)], [303, `${BASE}/meta/application/rdf+xml${Q}`]);
    const asAny = await http.get(`/resource${Q}`, accept('*/*'));
    assert.deepEqual([asAny.status, location(asAny)], [303, `${BASE}/content/image/jpeg${Q}`]);
    const asPng = await http.get(`/resource${Q}`, accept('image/png'));
    assert.equal(asPng.status, 406);
    assert.equal(asPng.headers.get('content-type'), ['image/jpeg;rel=content', ...METADATA].join(','));
    const asHtml = await http.get(`/resource${Q}`, accept('text/html'));
    assert.deepEqual([asHtml.status, location(asHtml)], [303, `${BASE}/console/resource${Q}`]);
    const forced = await http.get(`/resource${Q}&format=turtle`, accept('text/html'));
    assert.deepEqual([forced.status, location(forced)], [303, `${BASE}/meta/text/turtle${Q}`]);
    assert.equal((await http.remove(`/resource${Q}`)).status, 200);
    assert.equal((await http.remove(`/resource${Q}`)).status, 404);
  });

  it('R-1: know a resource that is registered, has content, is in a triple or names a graph', async () => {
    await putGraph('urn:x:graph', '<urn:x:subject> <urn:x:predicate> <urn:x:object> .');
    await putGraph('urn:x:empty-graph', '');
    await http.post(`/resource?${by('urn:x:registered')}`);
    await http.put(`/content/text/plain?${by('urn:x:contentful')}`, { body: 'x' });
    const known = ['subject', 'predicate', 'object', 'graph', 'empty-graph', 'registered', 'contentful'].map(
      (name) => `urn:x:${name}`,
    );
    for (const uri of [...known, `${BASE}/context/default`]) assert.ok(await exists(uri), uri);
    for (const uri of ['urn:x:unknown', 'urn:x-pathpool:system', 'urn:x-pathpool:Resource']) {
      assert.equal(await exists(uri), false, uri);
    }
    for (const uri of known) {
      const evaluated = await http.get(`/ldpath/path?path=.&${by(uri)}`);
      assert.equal(evaluated.status, 200, uri);
    }
    assert.equal((await http.get(`/ldpath/path?path=.&${by('urn:x:unknown')}`)).status, 404);
  });

  it('R-2: address a blank node by its label in N-Triples', async () => {
    await putGraph('urn:x:blank', '<urn:x:s> <urn:x:p> [ <urn:x:q> "deep" ] .');
    const text = await (await http.get('/context?graph=urn:x:blank&format=nt')).text();
    const label = /_:(\w+)/.exec(text)?.[1] ?? '';
    for (const genid of [label, `_:${label}`]) {
      const found = await http.get(`/resource?genid=${genid}`, accept('text/turtle'));
      assert.deepEqual([found.status, location(found)], [303, `${BASE}/meta/text/turtle?genid=${label}`]);
      assert.match(await (await http.get(location(found))).text(), /"deep"/);
    }
    assert.equal((await http.get('/resource?genid=nobody')).status, 404);
    assert.equal((await http.put(`/resource?genid=${label}`, type('text/turtle'))).status, 400);
    assert.equal((await http.remove(`/resource?genid=${label}`)).status, 400);
    const both = await http.get(`/resource?genid=${label}&${by('urn:x:s')}`);
    assert.match(location(both), /uri=urn/);
  });

  it('R-3: return resources of the LDP space, and redirect or reject writes to them', async () => {
    const here = `${BASE}/ldp/here`;
    await putGraph('urn:x:ldp', `<${here}> <urn:x:p> "1" .`);
    assert.ok(await exists(here));
    assert.equal((await http.post(`/resource?${by(here)}`)).status, 302);
    const missing = await http.post(`/resource?${by(`${BASE}/ldp/missing`)}`);
    assert.deepEqual([missing.status, await code(missing)], [409, 'ldp-managed']);
    const put = await http.put(`/resource?${by(here)}`, type('text/turtle'));
    assert.deepEqual([put.status, location(put)], [303, here]);
    assert.equal((await http.put(`/resource?${by(here)}`, type('image/png;rel=content'))).status, 415);
    assert.equal((await http.remove(`/resource?${by(here)}`)).status, 409);
    assert.equal((await http.remove(`/meta?${by(here)}`)).status, 409);
    const meta = await http.put(`/meta/text/turtle?${by(here)}`, { body: '<> <urn:x:p> "2" .' });
    assert.equal(meta.status, 409);
    const broken = await http.put(`/meta/text/turtle?${by(here)}`, { body: '<' });
    assert.deepEqual([broken.status, await code(broken)], [400, 'parse-error']);
    assert.equal((await http.put(`/content/text/plain?${by(here)}`, { body: 'x' })).status, 409);
  });

  it('reject creation, change and deletion of the system graph as a resource', async () => {
    const system = by('urn:x-pathpool:system');
    assert.equal((await http.post(`/resource?${system}`)).status, 409);
    assert.equal((await http.put(`/meta/text/turtle?${system}`, { body: '<> <urn:x:p> 1 .' })).status, 409);
    assert.equal((await http.put(`/content/text/plain?${system}`, { body: 'x' })).status, 409);
    assert.equal((await http.remove(`/resource?${system}`)).status, 404);
    await register('urn:x:beside-system');
    assert.ok(await exists('urn:x:beside-system'));
  });

  it('R-10 to R-15: create a resource once by POST, with the given or a new URI', async () => {
    const fresh = await http.post('/resource', { body: 'ignored' });
    assert.equal(fresh.status, 201);
    assert.match(location(fresh), new RegExp(`^${BASE}/resource/[0-9a-f-]{36}$`));
    assert.equal(fresh.headers.get('content-type'), TEXT);
    assert.equal(await fresh.text(), location(fresh));
    const local = `${BASE}/resource/a%20b/c`;
    for (const status of [201, 302]) {
      const created = await http.post('/resource/a%20b/c');
      assert.deepEqual([created.status, location(created), await created.text()], [status, local, local]);
    }
    assert.equal((await http.get('/resource/a%20b/c')).status, 303);
    assert.equal((await http.put('/resource/a%20b/c', type('text/turtle'))).status, 303);
    // Escapes are not decoded, so they need not be UTF-8.
    const latin = await http.post('/resource/%E4');
    assert.deepEqual([latin.status, location(latin)], [201, `${BASE}/resource/%E4`]);
    assert.equal(
      location(await http.put('/resource/%E4', type('text/turtle'))),
      `${BASE}/meta/text/turtle/%E4`,
    );
    assert.equal((await http.put('/meta/text/turtle/%E4', { body: '<> <urn:x:p> "1" .' })).status, 200);
    assert.match(await (await http.get('/meta/text/turtle/%E4')).text(), /%E4/);
    assert.equal((await http.post('/resource/%E')).status, 400);
    assert.deepEqual(await nt(local), []);
    for (const uri of ['no-scheme', 'http://a b', '', '%20']) {
      const target = `/resource?uri=${uri === '' ? 'urn:x:<' : encodeURIComponent(uri)}`;
      const rejected = await http.post(target);
      assert.deepEqual([rejected.status, await code(rejected)], [400, 'bad-iri'], uri);
    }
    const race = await Promise.all(
      Array.from({ length: 10 }, () => http.post(`/resource?${by('urn:x:race')}`)),
    );
    assert.deepEqual(race.map(({ status }) => status).sort(), [201, ...Array(9).fill(302)]);
  });

  it('R-20 to R-23: choose content or description by Accept with rel, and content in a tie', async () => {
    const X = 'urn:x:negotiated';
    await http.put(`/content/text/turtle?${by(X)}`, { body: '# content' });
    const cases: [accept: string | undefined, target: string][] = [
      [undefined, 'content/text/turtle'],
      ['', 'content/text/turtle'],
      ['*/*', 'content/text/turtle'],
      ['text/turtle', 'content/text/turtle'],
      ['application/x-turtle;rel=content', 'content/text/turtle'],
      ['text/turtle;rel=meta', 'meta/text/turtle'],
      ['text/turtle ; rel = meta', 'meta/text/turtle'],
      ['image/png;rel=content, text/turtle;rel=meta;q=0.5,', 'meta/text/turtle'],
      ['*/*;rel=meta', 'meta/text/turtle'],
      ['application/json', 'meta/application/json'],
      ['application/rdf+json; rel=meta', 'meta/application/rdf+json'],
      ['application/x-turtle;rel=meta', 'meta/application/x-turtle'],
      ['text/turtle;q=0, application/*', 'meta/application/ld+json'],
    ];
    for (const [value, target] of cases) {
      const found = await http.get(`/resource?${by(X)}`, value === undefined ? {} : accept(value));
      assert.deepEqual([found.status, location(found)], [303, `${BASE}/${target}?${by(X)}`], value);
    }
    assert.equal((await http.get(`/resource?${by(X)}`, accept('text/turtle;rel=other'))).status, 406);
  });

  it('G-53: prefer the parameter format to Accept, and reject an unknown format with 406', async () => {
    await register('urn:x:formatted');
    const target = `/resource?${by('urn:x:formatted')}&format=`;
    const wanted = {
      turtle: 'text/turtle',
      json: 'application/json',
      'application/rdf+xml': 'application/rdf+xml',
      'image/gif,application/trig;q=0.1': 'application/trig',
    };
    for (const [format, mime] of Object.entries(wanted)) {
      const found = await http.get(target + format, accept('image/png'));
      assert.deepEqual(
        [found.status, location(found)],
        [303, `${BASE}/meta/${mime}?${by('urn:x:formatted')}`],
      );
    }
    for (const format of ['pdf', 'image/png', 'a b/c', '/']) {
      assert.equal((await http.get(target + encodeURIComponent(format))).status, 406, format);
    }
  });

  it('R-24, R-26: name the alternatives in the redirect of GET and HEAD, without entity tag', async () => {
    await putText('urn:x:linked');
    const target = `/resource?${by('urn:x:linked')}`;
    const found = await http.get(target, accept('text/turtle'));
    assert.equal(found.headers.get('vary'), 'Accept');
    assert.equal(found.headers.get('cache-control'), 'no-cache');
    assert.equal(found.headers.get('etag'), null);
    const links = found.headers.get('link')?.split(', ') ?? [];
    assert.equal(links.length, 8);
    assert.equal(
      links[0],
      `<${BASE}/content/text/plain?${by('urn:x:linked')}>; rel="content"; type="text/plain"`,
    );
    assert.ok(links.every((link) => !link.includes('"text/turtle"')));
    assert.match(await found.text(), /meta\/text\/turtle/);
    const head = await http.head(target, accept('text/turtle'));
    assert.deepEqual([head.status, location(head)], [303, location(found)]);
    assert.equal((await http.head('/resource?uri=urn:x:unknown')).status, 404);
    assert.equal((await http.head(target, accept('image/gif'))).status, 406);
    assert.equal((await http.get('/resource')).status, 400);
    assert.equal((await http.get('/resource?uri=')).status, 400);
    assert.equal((await http.get('/resource?uri=foo')).status, 400);
  });

  it('R-25: list all types in Content-Type and in the body of a response 406', async () => {
    await putText('urn:x:unacceptable');
    for (const target of [
      `/resource?${by('urn:x:unacceptable')}`,
      `/meta/text/html?${by('urn:x:unacceptable')}`,
      `/content/image/png?${by('urn:x:unacceptable')}`,
    ]) {
      const rejected = await http.get(target, accept('image/gif'));
      const list = ['text/plain;rel=content', ...METADATA];
      assert.equal(rejected.status, 406, target);
      assert.equal(rejected.headers.get('content-type'), list.join(','));
      assert.equal(await rejected.text(), `${list.join('\n')}\n`);
    }
  });

  it('link to local resources by path, or by query where a path is impossible', async () => {
    const put = async (target: string, contentType = 'text/turtle;rel=meta') =>
      location(await http.put(target, type(contentType)));
    await http.post('/resource/local/name');
    assert.equal(await put('/resource/local/name'), `${BASE}/meta/text/turtle/local/name`);
    assert.equal(
      await put('/resource/local/name', 'image/svg+xml;rel=content'),
      `${BASE}/content/image/svg+xml/local/name`,
    );
    const odd = `${BASE}/resource/with?query`;
    await http.post(`/resource?${by(odd)}`);
    assert.equal(await put(`/resource?${by(odd)}`), `${BASE}/meta/text/turtle?${by(odd)}`);
    const dots = `${BASE}/resource/../x`;
    await http.post(`/resource?${by(dots)}`);
    assert.equal(await put(`/resource?${by(dots)}`), `${BASE}/meta/text/turtle?${by(dots)}`);
    const strange = await put('/resource/local/name', 'chemical/x-pdb;rel=content');
    assert.equal(strange, `${BASE}/content/chemical/x-pdb?${by(`${BASE}/resource/local/name`)}`);
    assert.equal((await http.put(strange, { body: 'ATOM' })).status, 201);
    assert.equal((await http.get(strange)).headers.get('content-type'), 'chemical/x-pdb');
  });

  it('R-30, R-31: reject PUT without a type that content or description supports', async () => {
    const target = await register('urn:x:typed');
    const cases: [type: string, status: number][] = [
      ['text/turtle', 303],
      ['application/json; rel=meta', 303],
      ['text/plain', 303],
      ['image/png', 415],
      ['image/png;rel=content', 303],
      ['image/png; rel = "content"', 303],
      ['text/turtle;rel=other', 415],
      ['nonsense', 415],
      ['', 400],
    ];
    for (const [value, status] of cases) {
      assert.equal((await http.put(target, type(value))).status, status, value);
    }
    const rejected = await http.put(target, type('image/png'));
    assert.match(rejected.headers.get('accept') ?? '', /text\/turtle/);
    assert.equal((await http.put(target, { body: 'x' })).status, 400);
    assert.equal((await http.put('/resource', type('text/turtle'))).status, 400);
    assert.equal((await http.put('/resource?uri=urn:x:unknown', type('text/turtle'))).status, 404);
  });

  it('R-32, R-34: store nothing and check no condition in mode redirect', async () => {
    const target = await register('urn:x:redirected');
    const sent = { headers: { 'Content-Type': 'text/turtle', 'If-Match': '"other"' }, body: 'broken {' };
    assert.equal((await http.put(target, sent)).status, 303);
    assert.deepEqual(await nt('urn:x:redirected'), []);
    assert.equal((await http.get(target, { headers: { 'If-None-Match': '*' } })).status, 303);
  });

  it('R-35, R-36: delete all triples with a resource, and blank nodes that become unreachable', async () => {
    const X = 'urn:x:gone';
    await putGraph(
      'urn:x:traces',
      `<${X}> <urn:x:p> [ <urn:x:q> "left alone" ] . <urn:x:y> <${X}> 1 ; <urn:x:p> <${X}>, "stays" .`,
    );
    await putGraph(X, '<urn:x:inside> <urn:x:p> 1 .');
    await http.put(`/content/text/plain?${by(X)}`, { body: 'x' });
    await http.post(`/resource?${by(X)}`);
    const removed = await http.remove(`/resource?${by(X)}`);
    assert.equal(removed.status, 200);
    assert.equal(await exists(X), false);
    assert.equal((await http.get(`/content/text/plain?${by(X)}`)).status, 404);
    assert.equal((await http.get(`/context?graph=${X}`)).status, 404);
    const rest = await (await http.get('/context?graph=urn:x:traces&format=nt')).text();
    assert.equal(rest, '<urn:x:y> <urn:x:p> "stays" .\n');
    assert.equal((await http.remove('/resource')).status, 400);
  });

  describe('with preconditions of DELETE', () => {
    const X = 'urn:x:conditional';
    const [meta, content] = [`/meta/text/turtle?${by(X)}`, `/content/text/plain?${by(X)}`];
    /** Stores a new state. Returns its validators, and the tag of the description before it. */
    const store = async () => {
      await http.put(content, { body: 'x' });
      await http.put(meta, { body: `<${X}> <urn:x:p> 1 .` });
      const before = (await http.head(meta)).headers.get('etag')!;
      await http.put(meta, { body: `<${X}> <urn:x:p> 2 .` });
      const { headers } = await http.head(meta);
      const ofContent = (await http.head(content)).headers.get('etag')!;
      return { before, ofMeta: headers.get('etag')!, ofContent, date: headers.get('last-modified')! };
    };
    const remove = (headers: Record<string, string>) => http.remove(`/resource?${by(X)}`, { headers });

    it('R-37, G-78: keep a resource if they fail for its description or its content', async () => {
      const { before, ofMeta, ofContent } = await store();
      for (const headers of [
        { 'If-Match': before },
        { 'If-Match': `W/${ofMeta}, W/${ofContent}` },
        { 'If-None-Match': '*' },
        { 'If-None-Match': ofMeta },
        { 'If-None-Match': `W/${ofContent}` },
        { 'If-Match': ofMeta, 'If-None-Match': ofContent },
        { 'If-Unmodified-Since': 'Sun, 22 Nov 2020 00:00:00 GMT' },
      ] as Record<string, string>[]) {
        const failed = await remove(headers);
        const { code, uri } = (await failed.json()) as Record<string, string>;
        assert.deepEqual([failed.status, code, uri], [412, 'precondition-failed', X]);
      }
      assert.equal((await http.head(meta)).headers.get('etag'), ofMeta);
      assert.equal((await http.head(content)).headers.get('etag'), ofContent);
    });

    it('R-37: delete it if they hold, and are ignored for a missing resource', async () => {
      type Stored = Awaited<ReturnType<typeof store>>;
      for (const headersOf of [
        ({ ofMeta }: Stored) => ({ 'If-Match': ofMeta }),
        ({ ofContent }: Stored) => ({ 'If-Match': `"other", ${ofContent}` }),
        () => ({ 'If-Match': '*' }),
        ({ before }: Stored) => ({ 'If-None-Match': before }),
        ({ date }: Stored) => ({ 'If-Unmodified-Since': date }),
      ]) {
        const headers = headersOf(await store()) as Record<string, string>;
        assert.equal((await remove(headers)).status, 200, JSON.stringify(headers));
        assert.equal((await remove(headers)).status, 404);
      }
    });
  });

  it('G-78: reject If-Match in POST of a resource that does not exist', async () => {
    const target = `/resource?${by('urn:x:not-yet')}`;
    for (const value of ['*', '"a"']) {
      assert.equal((await http.post(target, { headers: { 'If-Match': value } })).status, 412);
    }
    assert.equal((await http.post(target, { headers: { 'If-None-Match': '*' } })).status, 201);
    assert.equal((await http.post(target, { headers: { 'If-Match': '"a"' } })).status, 302);
  });

  it('empty the default context on DELETE, but keep it', async () => {
    await http.put(`/meta/text/turtle?${by('urn:x:in-default')}`, { body: '<> <urn:x:p> 1 .' });
    assert.equal((await http.remove(`/resource?${by(`${BASE}/context/default`)}`)).status, 200);
    assert.equal(await (await http.get('/context?default&format=nt')).text(), '');
    assert.ok(await exists(`${BASE}/context/default`));
  });

  it('R-40, R-41: list the methods of the resource for OPTIONS, those of the route for a preflight', async () => {
    const existing = 'PUT, GET, HEAD, DELETE, POST, OPTIONS';
    const registered = await register('urn:x:with-options');
    await http.post('/resource/with/options');
    const cases = {
      '/resource': 'POST',
      '/resource?uri=urn:x:unknown': 'POST',
      '/resource/unknown': 'POST',
      [registered]: existing,
      '/resource/with/options': existing,
    };
    for (const [target, allow] of Object.entries(cases)) {
      const response = await http.options(target);
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('allow'), allow, target);
      assert.equal(response.headers.get('access-control-allow-methods'), allow);
    }
    const preflight = await http.options('/resource?uri=urn:x:unknown', {
      headers: { 'Access-Control-Request-Method': 'PUT' },
    });
    assert.equal(preflight.status, 204);
    assert.match(preflight.headers.get('access-control-allow-methods') ?? '', /GET.*PUT/);
    assert.equal((await http.patch(registered)).status, 405);
  });

  it('R-50: describe a resource by the triples of all graphs, including those of blank nodes', async () => {
    await putGraph('urn:x:d1', '<urn:x:d> <urn:x:p> "1" ; <urn:x:q> [ <urn:x:r> [ <urn:x:s> "deep" ] ] .');
    await putGraph('urn:x:d2', '<urn:x:d> <urn:x:p> "1", "2" . <urn:x:e> <urn:x:p> <urn:x:d> .');
    assert.deepEqual(await nt('urn:x:d'), [
      '<urn:x:d> <urn:x:p> "1" .',
      '<urn:x:d> <urn:x:p> "2" .',
      '<urn:x:d> <urn:x:q> _:b .',
      '_:b <urn:x:r> _:b .',
      '_:b <urn:x:s> "deep" .',
    ]);
    for (const format of ['turtle', 'jsonld', 'rdfxml', 'n3', 'nq', 'trig', 'rdfjson']) {
      const found = await http.get(`/resource?${by('urn:x:d')}&format=${format}`);
      const read = await http.get(location(found));
      assert.equal(read.status, 200, format);
      assert.match(await read.text(), /deep/);
    }
    await register('urn:x:without-triples');
    assert.deepEqual(await nt('urn:x:without-triples'), []);
    assert.equal((await http.get('/meta/text/turtle')).status, 400);
    assert.equal((await http.get('/meta/text/turtle?uri=urn:x:unknown')).status, 404);
  });

  it('R-25: return 406 with the other types when RDF/XML cannot represent the description', async () => {
    await putGraph('urn:x:nameless', '<urn:x:nameless-one> <http://e.org/123> 1 .');
    const target = `/meta/application/rdf+xml?${by('urn:x:nameless-one')}`;
    for (const method of ['GET', 'HEAD']) {
      const rejected = await fetch(server.url + target, { method });
      assert.equal(rejected.status, 406);
      assert.match(
        rejected.headers.get('content-type') ?? '',
        /^text\/turtle;rel=meta,application\/ld\+json;rel=meta,/,
      );
      assert.doesNotMatch(rejected.headers.get('content-type') ?? '', /rdf\+xml/);
    }
    await putGraph('urn:x:nameless', '<urn:x:nameless-one> <urn:x:p> 1 .');
    assert.equal((await fetch(server.url + target, { method: 'HEAD' })).status, 200);
  });

  it('R-51: return a description with its headers, and evaluate conditions of GET', async () => {
    await putGraph('urn:x:h1', '<urn:x:headed> <urn:x:p> "1" .');
    await http.put(`/content/image/png?${by('urn:x:headed')}`, { body: 'png' });
    const target = `/meta/application/json?${by('urn:x:headed')}`;
    const read = await http.get(target, accept('text/html'));
    assert.equal(read.headers.get('content-type'), 'application/json');
    assert.equal(read.headers.get('content-disposition'), 'attachment; filename="headed.rj"');
    assert.equal(
      read.headers.get('link'),
      `<${BASE}/content/image/png?${by('urn:x:headed')}>; rel="content"; type="image/png"`,
    );
    const tag = read.headers.get('etag') ?? '';
    assert.match(tag, /^"[^-"]+-rdfjson"$/);
    assert.ok(Date.parse(read.headers.get('last-modified') ?? '') <= Date.now());
    const again = await http.get(target, { headers: { 'If-None-Match': tag } });
    assert.deepEqual([again.status, again.headers.get('etag')], [304, tag]);
    assert.equal((await http.get(target, { headers: { 'If-Match': '"other"' } })).status, 412);
    assert.equal((await http.get(target, { headers: { 'If-Match': tag } })).status, 200);
    const head = await http.head(target);
    assert.deepEqual([head.status, head.headers.get('etag')], [200, tag]);
    await putGraph('urn:x:unrelated', '<urn:x:f> <urn:x:p> 1 .');
    assert.equal((await http.get(target, { headers: { 'If-None-Match': tag } })).status, 304);
    await putGraph('urn:x:h2', '<urn:x:headed> <urn:x:p> "3" .');
    assert.equal((await http.get(target, { headers: { 'If-None-Match': tag } })).status, 200);
    const json = (await (await http.get(target)).json()) as Record<string, unknown>;
    assert.ok('urn:x:headed' in json);
  });

  it('G-72: give a description that was deleted and created again a new tag', async () => {
    const target = `/meta/text/turtle?${by('urn:x:again')}`;
    const body = '<urn:x:again> <urn:x:p> 1 .';
    const tagOf = async () => (await http.get(target)).headers.get('etag') ?? '';
    const tags = new Set<string>();
    const removals = [
      () => http.remove(`/meta?${by('urn:x:again')}`),
      () => http.remove(`/resource?${by('urn:x:again')}`),
      () => http.remove('/context?default'),
    ];
    for (const remove of removals) {
      assert.equal((await http.put(target, { body })).status, 201);
      const tag = await tagOf();
      tags.add(tag);
      assert.equal((await http.put(target, { body, headers: { 'If-Match': tag } })).status, 200);
      assert.equal(await tagOf(), tag);
      assert.equal((await remove()).status, 200);
    }
    assert.equal((await http.put(target, { body })).status, 201);
    tags.add(await tagOf());
    assert.equal(tags.size, 4);
    assert.equal((await http.put(target, { body, headers: { 'If-Match': [...tags][0] ?? '' } })).status, 412);
  });

  it('R-52, R-53: make the description equal to the body of a PUT, and keep equal triples', async () => {
    const X = 'urn:x:put';
    await putGraph('urn:x:p1', `<${X}> <urn:x:p> "stays", "goes" .`);
    await putGraph('urn:x:p2', `<${X}> <urn:x:p> "goes" ; <urn:x:q> [ <urn:x:r> "goes" ] .`);
    const target = `/meta/text/turtle?${by(X)}`;
    const body = `<> <urn:x:p> "stays" ; <urn:x:q> [ <urn:x:r> "new" ] . <urn:x:other> <urn:x:p> "ignored" .`;
    const put = await http.put(target, { body });
    assert.equal(put.status, 200);
    assert.deepEqual(await put.json(), { uri: X, added: 2, removed: 4, ignored: 1 });
    assert.equal(put.headers.get('etag'), null);
    assert.deepEqual(await nt(X), [
      `<${X}> <urn:x:p> "stays" .`,
      `<${X}> <urn:x:q> _:b .`,
      '_:b <urn:x:r> "new" .',
    ]);
    assert.equal(
      await (await http.get('/context?graph=urn:x:p1&format=nt')).text(),
      `<${X}> <urn:x:p> "stays" .\n`,
    );
    assert.match(await (await http.get('/context?default&format=nt')).text(), /"new"/);
    const created = await http.put('/meta/application/json/made-by-put', {
      body: JSON.stringify({
        [`${BASE}/resource/made-by-put`]: { 'urn:x:p': [{ type: 'literal', value: 'v' }] },
      }),
    });
    assert.equal(created.status, 201);
    assert.equal((await http.get('/resource/made-by-put')).status, 303);
  });

  it('R-54: reject an empty body, and accept a body without triples as an empty description', async () => {
    await putGraph('urn:x:emptied-graph', '<urn:x:emptied> <urn:x:p> 1, 2, 3 .');
    const target = `/meta/text/turtle?${by('urn:x:emptied')}`;
    const empty = await http.put(target, { body: '' });
    assert.deepEqual([empty.status, await code(empty)], [400, 'empty-body']);
    assert.equal((await nt('urn:x:emptied')).length, 3);
    assert.equal((await http.put(target, { body: '# nothing' })).status, 200);
    assert.deepEqual(await (await http.put('/meta/text/turtle/nothing', { body: '# nothing' })).json(), {
      uri: `${BASE}/resource/nothing`,
      added: 0,
      removed: 0,
      ignored: 0,
    });
    assert.equal((await http.get('/resource/nothing')).status, 303);
    const broken = await http.put(target, { body: '<> <urn:x:p> oops' });
    assert.deepEqual([broken.status, await code(broken)], [400, 'parse-error']);
    assert.equal((await http.put(`/meta/image/png?${by('urn:x:emptied')}`, { body: 'x' })).status, 415);
  });

  it('R-55: delete only the description on DELETE of /meta', async () => {
    const X = 'urn:x:undescribed';
    await putGraph('urn:x:u', `<${X}> <urn:x:p> [ <urn:x:q> 1 ] . <urn:x:y> <urn:x:p> <${X}> .`);
    assert.equal((await http.remove(`/meta?${by(X)}`)).status, 200);
    assert.deepEqual(await nt(X), []);
    const again = await http.remove(`/meta?${by(X)}`);
    assert.equal(again.status, 404);
    assert.match(((await again.json()) as { detail: string }).detail, /has no description/);
    assert.ok(await exists(X));
    await http.put('/meta/text/turtle/only-described', { body: '<> <urn:x:p> 1 .' });
    assert.equal((await http.remove('/meta/only-described')).status, 200);
    assert.equal((await http.get('/resource/only-described')).status, 404);
    assert.equal((await http.remove('/meta')).status, 400);
  });

  it('evaluate conditions of writes to a description', async () => {
    const target = `/meta/text/turtle?${by('urn:x:guarded')}`;
    const put = (value: number, headers: Record<string, string>, body = `<> <urn:x:p> ${value} .`) =>
      http.put(target, { headers, body });
    assert.equal((await put(0, { 'If-Match': '*' })).status, 412);
    assert.equal((await put(0, { 'If-None-Match': '*' })).status, 201);
    assert.equal((await put(1, { 'If-None-Match': '*' })).status, 412);
    const tag = (await http.get(target)).headers.get('etag') ?? '';
    const responses = await Promise.all(Array.from({ length: 8 }, (_, i) => put(i + 1, { 'If-Match': tag })));
    assert.deepEqual(responses.map(({ status }) => status).sort(), [200, ...Array(7).fill(412)]);
    assert.equal((await put(9, { 'If-Match': tag }, 'broken {')).status, 412);
    assert.equal(
      (await http.remove(`/meta?${by('urn:x:guarded')}`, { headers: { 'If-Match': tag } })).status,
      412,
    );
    const past = { 'If-Unmodified-Since': 'Sun, 06 Nov 1994 08:49:37 GMT' };
    assert.equal((await put(9, past)).status, 412);
  });

  it('return a description of many megabytes completely', async () => {
    const values = Array.from({ length: 20_000 }, (_, i) => `"${'v'.repeat(100)}${i}"`);
    await putGraph('urn:x:big', `<urn:x:big-one> <urn:x:p> ${values.join(', ')} .`);
    assert.equal((await nt('urn:x:big-one')).length, 20_000);
  });

  it('list the methods of both forms of /meta and /content', async () => {
    const allow = async (target: string) => (await http.options(target)).headers.get('allow');
    assert.equal(await allow('/meta/text/turtle'), 'GET, HEAD, PUT, OPTIONS');
    assert.equal(await allow('/meta/name'), 'DELETE, OPTIONS');
    assert.equal(await allow('/meta'), 'DELETE, OPTIONS');
    assert.equal(await allow('/content/name'), 'GET, HEAD, DELETE, OPTIONS');
    const rejected = await http.get('/meta/name');
    assert.deepEqual([rejected.status, rejected.headers.get('allow')], [405, 'DELETE, OPTIONS']);
    const posted = await http.post('/meta/text/turtle');
    assert.deepEqual([posted.status, posted.headers.get('allow')], [405, 'GET, HEAD, PUT, OPTIONS']);
    assert.equal((await http.remove(`/meta/text/turtle?${by('urn:x:d')}`)).status, 405);
    assert.equal((await http.put('/content/no-type', { body: 'x' })).status, 405);
  });

  it('reject hostile names', async () => {
    const hostile = [
      '/resource/..%2f..%2fetc%2fpasswd',
      '/resource/a%00b',
      '/resource/a%0d%0aX-Injected:%201',
      `/resource?uri=${encodeURIComponent('urn:x:a\r\nX-Injected: 1')}`,
      `/resource?uri=${encodeURIComponent('urn:x:\0')}`,
      '/resource?uri=/etc/passwd',
      '/resource?uri=../../etc/passwd',
      `/resource?uri=urn:x:${'l'.repeat(10_000)}`,
      `/resource?genid=${encodeURIComponent('a\r\nb')}`,
    ];
    for (const target of hostile) {
      for (const send of [http.get, http.post, http.put, http.remove]) {
        if (send === http.post && target.includes('genid')) continue;
        const response = await send(target);
        assert.equal(response.status, 400, target);
        assert.equal(response.headers.get('x-injected'), null);
      }
    }
    const header = await http.put(await register('urn:x:attacked'), type('text/turtle;rel="me\tta"'));
    assert.equal(header.status, 415);
  });

  it('return URIs with every kind of character in Location, encoded once', async () => {
    for (const uri of ['http://x/ä?q=1&r=%26#f', 'urn:x:+', "http://x/a'b(c)*!~", 'http://日本/%0D%0A']) {
      const created = await http.post(`/resource?${by(uri)}`);
      assert.equal(created.status, 201, uri);
      assert.equal(await created.text(), uri);
      assert.equal(new URL(location(created)).searchParams.get('uri'), uri);
      assert.equal((await http.get(location(created))).status, 303);
      assert.equal((await http.remove(location(created))).status, 200);
    }
  });

  it('pass the rows of http-api Annex C about resources', async () => {
    const created = await http.post('/resource');
    assert.equal(created.status, 201);
    const uri = await created.text();
    const missing = await http.options('/resource?uri=urn:x:none');
    assert.deepEqual([missing.status, missing.headers.get('access-control-allow-methods')], [200, 'POST']);
    assert.equal((await http.get('/resource')).status, 400);
    assert.equal((await http.get('/resource?uri=urn:x:none')).status, 404);
    const put = await http.put(`/resource?${by(uri)}`, type('text/turtle'));
    assert.equal(put.status, 303);
    assert.equal((await http.put(location(put), { body: '<> <urn:x:p> 1 .' })).status, 200);
    assert.equal((await http.put(`/resource?${by(uri)}`, type('image/png'))).status, 415);
    const rejected = await http.get(`/resource?${by(uri)}`, accept('image/png'));
    assert.equal(rejected.status, 406);
    assert.match(rejected.headers.get('content-type') ?? '', /^text\/turtle;rel=meta,/);
    assert.equal((await http.get(`/ldpath/path?path=rdfs:label&${by(uri)}`)).status, 200);
  });
});
