import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { rawRequest, verdictOf } from '../support/raw-request.ts';
import { type Scope, suiteScope } from '../support/scope.ts';
import { runPathpool, type ServerProcess, startServer } from '../support/server-process.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const EVIL = 'https://evil.example';
const APP = 'https://app.example';
const GRAPH = '/context?graph=http://example.org/g';
const DATA = '<urn:x:s> <urn:x:p> "foreign" .';
const page = (origin: string) => ({
  Origin: origin,
  'Sec-Fetch-Site': 'cross-site',
  'Sec-Fetch-Mode': 'cors',
});
const as = (type: string) => ({ 'Content-Type': type });

type Attempt = readonly [method: string, target: string, headers?: Record<string, string>, body?: string];

const form = as('application/x-www-form-urlencoded');
const multipart = as('multipart/form-data; boundary=x');
/** Requests that pages of other sites can send without a preflight. */
const simple: readonly Attempt[] = [
  ['POST', GRAPH, as('text/plain'), DATA],
  ['POST', '/context?default', as('text/plain'), DATA],
  ['POST', '/context', as('text/plain'), DATA],
  ['POST', '/ldp', as('text/plain'), DATA],
  ['POST', '/ldp', form, 'a=b'],
  ['POST', '/ldp', multipart, '--x--\r\n'],
  ['POST', '/ldp'],
  ['POST', '/resource', as('text/plain'), DATA],
  ['POST', '/resource'],
  ['POST', '/resource/foreign', form, 'a=b'],
  ['POST', '/resource?uri=urn:x:foreign'],
  ['POST', GRAPH, { ...as('text/plain'), 'X-HTTP-Method-Override': 'DELETE' }],
];
/** Requests that they can send when a preflight allows it. */
const preflighted: readonly Attempt[] = [
  ['PUT', GRAPH, as('text/turtle'), DATA],
  ['DELETE', GRAPH],
  ['POST', GRAPH, as('text/turtle'), DATA],
  ['PUT', '/ldp/foreign', as('text/turtle'), DATA],
  ['PATCH', '/ldp', as('application/sparql-update'), 'INSERT DATA { <> <urn:x:p> 1 }'],
  ['DELETE', '/ldp/own'],
  ['PUT', '/resource?uri=urn:x:foreign', as('text/turtle'), DATA],
  ['DELETE', '/resource?uri=urn:x:s'],
  ['PUT', '/meta/text/turtle?uri=urn:x:s', as('text/turtle'), DATA],
  ['DELETE', '/meta?uri=urn:x:s'],
  ['PUT', '/content/text/plain?uri=urn:x:s', as('text/plain'), 'foreign'],
  ['DELETE', '/content?uri=urn:x:s'],
  ['DELETE', '/tasks/LDPath/path'],
];

/** The bytes of all journal files. They change with every write. */
function journal(directory: string): string {
  const files = readdirSync(directory).filter((name) => name.startsWith('journal-'));
  return files.map((name) => readFileSync(join(directory, name), 'latin1')).join('');
}

async function serverWithData(scope: Scope, args: readonly string[], headers = {}) {
  const directory = await temporaryDirectory(scope);
  const server = await startServer(scope, ['--data', directory, '--threads', '1', ...args], {}, null);
  const own = { ...as('text/turtle'), ...headers };
  const put = await rawRequest(server.url + GRAPH, 'PUT', own, '<urn:x:s> <urn:x:p> "own" .');
  assert.equal(put.status, 201);
  const post = await rawRequest(`${server.url}/ldp`, 'POST', { ...own, Slug: 'own' }, '<> <urn:x:p> "own" .');
  assert.equal(post.status, 201);
  return { server, directory };
}

async function assertRejected(
  { url }: ServerProcess,
  attempts: readonly Attempt[],
  more: Record<string, string>,
  verdict: string,
): Promise<void> {
  for (const [method, target, headers, body] of attempts) {
    const response = await rawRequest(url + target, method, { ...headers, ...more }, body);
    const what = `${method} ${target} ${JSON.stringify({ ...headers, ...more })}`;
    assert.equal(verdictOf(response), verdict, what);
    assert.ok([undefined, '*'].includes(response.headers['access-control-allow-origin']), what);
  }
}

