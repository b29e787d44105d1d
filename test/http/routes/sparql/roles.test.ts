import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { AccessPolicy } from '../../../../src/http/middleware/access.ts';
import { parseCredential } from '../../../../src/http/middleware/credentials.ts';
import { KnownHosts } from '../../../../src/http/middleware/known-hosts.ts';
import { OriginPolicy } from '../../../../src/http/middleware/origin-policy.ts';
import { hashPassword } from '../../../../src/http/middleware/password.ts';
import { serve } from '../../test-server.ts';
import { FakeSparql, FORM, QUERY, UPDATE } from './fakes.ts';

const cheap = { logCost: 4, blockSize: 8, parallelism: 1 };
const credentials = await Promise.all(
  ['read reader', 'write writer'].map(async (who) =>
    parseCredential(`${who} ${await hashPassword('x', cheap)}`),
  ),
);
const reader = { Authorization: 'Bearer reader.x' };
const writer = { Authorization: 'Bearer writer.x' };
const wrong = { Authorization: 'Bearer writer.y' };

async function start(context: TestContext, publicRead = false) {
  const sparql = new FakeSparql();
  const hosts = new KnownHosts({ base: undefined, listen: '127.0.0.1', allow: [] });
  const server = await serve(context, (request) => sparql.router.handle(request), {
    access: new AccessPolicy({ credentials }, { publicRead, failedLogins: 100 }),
    origins: new OriginPolicy({ base: undefined, scheme: 'http', hosts, allow: ['https://app.example'] }),
  });
  const post = async (path: string, type: string, body: string, headers: Record<string, string> = {}) => {
    const response = await fetch(server.url + path, {
      method: 'POST',
      headers: { 'Content-Type': type, ...headers },
      body,
    });
    await response.arrayBuffer();
    return response.status;
  };
  return { sparql, post, url: server.url };
}

const queries: readonly (readonly [string, string, string])[] = [
  ['/sparql', FORM, 'query=ASK{}'],
  ['/sparql', QUERY, 'ASK {}'],
  ['/query', FORM, 'query=ASK{}'],
  ['/sparql/select', QUERY, 'ASK {}'],
];
const updates: readonly (readonly [string, string, string])[] = [
  ['/sparql', FORM, 'update=CLEAR+ALL'],
  ['/sparql/', FORM, 'update=CLEAR+ALL'],
  ['/sparql', UPDATE, 'CLEAR ALL'],
  ['/update', FORM, 'update=CLEAR+ALL'],
  ['/sparql/update', UPDATE, 'CLEAR ALL'],
];
/** Updates in places and types of queries. */
const smuggled: readonly (readonly [string, string, string])[] = [
  ['/sparql?update=CLEAR+ALL', FORM, 'query=ASK{}'],
  ['/sparql', FORM, 'query=ASK{}&update=CLEAR+ALL'],
  ['/sparql', QUERY, 'CLEAR ALL'],
  ['/sparql', FORM, 'query=CLEAR+ALL'],
  ['/query', FORM, 'update=CLEAR+ALL'],
  ['/query', UPDATE, 'CLEAR ALL'],
  ['/sparql/select', FORM, 'update=CLEAR+ALL'],
];

test('the role read permits every form of query and no update', async (t) => {
  const { sparql, post } = await start(t);
  for (const query of queries) assert.equal(await post(...query, reader), 200, query.join(' '));
  for (const update of updates) assert.equal(await post(...update, reader), 403, update.join(' '));
  for (const request of smuggled) {
    const status = await post(...request, reader);
    assert.ok(status === 400 || status === 415, request.join(' '));
  }
  assert.deepEqual(sparql.updated, []);
  for (const update of updates) assert.equal(await post(...update, writer), 204);
  for (const request of smuggled) assert.notEqual(await post(...request, writer), 204);
});

test('a form longer than the limit of queries is read for clients that may update', async (t) => {
  const { sparql, post } = await start(t);
  const long = `update=CLEAR+ALL%20%23${'x'.repeat(3500)}`;
  assert.equal(await post('/sparql', FORM, long, reader), 413);
  assert.equal(await post('/sparql', FORM, long.replace('update', 'query'), reader), 413);
  assert.deepEqual(sparql.updated, []);
  assert.equal(await post('/sparql', FORM, long, writer), 204);
  assert.equal(await post('/update', FORM, long, writer), 204);
});

test('requests without credentials are rejected unless reading is public', async (t) => {
  const closed = await start(t);
  for (const request of [...queries, ...updates]) assert.equal(await closed.post(...request), 401);
  const open = await start(t, true);
  for (const query of queries) assert.equal(await open.post(...query), 200);
  for (const update of updates) {
    assert.equal(await open.post(...update), 401);
    assert.equal(await open.post(...update, wrong), 401);
    assert.equal(await open.post(...update, reader), 403);
  }
  assert.deepEqual(open.sparql.updated, []);
  assert.equal(await open.post('/sparql', FORM, 'update=CLEAR+ALL', writer), 204);
});

test('pages of other origins can query and never update', async (t) => {
  const { sparql, post, url } = await start(t, true);
  const foreign = { ...writer, Origin: 'https://evil.example' };
  for (const query of queries) assert.equal(await post(...query, foreign), 200);
  for (const update of updates) {
    assert.equal(await post(...update, foreign), 403);
    assert.equal(await post(...update, { ...writer, 'Sec-Fetch-Site': 'cross-site' }), 403);
  }
  assert.deepEqual(sparql.updated, []);
  assert.equal(await post('/sparql', FORM, 'update=CLEAR+ALL', { ...writer, Origin: url }), 204);
  const named = { ...writer, Origin: 'https://app.example' };
  assert.equal(await post('/sparql', FORM, 'update=CLEAR+ALL', named), 204);
});
