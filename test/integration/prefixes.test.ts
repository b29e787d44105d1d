import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { EventReader } from '../support/event-reader.ts';
import { runPathpool, startServer } from '../support/server-process.ts';
import { sharedServer } from '../support/shared-server.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const FOAF = 'http://xmlns.com/foaf/0.1/';
const MEMORY = ['--memory', '--threads', '2'];

interface Receipt {
  readonly commit: number;
  readonly position: string;
  readonly tag: string;
}

type Headers = Record<string, string>;

/** Calls of one server. */
function callsOf(server: { readonly url: string }) {
  const at = (path: string) => `${server.url}${path}`;
  const put = (prefix: string, namespace: string, headers: Headers = {}) =>
    fetch(at(`/prefixes/${prefix}`), {
      method: 'PUT',
      headers: { 'Content-Type': 'text/plain', ...headers },
      body: namespace,
    });
  const get = (path: string, headers: Headers = {}) => fetch(at(path), { headers });
  const remove = (prefix: string, headers: Headers = {}) =>
    fetch(at(`/prefixes/${prefix}`), { method: 'DELETE', headers });
  const table = async (query = '') =>
    (await (await get(`/prefixes${query}`)).json()) as Record<string, string>;
  const upload = (target: string, body: string, headers: Headers = {}, method = 'PUT') =>
    fetch(at(target), { method, headers: { 'Content-Type': 'text/turtle', ...headers }, body });
  const path = async (source: string, uri: string) => {
    const query = new URLSearchParams({ path: source, uri });
    return (await get(`/ldpath/path?${query}`)).text();
  };
  return { put, get, remove, table, upload, path };
}

/** The status and the code of an error. */
async function problem(response: Response): Promise<[number, string]> {
  const { code } = (await response.json()) as { code: string };
  return [response.status, code];
}

