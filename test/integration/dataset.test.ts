import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { BASE, startServer } from '../support/server-process.ts';
import { sharedServer } from '../support/shared-server.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const NQ = { 'Content-Type': 'application/n-quads' };
const TURTLE = { 'Content-Type': 'text/turtle' };
const TRIG = { 'Content-Type': 'application/trig' };
const row = (n: number, graph: string) => `<urn:s${n}> <urn:p> "${n}" <${graph}> .`;

function sorted(text: string): string[] {
  return text.split('\n').filter(Boolean).sort();
}

/** Two triples in graphs of their own. */
const TWO = `${row(1, 'urn:g1')}\n${row(2, 'urn:g2')}`;

describe('the data set over HTTP', () => {
  const server = sharedServer();
  const dataset = () => `${server.url}/dataset`;
  const get = (headers: Record<string, string> = {}) => fetch(dataset(), { headers });
  const content = async () => sorted(await (await get()).text());
  const put = async (body: string, headers: Record<string, string>) => {
    const response = await fetch(dataset(), { method: 'PUT', headers: { ...NQ, ...headers }, body });
    return response.status;
  };
  const post = (body: string, headers: Record<string, string> = NQ) =>
    fetch(dataset(), { method: 'POST', headers, body });
  const tagOf = async () => (await get()).headers.get('etag') ?? '';
  const putMember = async (name: string) => {
    const init = { method: 'PUT', headers: TURTLE, body: `<> <urn:p> "${name}" .` };
    assert.equal((await fetch(`${server.url}/ldp/${name}`, init)).status, 201);
  };

  // Only LDP resources stay.
  beforeEach(async () => assert.equal(await put('', { 'If-Match': '*' }), 204));

  it('is empty in a new store, has a tag, and comes as N-Quads', async (context) => {
    const { url } = await startServer(context, ['--memory', '--threads', '1']);
    const response = await fetch(`${url}/dataset`);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('content-type'), 'application/n-quads');
    assert.match(response.headers.get('etag') ?? '', /^"[a-z0-9]+n0-nq"$/);
    assert.equal(await response.text(), '');
  });

  it('accepts quads by POST, and adds those without a graph to the default context', async () => {
    const response = await post(
      '<urn:s> <urn:p> "d" . <urn:g1> { <urn:s1> <urn:p> "1" } <urn:g2> { <urn:s2> <urn:p> "2" }',
      TRIG,
    );
    assert.equal(response.status, 200);
    assert.deepEqual(await response.json(), { added: 3 });
    const none = await post('');
    assert.deepEqual([none.status, await none.json()], [200, { added: 0 }]);
    const unnamed = `<urn:s> <urn:p> "d" <${BASE}/context/default> .`;
    assert.deepEqual(await content(), [unnamed, row(1, 'urn:g1'), row(2, 'urn:g2')].sort());
    const graph = await fetch(`${server.url}/store?graph=urn:g2`, {
      headers: { Accept: 'application/n-triples' },
    });
    assert.equal(await graph.text(), '<urn:s2> <urn:p> "2" .\n');
  });

  it('comes in all formats that name graphs, and in no other', async () => {
    await post(TWO);
    for (const type of ['application/n-quads', 'application/trig', 'application/ld+json']) {
      const response = await get({ Accept: type });
      assert.equal(response.headers.get('content-type'), type);
      assert.ok((await response.text()).includes('urn:g1'));
    }
    assert.equal((await get({ Accept: 'text/turtle' })).status, 406);
    const named = await fetch(`${dataset()}?format=trig`);
    assert.equal(named.headers.get('content-type'), 'application/trig');
    await named.text();
  });

  it('contains no system graph and no LDP resource, and accepts none', async () => {
    await post(TWO);
    await putMember('excluded');
    await fetch(`${server.url}/resource?uri=urn:x:registered`, { method: 'POST' });
    assert.deepEqual(await content(), TWO.split('\n'));
    for (const graph of [`${BASE}/ldp/excluded`, `${BASE}/ldp/new`, 'urn:x-pathpool:system']) {
      for (const method of ['POST', 'PUT']) {
        const headers = { ...NQ, 'If-Match': '*' };
        const body = `${row(1, 'urn:g9')}\n${row(1, graph)}`;
        const response = await fetch(dataset(), { method, headers, body });
        assert.equal(response.status, 409, `${method} ${graph}`);
      }
    }
    assert.deepEqual(await content(), TWO.split('\n'));
  });

  it('is replaced by PUT with a precondition, except LDP resources', async () => {
    await post(TWO);
    await putMember('member');
    const tag = await tagOf();
    assert.equal(await put('', {}), 428);
    assert.equal(await put('', { 'If-Match': '"x-nq"' }), 412);
    assert.deepEqual(await content(), TWO.split('\n'));
    assert.equal(await put(`${row(1, 'urn:g1')}\n${row(3, 'urn:g3')}`, { 'If-Match': tag }), 204);
    assert.deepEqual(await content(), [row(1, 'urn:g1'), row(3, 'urn:g3')]);
    assert.equal((await fetch(`${server.url}/context?graph=urn:g2`)).status, 404);
    assert.equal((await fetch(`${server.url}/context?default`)).status, 200);
    assert.equal(await put('', { 'If-Match': tag }), 412);
    const member = await fetch(`${server.url}/ldp/member`, { headers: { Accept: 'application/n-triples' } });
    assert.ok((await member.text()).includes('"member"'));
  });

  it('changes its tag with additions and removals, but not with LDP resources', async () => {
    await post(TWO);
    const first = await tagOf();
    assert.equal((await get({ 'If-None-Match': first })).status, 304);
    await putMember('untagged');
    assert.equal(await tagOf(), first);
    const drop = (graph: string) => fetch(`${server.url}/context?graph=${graph}`, { method: 'DELETE' });
    assert.equal((await drop('urn:g1')).status, 200);
    const second = await tagOf();
    assert.notEqual(second, first);
    await post(row(1, 'urn:g1'));
    const third = await tagOf();
    assert.equal(new Set([first, second, third]).size, 3);
    await drop('urn:g1');
    assert.equal(await put('', { 'If-Match': third }), 412);
  });

  it('has no modification date, and preconditions with a date do not apply', async () => {
    await post(TWO);
    const future = { 'If-Modified-Since': new Date(Date.now() + 3_600_000).toUTCString() };
    const response = await get(future);
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('last-modified'), null);
    await response.text();
    const past = { 'If-Unmodified-Since': new Date(0).toUTCString() };
    assert.equal((await post(row(5, 'urn:g5'), { ...NQ, ...past })).status, 200);
  });

  it('is restored by a PUT of what GET returned, even if it is long', async () => {
    const rows = Array.from({ length: 60_000 }, (_, n) => row(n, `urn:graph${n % 7}`));
    assert.equal(await put(rows.join('\n'), { 'If-Match': '*' }), 204);
    const first = await get();
    const tag = first.headers.get('etag') ?? '';
    const text = await first.text();
    assert.deepEqual(sorted(text), rows.toSorted());
    assert.equal(await put(row(0, 'urn:graph0'), { 'If-Match': tag }), 204);
    assert.deepEqual(await content(), [row(0, 'urn:graph0')]);
    assert.equal(await put(text, { 'If-Match': '*' }), 204);
    assert.equal((await content()).length, rows.length);
  });

  it('is the complete result of the last of racing replacements, which all succeed', async () => {
    // Longer documents are transferred to the thread that parses them, and cannot be retried.
    const documents = Array.from({ length: 6 }, (_, n) =>
      Array.from({ length: 3_000 }, (_, m) => row(m, `urn:race${n}`)),
    );
    const statuses = await Promise.all(documents.map((rows) => put(rows.join('\n'), { 'If-Match': '*' })));
    assert.deepEqual(statuses, Array(6).fill(204));
    const left = await content();
    assert.ok(documents.some((rows) => rows.toSorted().join('\n') === left.join('\n')));
  });

  it('is replaced by PUT with If-Match: * during other writes', async () => {
    let isDone = false;
    const writers = Array.from({ length: 4 }, async (_, n) => {
      for (let m = 0; !isDone; m++) {
        const graph = `${server.url}/store?graph=urn:busy${n}.${m}`;
        const write = await fetch(graph, { method: 'PUT', headers: TURTLE, body: `<urn:s> <urn:p> ${m} .` });
        assert.equal(write.status, 201);
        await write.text();
      }
    });
    for (let n = 0; n < 10; n++) assert.equal(await put(row(n, 'urn:g1'), { 'If-Match': '*' }), 204);
    isDone = true;
    await Promise.all(writers);
  });

  it('does not change when a document is malformed', async () => {
    await post(TWO);
    const before = await tagOf();
    const response = await fetch(dataset(), {
      method: 'PUT',
      headers: { ...NQ, 'If-Match': '*' },
      body: '<urn:s> oops',
    });
    assert.equal(response.status, 400);
    assert.equal(((await response.json()) as { line: number }).line, 1);
    assert.equal(await tagOf(), before);
  });

  it('outlives a kill of the server', async (context) => {
    const data = await temporaryDirectory(context);
    const first = await startServer(context, ['--data', data, '--threads', '2']);
    const rows = Array.from({ length: 30_000 }, (_, n) => row(n, `urn:graph${n % 5}`));
    const put = (body: string) =>
      fetch(`${first.url}/dataset`, { method: 'PUT', headers: { ...NQ, 'If-Match': '*' }, body });
    assert.equal((await put(row(1, 'urn:old'))).status, 204);
    assert.equal((await put(rows.join('\n'))).status, 204);
    await first.kill();
    const second = await startServer(context, ['--data', data, '--threads', '2']);
    const again = await fetch(`${second.url}/dataset`);
    assert.deepEqual(sorted(await again.text()), rows.toSorted());
    assert.equal((await fetch(`${second.url}/context?graph=urn:old`)).status, 404);
  });
});
