import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { hashPassword } from '../../src/http/middleware/password.ts';
import { runPathpool, startServer } from '../support/server-process.ts';
import { sharedServer } from '../support/shared-server.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const PROGRAM = '@filter is-a foaf:Person ;\nname = foaf:name :: xsd:string ;\n';
const ANNA = 'http://example.org/anna';
const DATA = `@prefix foaf: <http://xmlns.com/foaf/0.1/> .
  <${ANNA}> a foaf:Person ; foaf:name "Anna" ; foaf:nick "An" .`;

interface Receipt {
  readonly commit: number;
  readonly position: string;
  readonly tag: string;
  readonly warnings: readonly object[];
}

/** Calls of one server. */
function callsOf(server: { readonly url: string }) {
  const at = (path: string) => `${server.url}/ldpath/programs${path}`;
  const put = (name: string, body: string, headers: Record<string, string> = {}, method = 'PUT') =>
    fetch(at(`/${name}`), { method, headers: { 'Content-Type': 'text/plain', ...headers }, body });
  const putJson = (name: string, members: object) =>
    put(name, JSON.stringify(members), { 'Content-Type': 'application/json' });
  const get = (name: string, headers: Record<string, string> = {}) => fetch(at(`/${name}`), { headers });
  const remove = (name: string, headers: Record<string, string> = {}) =>
    fetch(at(`/${name}`), { method: 'DELETE', headers });
  const json = async (name: string) =>
    (await (await get(name, { Accept: 'application/json' })).json()) as Record<string, unknown>;
  const putData = (body = DATA) =>
    fetch(`${server.url}/context?graph=urn:x:people`, {
      method: 'PUT',
      headers: { 'Content-Type': 'text/turtle' },
      body,
    });
  const results = (name: string, headers: Record<string, string> = {}) =>
    fetch(at(`/${name}/results?uri=${encodeURIComponent(ANNA)}`), { headers });
  const list = async () => (await (await fetch(at(''))).json()) as Record<string, unknown>[];
  return { put, putJson, get, remove, json, putData, results, list };
}

/** The status and the code of an error. */
async function problem(response: Response): Promise<[number, string]> {
  const { code } = (await response.json()) as { code: string };
  return [response.status, code];
}