describe('prefixes over HTTP', () => {
  const server = sharedServer([...MEMORY, '--prefix', 'given=urn:given:']);
  const { put, get, remove, table, upload, path } = callsOf({
    get url() {
      return server.url;
    },
  });

  it('are stored, replaced and deleted by name (P-90, P-91, P-93)', async () => {
    const created = await put('ex-1.a', 'http://example.org/a#\n');
    assert.equal(created.status, 201);
    const { commit, tag } = (await created.json()) as Receipt;
    assert.equal((await put('ex-1.a', 'http://example.org/a#')).status, 200);
    const response = await get('/prefixes/ex-1.a');
    assert.equal(await response.text(), 'http://example.org/a#');
    assert.equal(response.headers.get('etag'), tag);
    const described = await get('/prefixes/ex-1.a', { Accept: 'application/json' });
    const members = (await described.json()) as Record<string, unknown>;
    assert.deepEqual(
      [members['prefix'], members['namespace'], members['source'], members['commit'], members['tag']],
      ['ex-1.a', 'http://example.org/a#', 'stored', commit, tag],
    );
    const json = await put('ex-1.a', JSON.stringify({ ...members, namespace: 'urn:b:' }), {
      'Content-Type': 'application/json',
    });
    assert.equal(json.status, 200);
    assert.equal((await table())['ex-1.a'], 'urn:b:');
    assert.equal((await remove('ex-1.a')).status, 204);
    assert.deepEqual(await problem(await get('/prefixes/ex-1.a')), [404, 'prefix-not-found']);
  });

  it('have names of many letters', async () => {
    assert.equal((await put(encodeURIComponent('größe'), 'urn:ä:')).status, 201);
    assert.equal(await (await get(`/prefixes/${encodeURIComponent('größe')}`)).text(), 'urn:ä:');
  });

  it('are rejected with the reason if they can be none (P-90, P-91)', async () => {
    for (const name of ['1a', '_a', 'a.', 'a%20b', 'a%2Fb', 'a%0d%0ab', `a${'b'.repeat(255)}`, '%zz']) {
      assert.deepEqual(await problem(await put(name, 'urn:x:')), [400, 'bad-path'], name);
    }
    for (const body of ['relative/', 'no iri', 'urn:a b', `urn:${'x'.repeat(2000)}`]) {
      assert.deepEqual(await problem(await put('bad', body)), [400, 'bad-iri'], body.slice(0, 20));
    }
    assert.deepEqual(await problem(await put('bad', ' ')), [400, 'empty-body']);
    const json = { 'Content-Type': 'application/json' };
    assert.deepEqual(await problem(await put('bad', '{}', json)), [400, 'missing-parameter']);
    assert.deepEqual(await problem(await put('bad', '{"namespace":1}', json)), [400, 'bad-arguments']);
    assert.deepEqual(await problem(await put('bad', 'x', { 'Content-Type': 'text/html' })), [
      415,
      'unsupported-media-type',
    ]);
    assert.deepEqual(await problem(await put('bad', 'x'.repeat(70_000))), [413, 'too-large']);
  });

  it('say where they come from, and a stored one takes precedence (P-90, P-93)', async () => {
    const sourceOf = async (prefix: string) => {
      const response = await get(`/prefixes/${prefix}`, { Accept: 'application/json' });
      return ((await response.json()) as { source: string }).source;
    };
    assert.deepEqual(await Promise.all(['foaf', 'given'].map(sourceOf)), ['built-in', 'settings']);
    for (const [prefix, reason] of [
      ['sioc', /built in/],
      ['given', /--prefix/],
    ] as const) {
      const response = await remove(prefix);
      assert.equal(response.status, 404);
      assert.match(await response.text(), reason);
    }
    assert.equal((await put('given', 'urn:mine:', { 'If-None-Match': '*' })).status, 201);
    assert.equal((await table())['given'], 'urn:mine:');
    assert.equal((await table('?source=stored'))['given'], 'urn:mine:');
    assert.deepEqual(await table('?source=settings'), {});
    assert.equal((await remove('given')).status, 204);
    assert.equal((await table())['given'], 'urn:given:');
    assert.deepEqual(await problem(await get('/prefixes?source=else')), [400, 'bad-query']);
  });

  it('change only in the state that a request names (P-92)', async () => {
    const { tag } = (await (await put('tagged', 'urn:1:')).json()) as Receipt;
    assert.equal((await get('/prefixes/tagged', { 'If-None-Match': tag })).status, 304);
    assert.equal((await put('tagged', 'urn:2:', { 'If-None-Match': '*' })).status, 412);
    assert.equal((await put('tagged', 'urn:2:', { 'If-Match': tag })).status, 200);
    assert.equal((await put('tagged', 'urn:3:', { 'If-Match': tag })).status, 412);
    assert.equal((await remove('tagged', { 'If-Match': tag })).status, 412);
    const list = (await get('/prefixes')).headers.get('etag')!;
    assert.equal((await get('/prefixes', { 'If-None-Match': list })).status, 304);
    assert.equal((await remove('tagged')).status, 204);
    assert.equal((await get('/prefixes', { 'If-None-Match': list })).status, 200);
  });

  it('are stored once when several create one at the same time (P-92)', async () => {
    const attempts = Array.from({ length: 20 }, (_, i) => put('race', `urn:${i}:`, { 'If-None-Match': '*' }));
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    assert.equal(statuses.filter((status) => status === 201).length, 1);
    assert.equal(statuses.filter((status) => status === 412).length, 19);
  });

  it('count in each thread as soon as they are stored, changed and deleted (P-96)', async () => {
    await upload('/context?graph=urn:x:now', '<urn:x:s> <urn:one:p> "one" ; <urn:two:p> "two" .');
    for (const [namespace, expected] of [
      ['urn:one:', /"one"/],
      ['urn:two:', /"two"/],
    ] as const) {
      await put('now', namespace);
      const results = await Promise.all(Array.from({ length: 20 }, () => path('now:p', 'urn:x:s')));
      for (const result of results) assert.match(result, expected);
      const sent = await fetch(`${server.url}/ldpath/evaluate`, {
        method: 'POST',
        body: JSON.stringify({ path: 'now:p', uris: ['urn:s'], data: `<urn:s> <${namespace}p> "sent" .` }),
      });
      assert.match(await sent.text(), /sent/);
      const check = await fetch(`${server.url}/ldpath/check?kind=path`, { method: 'POST', body: 'now:p' });
      assert.match(await check.text(), /"ok":true|"valid":true|"errors":\[\]/);
    }
    assert.equal((await remove('now')).status, 204);
    assert.match(await path('now:p', 'urn:x:s'), /unknown-prefix/);
  });

  it('are known to editors (P-96)', async () => {
    await put('edit', 'urn:x:edit:');
    const namespaces = (await (await get('/ldpath/util/namespaces')).json()) as Record<string, string>;
    assert.equal(namespaces['edit'], 'urn:x:edit:');
    assert.equal(namespaces['fn'], 'function:ldpath#');
    assert.deepEqual(await (await get('/ldpath/util/prefix?prefix=edit')).json(), { edit: 'urn:x:edit:' });
    assert.deepEqual(await (await get('/ldpath/util/complete?prefix=edi')).json(), ['edit']);
  });

  it('abbreviate documents, whose entity tags differ from those with others (P-96)', async () => {
    await upload('/context?graph=urn:x:doc', `<urn:x:s> <urn:doc:p> <${FOAF}x>, <urn:given:y> .`);
    const document = async (type: string, target = '/context?graph=urn:x:doc') => {
      const response = await get(target, { Accept: type });
      return { text: await response.text(), tag: response.headers.get('etag')! };
    };
    const compacted = 'application/ld+json;profile="http://www.w3.org/ns/json-ld#compacted"';
    const types = ['text/turtle', 'application/trig', 'application/rdf+xml', compacted];
    const before = await Promise.all(types.map((type) => document(type)));
    assert.match(before[0]!.text, /given:y/);
    const plain = await document('application/n-triples');
    const meta = await document('text/turtle', '/meta/text/turtle?uri=urn:x:s');
    await put('doc', 'urn:doc:');
    for (const [i, type] of types.entries()) {
      const after = await document(type);
      assert.match(after.text, /doc:p/, type);
      assert.notEqual(after.tag, before[i]!.tag);
      const stale = await get('/context?graph=urn:x:doc', { Accept: type, 'If-None-Match': before[i]!.tag });
      assert.equal(stale.status, 200);
      const same = await get('/context?graph=urn:x:doc', { Accept: type, 'If-None-Match': after.tag });
      assert.equal(same.status, 304);
    }
    assert.deepEqual(await document('application/n-triples'), plain);
    const described = await document('text/turtle', '/meta/text/turtle?uri=urn:x:s');
    assert.match(described.text, /doc:p/);
    assert.notEqual(described.tag, meta.tag);
    const old = { 'If-Match': before[0]!.tag };
    assert.equal((await upload('/context?graph=urn:x:doc', '<urn:x:s> <urn:doc:p> 1 .', old)).status, 204);
  });

  it('abbreviate cached documents of LDP resources, too (P-96)', async () => {
    const created = await upload('/ldp', '<> <urn:ldp-doc:p> 1 .', { Slug: 'prefixed' }, 'POST');
    const { pathname } = new URL(created.headers.get('location')!);
    const read = async () => (await get(pathname, { Accept: 'text/turtle' })).text();
    assert.match(await read(), /<urn:ldp-doc:p>/);
    await put('ldpdoc', 'urn:ldp-doc:');
    assert.match(await read(), /ldpdoc:p/);
    await remove('ldpdoc');
    assert.match(await read(), /<urn:ldp-doc:p>/);
  });

  it('give way to those of the graph (P-96)', async () => {
    await put('own', 'urn:server:');
    await upload('/context?graph=urn:x:own', '@prefix own: <urn:graph:> . <urn:s> own:p <urn:server:x> .');
    const text = await (await get('/context?graph=urn:x:own', { Accept: 'text/turtle' })).text();
    assert.match(text, /own:p <urn:server:x>/);
  });
});

