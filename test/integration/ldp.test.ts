import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { DCTERMS, LDP, ldpClient, linksOf, problemOf, ROOT, turtle, typesOf } from '../support/ldp-client.ts';
import { BASE, startServer } from '../support/server-process.ts';
import { sharedServer } from '../support/shared-server.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const CONSTRAINED_BY = `${LDP}constrainedBy ${BASE}/constraints/ldp`;
const TITLE = `<> <${DCTERMS}title> "T" .`;
const RDF_TYPE = 'http://www.w3.org/1999/02/22-rdf-syntax-ns#type';

describe('the LDP space', () => {
  const server = sharedServer(['--memory', '--threads', '1']);
  const client = ldpClient(server);
  const { get, head, options, post, put, patch, remove, create, createTurtle, triples, tagOf } = client;
  const createSource = () => createTurtle('', 'source', TITLE);
  const createContainer = () => createTurtle('', 'basic', TITLE, 'BasicContainer');
  const createBinary = () => create('', { 'Content-Type': 'image/png', Slug: 'picture' }, 'png');

  it('L-1: has a Basic Container with a label as its root, which rejects DELETE', async () => {
    const root = await get('');
    assert.equal(root.status, 200);
    assert.deepEqual(typesOf(root), ['Resource', 'RDFSource', 'Container', 'BasicContainer']);
    assert.equal(root.headers.get('allow'), 'GET, HEAD, POST, PUT, PATCH, OPTIONS');
    assert.match(await root.text(), /rdfs:label "Root container"/);
    const rejected = await remove('');
    assert.equal(rejected.headers.get('allow'), 'GET, HEAD, POST, PUT, PATCH, OPTIONS');
    assert.equal(await problemOf(rejected), '405 method-not-allowed');
    const relabelled = await put(
      '',
      { ...turtle, 'If-Match': '*' },
      '<> <http://www.w3.org/2000/01/rdf-schema#label> "My root" .',
    );
    assert.equal(relabelled.status, 200);
  });

  it('L-3: redirects a path that ends with a slash, including that of the root', async () => {
    const child = await createTurtle('', 'slashed', TITLE);
    for (const [path, target] of [
      ['/', ROOT],
      ['/slashed/', child],
      ['/%73lashed/?x=y', child],
      ['/none/', `${ROOT}/none`],
    ] as const) {
      for (const send of [get, head]) {
        const response = await send(path);
        assert.deepEqual([response.status, response.headers.get('location')], [301, target]);
        assert.equal(response.headers.get('cache-control'), 'no-cache');
      }
      for (const send of [post, put, patch, remove, options]) {
        const response = await send(path);
        assert.deepEqual([response.status, response.headers.get('location')], [308, target]);
        assert.ok(linksOf(response).includes(CONSTRAINED_BY));
      }
    }
  });

  it('L-4: normalises paths, rejects bad ones, and ignores the query', async () => {
    await createTurtle('', 'escaped', TITLE);
    assert.equal((await get('/%65scap%65d?a=b%zz')).status, 200);
    // Paths that the client itself would normalise are tested in test/ldp/main/path.test.ts.
    for (const path of ['/a//b', '/%00', '/x%2F..', '/a%zz']) {
      const response = await get(path);
      assert.deepEqual(linksOf(response), [CONSTRAINED_BY]);
      assert.equal(await problemOf(response), '400 bad-path', path);
    }
  });

  it('L-5, L-6: returns 410 for a deleted binary and its description, and reserves names', async () => {
    const binary = await createBinary();
    const uri = await create('', { 'Content-Type': 'image/gif', Slug: 'short-lived' }, 'gif');
    assert.equal((await remove(uri)).status, 204);
    for (const gone of [uri, `${uri}.meta`]) {
      for (const send of [get, head, options, remove]) assert.equal((await send(gone)).status, 410);
      for (const send of [post, put, patch]) {
        assert.equal(await problemOf(await send(gone, { ...turtle, 'If-Match': '*' }, TITLE)), '410 gone');
      }
      assert.deepEqual(linksOf(await get(gone)), [CONSTRAINED_BY]);
    }
    assert.equal(await problemOf(await put('/name.meta', turtle, TITLE)), '409 reserved-name');
    assert.equal(await problemOf(await put('/name.meta', turtle, '<')), '400 parse-error');
    assert.equal(await problemOf(await put('/name.meta/x', turtle, TITLE)), '409 reserved-name');
    assert.equal(await problemOf(await put(`${binary}.meta/x`, turtle, TITLE)), '409 parent-not-container');
  });

  it('5.2, L-2: returns the headers of the kind for GET, HEAD and OPTIONS', async () => {
    const child = await createSource();
    const container = await createContainer();
    const binary = await createBinary();
    const postTypes =
      'text/turtle, application/ld+json, application/rdf+xml, application/n-triples, text/n3, */*';
    const patchTypes = 'application/sparql-update, application/rdf-patch';
    const kinds = [
      [child, ['Resource', 'RDFSource'], 'GET, HEAD, PUT, PATCH, DELETE, OPTIONS', null, patchTypes],
      [
        container,
        ['Resource', 'RDFSource', 'Container', 'BasicContainer'],
        'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS',
        postTypes,
        patchTypes,
      ],
      [binary, ['Resource', 'NonRDFSource'], 'GET, HEAD, PUT, DELETE, OPTIONS', null, null],
      [`${binary}.meta`, ['Resource', 'RDFSource'], 'GET, HEAD, PUT, PATCH, OPTIONS', null, patchTypes],
    ] as const;
    for (const [uri, types, allow, acceptPost, acceptPatch] of kinds) {
      for (const send of [get, head, options]) {
        const response = await send(uri);
        assert.equal(response.status, 200);
        assert.deepEqual(typesOf(response), types);
        assert.ok(linksOf(response).includes(CONSTRAINED_BY));
        assert.equal(response.headers.get('allow'), allow);
        assert.equal(response.headers.get('accept-post'), acceptPost);
        assert.equal(response.headers.get('accept-patch'), acceptPatch);
        if (send === options) continue;
        assert.match(response.headers.get('etag') ?? '', /^"[a-z0-9]+(-turtle\.2)?"$/);
        assert.ok(Date.parse(response.headers.get('last-modified') ?? ''));
        assert.equal(response.headers.get('vary'), acceptPost === null ? 'Accept' : 'Accept, Prefer');
        assert.equal(response.headers.get('cache-control'), 'no-cache');
      }
    }
    assert.ok(linksOf(await options(binary)).includes(`describedby ${binary}.meta`));
    const description = linksOf(await get(`${binary}.meta`));
    assert.ok(description.includes(`describes ${binary}`) && description.includes(`content ${binary}`));
  });

  it('5.2: returns the links of an existing resource with an error', async () => {
    const child = await createSource();
    const container = await createContainer();
    assert.deepEqual(linksOf(await get('/none')), [CONSTRAINED_BY]);
    assert.deepEqual(typesOf(await put(container, turtle, TITLE)), [
      'Resource',
      'RDFSource',
      'Container',
      'BasicContainer',
    ]);
    assert.deepEqual(typesOf(await get(child, { Accept: 'image/png' })), ['Resource', 'RDFSource']);
    assert.deepEqual(typesOf(await get(child, { 'If-Match': '"no"' })), ['Resource', 'RDFSource']);
    const method = await post(child, turtle, TITLE);
    assert.equal(method.headers.get('allow'), 'GET, HEAD, PUT, PATCH, DELETE, OPTIONS');
    assert.equal(await problemOf(method), '405 method-not-allowed');
    assert.equal(await problemOf(await post('/none', turtle, TITLE)), '404 resource-not-found');
    assert.equal(await problemOf(await patch('/none')), '404 resource-not-found');
    assert.equal(await problemOf(await remove('/none')), '404 resource-not-found');
  });

  it('L-60, G-32: responds to OPTIONS and preflights for existing and missing resources', async () => {
    await createTurtle('', 'preflighted', TITLE);
    assert.equal((await options('/none')).status, 404);
    const preflight = { 'Access-Control-Request-Method': 'PUT', Origin: 'http://example.org' };
    for (const path of ['', '/none', '/preflighted']) {
      const response = await options(path, preflight);
      assert.equal(response.status, 204);
      assert.match(response.headers.get('access-control-allow-methods') ?? '', /PUT.*PATCH/);
    }
  });

  it('5.4: returns RDF in the requested type, Turtle for any type, and JSON-LD for JSON', async () => {
    const child = await createSource();
    const typeFor = async (accept: string) =>
      (await get(child, { Accept: accept })).headers.get('content-type');
    assert.equal(await typeFor('*/*'), 'text/turtle');
    assert.equal(await typeFor('text/turtle;q=0.9,application/json;q=0.8'), 'text/turtle');
    assert.equal(await typeFor('application/ld+json, application/json;q=0.5'), 'application/ld+json');
    assert.equal(await typeFor('application/json'), 'application/json');
    assert.equal(await typeFor('application/rdf+xml'), 'application/rdf+xml');
    const json = (await (await get(child, { Accept: 'application/json' })).json()) as unknown;
    assert.ok(JSON.stringify(json).includes('@id'));
    const rejected = await get(child, { Accept: 'image/png, application/problem+json' });
    const problem = (await rejected.json()) as { code: string; available: string[] };
    assert.deepEqual(
      [rejected.status, problem.code, problem.available[0]],
      [406, 'not-acceptable', 'text/turtle'],
    );
    const bare = await head(child, { Accept: 'text/turtle' });
    assert.equal(await bare.text(), '');
  });

  it('G-54, G-20: falls back to another acceptable type for what RDF/XML cannot represent', async () => {
    const child = await createSource();
    const nameless = await createTurtle('', 'nameless', '<> <http://e.org/123> 1 .');
    for (const send of [get, head]) {
      const rejected = await send(nameless, { Accept: 'application/rdf+xml' });
      assert.equal(rejected.status, 406);
      assert.ok(linksOf(rejected).includes(CONSTRAINED_BY));
      const browser = await send(nameless, { Accept: 'text/html, application/xml;q=0.9, */*;q=0.8' });
      assert.deepEqual([browser.status, browser.headers.get('content-type')], [200, 'text/turtle']);
      assert.match(browser.headers.get('etag') ?? '', /-turtle\.2"$/);
      assert.equal((await send(child, { Accept: 'application/rdf+xml' })).status, 200);
    }
    const problem = await get(nameless, { Accept: 'application/rdf+xml, application/problem+json' });
    const { available: types } = (await problem.json()) as { available: string[] };
    assert.ok(types.includes('text/turtle') && !types.includes('application/rdf+xml'));
  });

  it('L-10: includes the managed triples of each kind in the representation', async () => {
    const child = await createSource();
    const binary = await createBinary();
    const statements = await triples(child);
    for (const kind of ['Resource', 'RDFSource']) {
      assert.ok(statements.includes(`<${child}> <${RDF_TYPE}> <${LDP}${kind}> .`));
    }
    assert.ok(statements.includes(`<${child}> <${DCTERMS}title> "T" .`));
    assert.equal(statements.filter((line) => /terms\/(created|modified)> "[^"]+Z"\^\^/.test(line)).length, 2);
    const described = await triples(`${binary}.meta`);
    assert.ok(described.includes(`<${binary}> <${DCTERMS}format> "image/png" .`));
    assert.ok(described.includes(`<${binary}.meta> <${DCTERMS}hasFormat> <${binary}> .`));
  });

  it('L-11, G-72, 304: gives a container a new tag, date and state when a child is added', async () => {
    const container = await createTurtle('', 'growing', TITLE, 'BasicContainer');
    const before = await get(container);
    const tag = before.headers.get('etag') ?? '';
    const fresh = await get(container, { 'If-None-Match': tag });
    assert.equal(fresh.status, 304);
    assert.equal(await fresh.text(), '');
    assert.equal(fresh.headers.get('etag'), tag);
    assert.equal(fresh.headers.get('vary'), 'Accept, Prefer');
    assert.ok(fresh.headers.get('last-modified'));
    assert.deepEqual(typesOf(fresh), typesOf(before));
    assert.equal((await head(container, { 'If-None-Match': tag })).status, 304);
    assert.equal((await get(container, { 'If-None-Match': `W/${tag}, "x"` })).status, 304);
    assert.equal((await get(container, { 'If-None-Match': tag, Accept: 'application/ld+json' })).status, 200);
    assert.equal(
      (await get(container, { 'If-Modified-Since': before.headers.get('last-modified') ?? '' })).status,
      304,
    );
    const added = await createTurtle(container, 'child', TITLE);
    const after = await get(container, { 'If-None-Match': tag });
    assert.equal(after.status, 200);
    assert.notEqual(after.headers.get('etag'), tag);
    assert.match(await after.text(), /ldp:contains <[^>]+\/growing\/child>/);
    assert.equal((await remove(added)).status, 204);
    assert.notEqual(await tagOf(container), after.headers.get('etag'));
    assert.notEqual(await tagOf(container), tag);
  });

  it('5.5, L-20 to L-23: returns the parts that Prefer asks for, and a tag for each choice', async () => {
    const container = await createContainer();
    const inside = await createTurtle(container, 'inside', TITLE);
    const ask = (prefer: string) => get(container, { Prefer: prefer });
    const include = (...names: string[]) =>
      `return=representation; include="${names.map((name) => LDP + name).join(' ')}"`;
    const omit = (name: string) => `return=representation; omit="${LDP}${name}"`;
    const facts = async (response: Response) => {
      const text = await response.text();
      return [text.includes(`<${inside}>`), text.includes('"T"'), response.headers.get('preference-applied')];
    };
    const applied = 'return=representation';
    assert.deepEqual(await facts(await get(container)), [true, true, null]);
    assert.deepEqual(await facts(await ask(include('PreferMinimalContainer'))), [false, true, applied]);
    assert.deepEqual(await facts(await ask(include('PreferEmptyContainer'))), [false, true, applied]);
    assert.deepEqual(await facts(await ask(include('PreferContainment'))), [true, true, applied]);
    assert.deepEqual(await facts(await ask(omit('PreferContainment'))), [false, true, applied]);
    assert.deepEqual(await facts(await ask(omit('PreferMinimalContainer'))), [true, false, applied]);
    assert.deepEqual(await facts(await ask('return=representation; include="urn:x:y"')), [true, true, null]);
    assert.deepEqual(await facts(await ask('return=minimal, respond-async, wait=5')), [true, true, null]);
    const minimal = (await ask(include('PreferMinimalContainer'))).headers.get('etag') ?? '';
    assert.match(minimal, /^"[a-z0-9]+-turtle\.2\.m"$/);
    assert.equal((await get(container, { 'If-None-Match': minimal })).status, 200);
    const fresh = await get(container, {
      'If-None-Match': minimal,
      Prefer: include('PreferMinimalContainer'),
    });
    assert.equal(fresh.status, 304);
    // A tag of any variant names the state (G-75).
    const renewed = await put(container, { ...turtle, 'If-Match': minimal }, TITLE);
    assert.equal(renewed.status, 200);
  });

  it('5.12: publishes the constraints as a page and as text', async () => {
    const page = await fetch(`${server.url}/constraints/ldp`);
    assert.equal(page.status, 200);
    assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8');
    const html = await page.text();
    const plain = await fetch(`${server.url}/constraints/ldp`, { headers: { Accept: 'text/plain' } });
    assert.equal(plain.headers.get('content-type'), 'text/plain; charset=utf-8');
    const text = await plain.text();
    for (const word of [
      'ldp:contains',
      'membership',
      '.meta',
      'If-Match',
      'sparql-update',
      'rdf-patch',
      '410',
      '422',
      'never change',
    ]) {
      assert.ok(html.includes(word) && text.includes(word), word);
    }
    assert.equal(
      (await fetch(`${server.url}/constraints/ldp`, { headers: { Accept: 'text/turtle' } })).status,
      200,
    );
  });

  it('C-5, C-6: lists its graphs, and rejects writes to them except through /ldp', async () => {
    const child = await createSource();
    const list = (await (await fetch(`${server.url}/context/list`)).json()) as string[];
    assert.ok(list.includes(child));
    assert.ok(!list.includes('urn:x-pathpool:ldp-managed'));
    const graph = (name: string) => `${server.url}/context?graph=${encodeURIComponent(name)}`;
    assert.equal((await fetch(graph(child))).status, 200);
    const write = { method: 'PUT', headers: turtle, body: TITLE };
    assert.equal(await problemOf(await fetch(graph(child), write)), '409 ldp-managed');
    assert.equal(
      await problemOf(await fetch(graph('urn:x-pathpool:ldp-managed'), write)),
      '409 server-managed',
    );
    assert.equal((await fetch(graph('urn:x-pathpool:ldp-managed'))).status, 404);
  });

  it('R-1, R-3: redirects reads and writes from /resource, and rejects those that only /ldp allows', async () => {
    const child = await createSource();
    const binary = await createBinary();
    const at = (uri: string, method: string, headers: Record<string, string> = {}) =>
      fetch(`${server.url}/resource?uri=${encodeURIComponent(uri)}`, { method, headers, redirect: 'manual' });
    const place = async (uri: string, method: string, headers: Record<string, string> = {}) => {
      const response = await at(uri, method, headers);
      return [response.status, response.headers.get('location')];
    };
    assert.deepEqual(await place(binary, 'GET', { Accept: 'image/png' }), [303, binary]);
    const meta = `${BASE}/meta/text/turtle?uri=${encodeURIComponent(binary)}`;
    assert.deepEqual(await place(binary, 'GET', { Accept: 'text/turtle' }), [303, meta]);
    assert.ok(linksOf(await at(binary, 'GET', { Accept: 'text/turtle' })).includes(`content ${binary}`));
    assert.deepEqual(await place(binary, 'PUT', { 'Content-Type': 'text/turtle' }), [303, `${binary}.meta`]);
    assert.deepEqual(await place(binary, 'PUT', { 'Content-Type': 'image/png;rel=content' }), [303, binary]);
    assert.deepEqual(await place(child, 'PUT', { 'Content-Type': 'text/turtle' }), [303, child]);
    assert.deepEqual(await place(child, 'PUT', { 'Content-Type': 'image/png;rel=content' }), [415, null]);
    assert.equal((await at(child, 'POST')).status, 302);
    assert.equal(await problemOf(await at(`${ROOT}/nobody`, 'POST')), '409 ldp-managed');
    assert.equal(await problemOf(await at(child, 'DELETE')), '409 ldp-managed');
    const content = await fetch(`${server.url}/content?uri=${encodeURIComponent(binary)}`, {
      redirect: 'manual',
    });
    assert.deepEqual([content.status, content.headers.get('location')], [303, binary]);
    const stored = { method: 'PUT', body: 'x' };
    const contentAt = `${server.url}/content/image/png?uri=${encodeURIComponent(binary)}`;
    assert.equal(await problemOf(await fetch(contentAt, stored)), '409 ldp-managed');
  });

  it('shows containment to LDPath', async () => {
    const child = await createSource();
    const path = encodeURIComponent(`<${LDP}contains>`);
    const response = await fetch(`${server.url}/ldpath/path?path=${path}&uri=${encodeURIComponent(ROOT)}`);
    const nodes = (await response.json()) as { value: string }[];
    assert.ok(nodes.some(({ value }) => value === child));
  });

  it('rejects an unknown method with 501', async () => {
    assert.equal((await fetch(`${server.url}/ldp`, { method: 'PROPFIND' })).status, 501);
  });

  it('L-1, L-6: keeps root, tombstones and tags over a restart', async (context) => {
    const data = await temporaryDirectory(context);
    const first = await startServer(context, ['--data', data, '--threads', '1']);
    let client = ldpClient(first);
    const kept = await client.createTurtle('', 'kept', TITLE);
    const gone = await client.createTurtle('', 'gone', TITLE);
    assert.equal((await client.remove(gone)).status, 204);
    const tags = [await client.tagOf(''), await client.tagOf(kept)];
    assert.equal(await first.end('SIGTERM'), 0);
    const second = await startServer(context, ['--data', data, '--threads', '1']);
    client = ldpClient(second);
    assert.deepEqual([await client.tagOf(''), await client.tagOf(kept)], tags);
    assert.equal((await client.get(gone)).status, 410);
    assert.equal(await client.createTurtle('', 'gone', TITLE), `${ROOT}/gone-1`);
  });
});

describe('a server whose base has a host name and a path of its own', () => {
  const server = sharedServer(['--memory', '--threads', '1', '--base', 'https://data.example.org/store']);

  it('L-1: has its LDP space below the base', async () => {
    const root = await fetch(`${server.url}/store/ldp`);
    assert.equal(root.status, 200);
    assert.match(await root.text(), /<https:\/\/data.example.org\/store\/ldp>/);
    const made = await fetch(`${server.url}/store/ldp`, {
      method: 'POST',
      headers: { ...turtle, Slug: 'x' },
      body: TITLE,
    });
    assert.equal(made.headers.get('location'), 'https://data.example.org/store/ldp/x');
    assert.equal((await fetch(`${server.url}/ldp`)).status, 404);
  });
});