describe('the default server', () => {
  const scope = suiteScope();
  let server: ServerProcess;
  let directory = '';
  before(async () => {
    ({ server, directory } = await serverWithData(scope, []));
  });

  it('keeps a page of another site from writing and from reading', async () => {
    const before = journal(directory);
    for (const origin of [EVIL, 'null', 'http://localhost:3000']) {
      await assertRejected(server, [...simple, ...preflighted], page(origin), '403 cross-origin');
    }
    await assertRejected(server, simple, { 'Sec-Fetch-Site': 'same-site' }, '403 cross-origin');
    await assertRejected(server, simple, { Origin: EVIL }, '403 cross-origin');
    assert.equal(journal(directory), before, 'nothing was stored');
    for (const target of ['/context/list', GRAPH, '/ldp', '/tasks', '/context/none']) {
      const { headers } = await rawRequest(server.url + target, 'GET', page(EVIL));
      assert.deepEqual(
        Object.keys(headers).filter((name) => name.startsWith('access-control-')),
        [],
        target,
      );
    }
    for (const [method, target] of preflighted) {
      const asked = { ...page(EVIL), 'Access-Control-Request-Method': method };
      const { headers } = await rawRequest(server.url + target, 'OPTIONS', asked);
      assert.equal(headers['access-control-allow-origin'], undefined, `${method} ${target}`);
    }
    const evaluated = await rawRequest(
      `${server.url}/ldpath/program?uri=urn:x:s`,
      'POST',
      { ...page(EVIL), ...as('text/plain') },
      'p = <urn:x:p> ;',
    );
    assert.equal(evaluated.status, 200, 'reads are allowed');
    assert.equal(
      evaluated.headers['access-control-allow-origin'],
      undefined,
      'the browser hides the response from the page',
    );
  });

  it('rejects every request under a host name that was rebound to its address', async () => {
    const before = journal(directory);
    const port = new URL(server.url).port;
    for (const host of [
      `evil.example:${port}`,
      'evil.example',
      `localhost.evil.example:${port}`,
      '192.168.1.5',
    ]) {
      // For the browser, page and server have the same origin.
      const rebound = { Host: host, Origin: `http://${host}`, 'Sec-Fetch-Site': 'same-origin' };
      await assertRejected(server, [...simple, ...preflighted], rebound, '421 misdirected');
      await assertRejected(
        server,
        [
          ['GET', '/context/list'],
          ['GET', GRAPH],
        ],
        { Host: host },
        '421 misdirected',
      );
    }
    assert.equal(journal(directory), before, 'nothing was stored');
    const health = await rawRequest(`${server.url}/health/live`, 'GET', { Host: 'pod-7' });
    assert.notEqual(health.status, 421);
  });
});