describe('prefixes in SPARQL', () => {
  const server = sharedServer([...MEMORY, '--sparql-threads', '1']);
  const { put, upload, get } = callsOf({
    get url() {
      return server.url;
    },
  });
  const query = (text: string, headers: Headers = {}) =>
    get(`/sparql?query=${encodeURIComponent(text)}`, headers);
  const update = (body: string) =>
    upload('/update', body, { 'Content-Type': 'application/sparql-update' }, 'POST');

  it('are added to queries and updates that lack declarations (P-96)', async () => {
    await put('sq', 'urn:sq:');
    assert.equal(
      (await update('INSERT DATA { sq:s sq:p "1" . GRAPH sq:g { sq:s foaf:name "A" } }')).status,
      204,
    );
    assert.equal(
      (await update('DELETE { ?s sq:p ?o } INSERT { ?s sq:p 2 } WHERE { ?s sq:p ?o }')).status,
      204,
    );
    const csv = { Accept: 'text/csv' };
    assert.match(await (await query('SELECT ?o { sq:s sq:p ?o }', csv)).text(), /^o\r\n2\r\n$/);
    assert.match(await (await query('SELECT ?o FROM sq:g { ?s foaf:name ?o }', csv)).text(), /A/);
    const own = await query('PREFIX sq: <urn:other:> SELECT ?o { sq:s sq:p ?o }', csv);
    assert.equal(await own.text(), 'o\r\n');
    const post = await upload(
      '/sparql',
      'ASK { sq:s sq:p 2 }',
      { 'Content-Type': 'application/sparql-query' },
      'POST',
    );
    assert.match(await post.text(), /true/);
    for (const text of [
      'SELECT ?o { sq:s unknown:p ?o }',
      'SELECT ?o { sq:s sq:p ?o oops',
      'SELECT ?o { sq:s ?p ?o }}',
    ]) {
      const response = await query(text);
      const { code, line, column } = (await response.json()) as Record<string, unknown>;
      assert.deepEqual([code, line], ['parse-error', 1], text);
      assert.ok((column as number) > 10 && (column as number) <= text.length + 1, `${text}: ${column}`);
    }
  });

  it('abbreviate constructed graphs (P-96)', async () => {
    await update('INSERT DATA { <urn:cs:s> <urn:cs:p> <urn:cs:o> }');
    await put('cs', 'urn:cs:');
    const turtle = { Accept: 'text/turtle' };
    const text = await (await query('CONSTRUCT { ?s cs:p ?o } WHERE { ?s cs:p ?o }', turtle)).text();
    assert.equal(text, '@prefix cs: <urn:cs:> .\ncs:s cs:p cs:o .\n');
    await put('cs', 'urn:cs');
    assert.match(await (await query('DESCRIBE <urn:cs:s>', turtle)).text(), /<urn:cs:s>/);
  });
});