describe('stored programs over HTTP', () => {
  const server = sharedServer();
  const { put, putJson, get, remove, json, putData, results, list } = callsOf({
    get url() {
      return server.url;
    },
  });

  it('are stored, replaced and deleted by name (P-40)', async () => {
    const stored = await put('stored', PROGRAM);
    assert.equal(stored.status, 201);
    const { commit, position, tag, warnings } = (await stored.json()) as Receipt;
    assert.deepEqual(warnings, []);
    assert.equal(stored.headers.get('pathpool-commit'), position);
    assert.ok(position.endsWith(`.${commit}`));
    const text = await get('stored');
    assert.equal(text.headers.get('content-type'), 'text/plain; charset=utf-8');
    assert.equal(text.headers.get('etag'), tag);
    assert.equal(await text.text(), PROGRAM);
    assert.equal((await put('stored', 'a = . ;')).status, 200);
    assert.equal(await (await get('stored')).text(), 'a = . ;');
    assert.equal((await remove('stored')).status, 204);
    assert.deepEqual(await problem(await get('stored')), [404, 'program-not-found']);
    assert.deepEqual(await problem(await remove('stored')), [404, 'program-not-found']);
  });

  it('have names of letters, digits and some signs (P-40)', async () => {
    for (const name of ['a', 'A-b_c.9', '_', '-', 'x'.repeat(128)]) {
      assert.equal((await put(name, 'a = . ;')).status, 201, name);
      assert.equal((await remove(name)).status, 204, name);
    }
    for (const name of ['.a', 'a%20b', 'a%2Fb', '%C3%BC', '%zz', 'x'.repeat(129)]) {
      assert.deepEqual(await problem(await put(name, 'a = . ;')), [400, 'bad-path'], name);
      assert.deepEqual(await problem(await get(name)), [404, 'program-not-found'], name);
      assert.deepEqual(await problem(await remove(name)), [404, 'program-not-found'], name);
    }
  });

  it('may declare their start resources (P-41)', async () => {
    const declared = async (query: string) => {
      assert.ok((await put(`declared?${query}`, PROGRAM)).ok, query);
      return (await json('declared'))['starts'];
    };
    assert.deepEqual(await declared('type=http://example.org/C%2B%2B'), { type: 'http://example.org/C++' });
    assert.deepEqual(await declared('type=http://example.org/C++'), { type: 'http://example.org/C++' });
    assert.deepEqual(await declared('graph=urn:x:g'), { graph: 'urn:x:g' });
    assert.deepEqual(await declared('subjects=true'), { subjects: true });
    assert.equal(await declared(''), null);
    assert.deepEqual(await problem(await put('declared?type=nonsense', PROGRAM)), [400, 'bad-iri']);
    assert.deepEqual(await problem(await put('declared?subjects=no', PROGRAM)), [400, 'bad-query']);
    const both = await put('declared?graph=urn:x:g&subjects=true', PROGRAM);
    assert.deepEqual(await problem(both), [400, 'bad-query']);
  });

  it('can be sent as JSON, also as GET returned them (P-41)', async () => {
    const sent = { program: 'n = ex:n ;', starts: { type: 'urn:x:T' }, namespaces: { ex: 'urn:ex:' } };
    assert.equal((await putJson('json', sent)).status, 201);
    const read = await json('json');
    assert.deepEqual({ ...read, ...sent }, read);
    assert.equal(read['bytes'], 10);
    const again = (await (await putJson('json', read)).json()) as Receipt;
    assert.equal(again.commit, read['commit']);
    assert.deepEqual(await problem(await putJson('json', {})), [400, 'missing-parameter']);
    assert.deepEqual(await problem(await putJson('json', { program: 1 })), [400, 'bad-arguments']);
    for (const starts of [{ path: '.', from: 'urn:a' }, { type: 'urn:a', graph: 'urn:b' }, 'subjects']) {
      assert.deepEqual(await problem(await putJson('json', { ...sent, starts })), [400, 'bad-arguments']);
    }
    for (const program of ['n = . ; # \ud800', '\udc00']) {
      assert.deepEqual(await problem(await putJson('json', { program })), [400, 'bad-arguments']);
    }
    const badPrefix = { ...sent, namespaces: { ex: 'nonsense' } };
    assert.deepEqual(await problem(await putJson('json', badPrefix)), [400, 'bad-iri']);
    const withParameter = await putJson('json?subjects=true', sent);
    assert.deepEqual(await problem(withParameter), [400, 'bad-query']);
    assert.deepEqual(await problem(await put('json', '', { 'Content-Type': 'text/turtle' })), [
      415,
      'unsupported-media-type',
    ]);
  });

  it('are compiled first, and errors have their place (P-41)', async () => {
    assert.equal((await put('compiled', PROGRAM)).status, 201);
    const response = await put('compiled', 'a = . ;\nb = foaf:knows / ;');
    assert.equal(response.status, 400);
    const { code, line, column, source } = (await response.json()) as Record<string, unknown>;
    assert.deepEqual([code, line, column, source], ['parse-error', 2, 18, 'program']);
    assert.deepEqual(await problem(await put('compiled', 'a = nope:x ;')), [400, 'unknown-prefix']);
    assert.deepEqual(await problem(await put('compiled', '')), [400, 'empty-body']);
    assert.deepEqual(await problem(await put('compiled', `# ${'x'.repeat(2 ** 18)}`)), [413, 'too-large']);
    assert.equal(await (await get('compiled')).text(), PROGRAM);
    const warned = (await (await put('warned', '@prefix un: <urn:un:> ;\na = . ;')).json()) as Receipt;
    assert.match(JSON.stringify(warned.warnings), /"message":".*un.*","line":1/);
  });

  it('stay the same when they are stored again (P-41)', async () => {
    const first = (await (await put('same', PROGRAM)).json()) as Receipt;
    const again = await put('same', PROGRAM);
    assert.equal(again.status, 200);
    assert.deepEqual(await again.json(), first);
    const other = (await (await put('same?subjects=true', PROGRAM)).json()) as Receipt;
    assert.ok(other.commit > first.commit);
    assert.notEqual(other.tag, first.tag);
  });

  it('have entity tags for conditional requests (P-42)', async () => {
    assert.equal((await put('tagged', PROGRAM, { 'If-None-Match': '*' })).status, 201);
    assert.equal((await put('tagged', PROGRAM, { 'If-None-Match': '*' })).status, 412);
    const read = await get('tagged');
    const tag = read.headers.get('etag') ?? '';
    assert.ok(read.headers.get('last-modified'));
    assert.equal((await get('tagged', { 'If-None-Match': tag })).status, 304);
    assert.equal((await get('tagged', { 'If-Match': '"other"' })).status, 412);
    const inJson = await get('tagged', { Accept: 'application/json' });
    assert.notEqual(inJson.headers.get('etag'), tag);
    assert.equal((await put('tagged', 'a = . ;', { 'If-Match': tag })).status, 200);
    assert.equal((await put('tagged', 'b = . ;', { 'If-Match': tag })).status, 412);
    assert.equal((await remove('tagged', { 'If-Match': tag })).status, 412);
    assert.equal(await (await get('tagged')).text(), 'a = . ;');
    assert.equal((await get('tagged', { Accept: 'image/png' })).status, 406);
    assert.equal(
      (await get('tagged', { Accept: 'application/ldpath' })).headers.get('content-type'),
      'application/ldpath',
    );
  });

  it('are listed by name (P-42)', async () => {
    await put('list-b', PROGRAM);
    await put('list-a?subjects=true', 'a = . ;');
    const mine = (await list()).filter(({ name }) => String(name).startsWith('list-'));
    assert.deepEqual(
      mine.map(({ name }) => name),
      ['list-a', 'list-b'],
    );
    const { program: _, namespaces: __, ...facts } = await json('list-a');
    const self = 'http://pathpool.test/ldpath/programs/list-a';
    const links = { self, results: `${self}/results`, changes: `${self}/changes` };
    assert.deepEqual(mine[0], { ...facts, links });
  });

  it('are evaluated for a start resource (P-44)', async () => {
    await putData();
    await put('people', PROGRAM);
    const response = await results('people');
    const expected = { name: [{ type: 'literal', value: 'Anna' }] };
    assert.deepEqual(await response.json(), expected);
    const tag = response.headers.get('etag') ?? '';
    assert.equal((await results('people', { 'If-None-Match': tag })).status, 304);
    const byName = `${server.url}/ldpath/program?name=people&uri=${encodeURIComponent(ANNA)}`;
    assert.deepEqual(await (await fetch(byName)).json(), expected);
    await put('people', 'nick = foaf:nick ;');
    const changed = await results('people', { 'If-None-Match': tag });
    assert.deepEqual(await changed.json(), { nick: [{ type: 'literal', value: 'An' }] });
    assert.deepEqual(await problem(await results('nobody')), [404, 'program-not-found']);
    const at = `${server.url}/ldpath/programs/people`;
    assert.deepEqual(await problem(await fetch(`${at}/results`)), [400, 'missing-parameter']);
    assert.deepEqual(await problem(await fetch(`${at}/other?uri=urn:a`)), [404, 'not-found']);
  });

  it('can be named in a batch (P-43)', async () => {
    await putData();
    await put('batch', 'nick = foaf:nick ;');
    const body = JSON.stringify({ name: 'batch', uris: [ANNA] });
    const response = await fetch(`${server.url}/ldpath/batch`, { method: 'POST', body });
    const [line = ''] = (await response.text()).split('\n');
    assert.deepEqual(JSON.parse(line), { uri: ANNA, result: { nick: [{ type: 'literal', value: 'An' }] } });
  });

  it('are no part of the data, and outlive all of it (P-45)', async () => {
    await putData();
    const { commit } = (await (await put('kept', PROGRAM)).json()) as Receipt;
    const query = 'SELECT * { GRAPH ?g { ?s ?p ?o } FILTER(CONTAINS(STR(?p), "program")) }';
    const found = await fetch(`${server.url}/sparql?query=${encodeURIComponent(query)}`);
    assert.deepEqual(((await found.json()) as { results: { bindings: object[] } }).results.bindings, []);
    const update = { 'Content-Type': 'application/sparql-update' };
    await fetch(`${server.url}/update`, { method: 'POST', headers: update, body: 'DROP ALL' });
    await fetch(`${server.url}/dataset`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/n-quads' },
      body: '',
    });
    assert.equal((await json('kept'))['commit'], commit);
  });
});