describe('a server with origins, host names or credentials', () => {
  it('accepts requests of its own pages, and of clients that are not browsers', async (t) => {
    const { server } = await serverWithData(t, [
      '--base',
      'https://data.example.org',
      '--allow-host',
      'backend',
    ]);
    const { port } = new URL(server.url);
    for (const headers of [
      {},
      { Host: `localhost:${port}` },
      { Host: `[::1]:${port}` },
      { Host: 'data.example.org' },
      { Host: 'backend:80' },
      { 'Sec-Fetch-Site': 'none' },
      { Host: 'data.example.org', Origin: 'https://data.example.org', 'Sec-Fetch-Site': 'same-origin' },
      { Origin: server.url, 'Sec-Fetch-Site': 'same-origin' },
    ] as Record<string, string>[]) {
      const put = await rawRequest(server.url + GRAPH, 'PUT', { ...as('text/turtle'), ...headers }, DATA);
      assert.equal(put.status, 204, JSON.stringify(headers));
    }
  });

  it('lets only the origins of --allow-origin read and write', async (t) => {
    const { server, directory } = await serverWithData(t, ['--allow-origin', APP]);
    const before = journal(directory);
    await assertRejected(server, [...simple, ...preflighted], page(EVIL), '403 cross-origin');
    await assertRejected(server, simple, page('null'), '403 cross-origin');
    assert.equal(journal(directory), before);
    const asked = {
      ...page(APP),
      'Access-Control-Request-Method': 'PUT',
      'Access-Control-Request-Headers': 'content-type',
    };
    const preflight = await rawRequest(server.url + GRAPH, 'OPTIONS', asked);
    assert.equal(preflight.status, 204);
    assert.equal(preflight.headers['access-control-allow-origin'], APP);
    assert.match(preflight.headers['access-control-allow-methods'] ?? '', /PUT/);
    const put = await rawRequest(server.url + GRAPH, 'PUT', { ...page(APP), ...as('text/turtle') }, DATA);
    assert.equal(put.status, 204);
    assert.equal(put.headers['access-control-allow-origin'], APP);
    assert.match(put.headers['vary'] ?? '', /Origin/);
    const read = await rawRequest(server.url + GRAPH, 'GET', page(EVIL));
    assert.equal(read.headers['access-control-allow-origin'], undefined);
    assert.match(read.headers['vary'] ?? '', /Origin/);
  });

  it('lets every page read with --allow-origin *, but rejects their writes', async (t) => {
    const { server, directory } = await serverWithData(t, ['--allow-origin', '*']);
    const before = journal(directory);
    await assertRejected(server, [...simple, ...preflighted], page(EVIL), '403 cross-origin');
    assert.equal(journal(directory), before);
    const read = await rawRequest(server.url + GRAPH, 'GET', page(EVIL));
    assert.equal(read.headers['access-control-allow-origin'], '*');
    const post = await rawRequest(
      `${server.url}/ldpath/program?uri=urn:x:s`,
      'POST',
      page(EVIL),
      'p = <urn:x:p> ;',
    );
    assert.deepEqual([post.status, post.headers['access-control-allow-origin']], [200, '*']);
  });

  it('rejects pages that send credentials, since browsers repeat these', async (t) => {
    const { out } = await runPathpool(['hash-password'], {}, 'geheim\n');
    const login = { Authorization: `Basic ${Buffer.from('anna:geheim').toString('base64')}` };
    const args = ['--credential', `write anna ${out.trim()}`];
    const { server, directory } = await serverWithData(t, args, login);
    const before = journal(directory);
    await assertRejected(
      server,
      [...simple, ...preflighted],
      { ...page(EVIL), ...login },
      '403 cross-origin',
    );
    await assertRejected(server, simple, page(EVIL), '403 cross-origin');
    const { port } = new URL(server.url);
    const host = `evil.example:${port}`;
    const rebound = { Host: host, Origin: `http://${host}`, 'Sec-Fetch-Site': 'same-origin' };
    await assertRejected(server, [...simple, ...preflighted], { ...rebound, ...login }, '403 cross-origin');
    assert.equal(journal(directory), before);
    const named = await rawRequest(server.url + GRAPH, 'GET', { Host: 'any.example', ...login });
    assert.equal(named.status, 200, 'any host name is accepted where every request needs credentials');
  });

  it('rejects reads under a rebound host name with --public-read', async (t) => {
    const { out } = await runPathpool(['hash-password'], {}, 'geheim\n');
    const login = { Authorization: `Basic ${Buffer.from('anna:geheim').toString('base64')}` };
    const args = [
      '--credential',
      `write anna ${out.trim()}`,
      '--public-read',
      '--allow-host',
      'data.example',
    ];
    const { server } = await serverWithData(t, args, login);
    const statusAt = async (host: string) =>
      (await rawRequest(server.url + GRAPH, 'GET', { Host: host })).status;
    assert.equal(await statusAt('evil.example'), 421);
    assert.equal(await statusAt('data.example'), 200);
    assert.equal(await statusAt('localhost'), 200);
  });
});