describe('prefixes of uploads', () => {
  const server = sharedServer();
  const { put, table, upload, get } = callsOf({
    get url() {
      return server.url;
    },
  });

  it('are stored on request, unless the server knows them (P-94)', async () => {
    await put('kept', 'urn:kept:');
    const document = (i: number) =>
      `@prefix kept: <urn:other:> . @prefix foaf: <urn:foaf:> . @prefix : <urn:empty:> .
       @prefix up${i}: <urn:up${i}:> . <urn:s> up${i}:p kept:x .`;
    const targets = [
      '/context?graph=urn:x:u0',
      '/context/u1?',
      '/store?graph=urn:x:u2',
      '/store?',
      '/dataset?',
    ];
    for (const [i, target] of targets.entries()) {
      await upload(target, document(i), {}, 'POST');
      assert.equal((await table())[`up${i}`], undefined);
      const stored = await upload(`${target}&prefixes=store`, document(i), {}, 'POST');
      assert.ok(stored.ok, target);
      assert.equal((await table())[`up${i}`], `urn:up${i}:`, target);
    }
    const { kept, foaf, ...others } = await table();
    assert.deepEqual([kept, foaf, ''.concat(others[''] ?? '')], ['urn:kept:', FOAF, '']);
  });

  it('are stored with PUT, also from other formats (P-94)', async () => {
    const xml = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:x1="urn:x1:">
      <rdf:Description rdf:about="urn:s"><x1:p>1</x1:p></rdf:Description></rdf:RDF>`;
    const type = { 'Content-Type': 'application/rdf+xml' };
    assert.equal((await upload('/context?graph=urn:x:xml&prefixes=store', xml, type)).status, 201);
    const json = '{"@context":{"j1":"urn:j1:"},"@id":"urn:s","j1:p":1}';
    const ifMatch = { 'Content-Type': 'application/ld+json', 'If-Match': '*' };
    assert.equal((await upload('/dataset?prefixes=store', json, ifMatch)).status, 204);
    const { x1, j1 } = await table();
    assert.deepEqual([x1, j1], ['urn:x1:', 'urn:j1:']);
  });

  it('are stored after a large document, too (P-94)', async () => {
    const rows = Array.from({ length: 20_000 }, (_, i) => `<urn:s${i}> large:p ${i} .`);
    const document = `@prefix large: <urn:large:> .\n${rows.join('\n')}`;
    assert.equal((await upload('/context?graph=urn:x:large&prefixes=store', document)).status, 201);
    assert.equal((await table())['large'], 'urn:large:');
    const counted = await get('/context/list?labels');
    assert.match(await counted.text(), /"uri":"urn:x:large"[^}]*"size":20000/);
  });

  it('are not stored with an upload that fails, nor with another parameter (P-94)', async () => {
    const document = '@prefix failed: <urn:failed:> . <urn:s> failed:p 1 .';
    const target = '/context?graph=urn:x:failed&prefixes=store';
    assert.equal((await upload(target, document, { 'If-Match': '"x-turtle"' })).status, 412);
    assert.equal((await upload(target, `${document} oops`)).status, 400);
    for (const path of ['/context?graph=urn:x:f', '/dataset?']) {
      const response = await upload(`${path}&prefixes=replace`, document, { 'If-Match': '*' });
      assert.deepEqual(await problem(response), [400, 'bad-query']);
    }
    assert.equal((await table())['failed'], undefined);
  });
});

describe("Marmotta's /prefix", () => {
  const server = sharedServer();
  const { get, table } = callsOf({
    get url() {
      return server.url;
    },
  });
  const send = (method: string, target: string) => fetch(`${server.url}/prefix/${target}`, { method });

  it('reads and changes the same table (P-95)', async () => {
    const uri = encodeURIComponent('http://example.org/m#');
    assert.equal((await send('POST', `mar?uri=${uri}`)).status, 201);
    assert.deepEqual(await (await get('/prefix/mar')).json(), { mar: 'http://example.org/m#' });
    const reverse = await get(`/prefix/reverse?uri=${uri}`);
    assert.deepEqual(await reverse.json(), { 'http://example.org/m#': 'mar' });
    assert.deepEqual(await (await get('/prefix')).json(), await table());
    for (const taken of [`mar?uri=urn:x:`, `foaf?uri=${uri}`]) {
      assert.deepEqual(await problem(await send('POST', taken)), [409, 'prefix-exists']);
    }
    const removed = await send('DELETE', 'mar');
    assert.deepEqual([removed.status, await removed.text()], [200, 'mar deleted']);
    assert.deepEqual(await problem(await send('DELETE', 'mar')), [404, 'prefix-not-found']);
    assert.deepEqual(await problem(await get('/prefix/mar')), [404, 'prefix-not-found']);
    assert.deepEqual(await problem(await get(`/prefix/reverse?uri=${uri}`)), [404, 'prefix-not-found']);
    assert.deepEqual(await problem(await get('/prefix/reverse')), [400, 'missing-parameter']);
    assert.deepEqual(await problem(await send('POST', 'mar')), [400, 'missing-parameter']);
    assert.deepEqual(await problem(await send('POST', 'mar?uri=x')), [400, 'bad-iri']);
  });
});

describe('stored programs and prefixes', () => {
  const server = sharedServer();
  const { put, remove, upload, get } = callsOf({
    get url() {
      return server.url;
    },
  });
  const results = async () => (await get('/ldpath/programs/feed/results?uri=urn:x:s')).text();
  const lines = async (since: string) => {
    const text = await (await get(`/ldpath/programs/feed/changes?since=${since}`)).text();
    return text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { position: string; resync?: boolean; uri?: string });
  };

  it('are compiled with the prefixes of the moment, and their followers read anew (P-96, F-24, F-25)', async () => {
    await upload('/context?graph=urn:x:feed', '<urn:x:s> <urn:f1:p> "first" ; <urn:f2:p> "second" .');
    await put('feed', 'urn:f1:');
    const program = { 'Content-Type': 'text/plain' };
    const stored = await upload('/ldpath/programs/feed', 'value = feed:p ;', program);
    const { position } = (await stored.json()) as Receipt;
    assert.match(await results(), /first/);
    const reader = await EventReader.open(`${server.url}/ldpath/programs/feed/changes?since=${position}`);
    await put('unrelated', 'urn:unrelated:');
    assert.equal((await lines(position)).at(-1)?.resync, undefined);
    await put('feed', 'urn:f2:');
    assert.match(await results(), /second/);
    const [resync] = await lines(position);
    assert.equal(resync?.resync, true);
    let event = await reader.next();
    while (event && event.type !== 'resync') event = await reader.next();
    assert.equal(event?.type, 'resync');
    await upload('/context?graph=urn:x:feed', '<urn:x:s> <urn:f2:p> "third" .');
    const changed = await lines(resync.position);
    assert.equal(changed[0]?.uri, 'urn:x:s');
    await remove('feed');
    assert.match(await results(), /unknown-prefix/);
    assert.deepEqual(await problem(await get(`/ldpath/programs/feed/changes?since=${position}`)), [
      400,
      'unknown-prefix',
    ]);
  });
});

describe('prefixes on disk', () => {
  it('survive a killed process, a restart, and the commands (P-97)', async (context) => {
    const root = await temporaryDirectory(context);
    const [data, copy] = [join(root, 'data'), join(root, 'copy')];
    const args = ['--data', data, '--threads', '1'];
    const first = await startServer(context, args);
    const { tag } = (await (await callsOf(first).put('disk', 'urn:disk:')).json()) as Receipt;
    await callsOf(first).upload(
      '/context?graph=urn:x:g&prefixes=store',
      '@prefix up: <urn:up:> . <urn:s> up:p 1 .',
    );
    await first.kill();
    const second = await startServer(context, args);
    assert.equal((await callsOf(second).get('/prefixes/disk')).headers.get('etag'), tag);
    assert.equal(await second.end('SIGTERM'), 0);
    assert.equal((await runPathpool(['backup', data, copy])).status, 0);
    assert.equal((await runPathpool(['check', copy])).status, 0);
    assert.doesNotMatch((await runPathpool(['export', copy])).out, /prefix/);
    const third = callsOf(await startServer(context, ['--data', copy, '--threads', '1']));
    assert.deepEqual(await third.table('?source=stored'), { disk: 'urn:disk:', up: 'urn:up:' });
  });
});