describe('stored programs on disk', () => {
  it('survive a restart and a killed process (P-45)', async (context) => {
    const args = ['--data', await temporaryDirectory(context), '--threads', '1'];
    const first = await startServer(context, args);
    const stored = await callsOf(first).put('people?subjects=true', PROGRAM);
    const { commit, tag } = (await stored.json()) as Receipt;
    await first.kill();
    const second = await startServer(context, args);
    const after = await callsOf(second).json('people');
    assert.deepEqual([after['program'], after['commit'], after['tag']], [PROGRAM, commit, tag]);
    assert.equal((await callsOf(second).put('people', 'a = . ;', { 'If-Match': tag })).status, 200);
    assert.equal(await second.end('SIGTERM'), 0);
    const third = callsOf(await startServer(context, args));
    assert.equal(await (await third.get('people')).text(), 'a = . ;');
    assert.equal((await third.remove('people')).status, 204);
  });
});

describe('stored programs and the commands', () => {
  it('are kept by check, backup and load, and by a change of the base (P-45)', async (context) => {
    const root = await temporaryDirectory(context);
    const [data, copy] = [join(root, 'data'), join(root, 'copy')];
    const first = await startServer(context, ['--data', data, '--threads', '1']);
    const { commit } = (await (await callsOf(first).put('people', PROGRAM)).json()) as Receipt;
    assert.equal(await first.end('SIGTERM'), 0);
    assert.equal((await runPathpool(['backup', data, copy])).status, 0);
    const file = join(root, 'more.nt');
    writeFileSync(file, '<urn:x:s> <urn:x:p> "1" .\n');
    assert.equal((await runPathpool(['load', copy, file])).status, 0);
    assert.equal((await runPathpool(['check', copy])).status, 0);
    const exported = await runPathpool(['export', copy]);
    assert.equal(exported.out, '<urn:x:s> <urn:x:p> "1" <http://pathpool.test/context/default> .\n');
    const args = ['--data', copy, '--threads', '1', '--base-change', 'migrate'];
    const second = callsOf(await startServer(context, args, {}, 'http://other.test'));
    const after = await second.json('people');
    assert.deepEqual([after['program'], after['commit']], [PROGRAM, commit]);
  });
});

describe('stored programs and access control', () => {
  it('need the role write to be changed, and read to be used (G-110)', async (context) => {
    const hash = await hashPassword('secret', { logCost: 4, blockSize: 8, parallelism: 1 });
    const credentials = ['read', 'write'].flatMap((role) => ['--credential', `${role} ${role}-user ${hash}`]);
    const server = await startServer(context, ['--memory', '--threads', '1', ...credentials]);
    const { put, get, remove } = callsOf(server);
    const as = (name: string) => ({ Authorization: `Basic ${btoa(`${name}:secret`)}` });
    assert.equal((await put('people', PROGRAM)).status, 401);
    assert.equal((await put('people', PROGRAM, as('read-user'))).status, 403);
    assert.equal((await put('people', PROGRAM, as('write-user'))).status, 201);
    assert.equal((await get('people')).status, 401);
    assert.equal((await get('people', as('read-user'))).status, 200);
    assert.equal((await remove('people', as('read-user'))).status, 403);
    assert.equal((await remove('people', as('write-user'))).status, 204);
  });

  for (const isPublic of [false, true]) {
    const who = isPublic ? 'anybody with --public-read' : 'the role read';
    it(`are read and followed by ${who}, and stored by the role write (G-110, G-116)`, async (context) => {
      const hash = await hashPassword('secret', { logCost: 4, blockSize: 8, parallelism: 1 });
      const credentials = ['read', 'write'].flatMap((role) => ['--credential', `${role} ${role} ${hash}`]);
      const open = isPublic ? ['--public-read'] : [];
      const { url } = await startServer(context, ['--memory', '--threads', '1', ...credentials, ...open]);
      const { put, remove } = callsOf({ url });
      const as = (name: string) => ({ Authorization: `Basic ${btoa(`${name}:secret`)}` });
      assert.equal((await put('people', PROGRAM, as('write'))).status, 201);
      await fetch(`${url}/context?graph=urn:x:people`, {
        method: 'PUT',
        headers: { 'Content-Type': 'text/turtle', ...as('write') },
        body: DATA,
      });
      const results = `/people/results?uri=${encodeURIComponent(ANNA)}`;
      for (const path of ['', '/people', results, '/people/changes', '/people/changes?since=0']) {
        assert.equal(await statusOf(`${url}/ldpath/programs${path}`, as('read')), 200, path);
        assert.equal(await statusOf(`${url}/ldpath/programs${path}`), isPublic ? 200 : 401, path);
      }
      const stream = { Accept: 'text/event-stream' };
      const changes = `${url}/ldpath/programs/people/changes`;
      assert.equal(await statusOf(changes, { ...stream, ...as('read') }), 200);
      assert.equal(await statusOf(changes, stream), isPublic ? 200 : 401);
      assert.deepEqual([(await put('people', PROGRAM)).status, (await remove('people')).status], [401, 401]);
      assert.equal((await put('people', PROGRAM, as('read'))).status, 403);
    });
  }
});

/** The status of a GET, whose body may have no end. */
async function statusOf(url: string, headers: Record<string, string> = {}): Promise<number> {
  const response = await fetch(url, { headers });
  await response.body?.cancel();
  return response.status;
}
