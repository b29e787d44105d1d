import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { EventReader, type ReceivedEvent } from '../support/event-reader.ts';
import type { Scope } from '../support/scope.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { availableFronts } from '../support/tested-front.ts';

const SMALL = ['--threads', '2', '--sparql-threads', '0'];
const MEMORY = ['--memory', ...SMALL];
const NAMES = 'name = <urn:name> :: xsd:string ;';

interface Line {
  readonly position: string;
  readonly uri?: string;
  readonly result?: Record<string, unknown>;
  readonly error?: { readonly status: number; readonly code: string };
  readonly deleted?: true;
  readonly resync?: true;
  readonly filter?: boolean;
  readonly boost?: number;
}

function start(scope: Scope, args: readonly string[], front = availableFronts[0]!): Promise<ServerProcess> {
  return startServer(scope, [...args, '--front', front]);
}

async function send(url: string, path: string, init: RequestInit): Promise<Record<string, unknown>> {
  const response = await fetch(`${url}${path}`, init);
  const text = await response.text();
  assert.ok(response.ok, `${path}: ${response.status} ${text}`);
  return text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {};
}

/** Stores the program `p`; returns its position. */
async function store(url: string, body: string, query = '?type=urn:T'): Promise<string> {
  const stored = await send(url, `/ldpath/programs/p${query}`, { method: 'PUT', body });
  return stored['position'] as string;
}

async function put(url: string, turtle: string, graph = 'urn:x:g'): Promise<void> {
  const headers = { 'Content-Type': 'text/turtle' };
  await send(url, `/context?graph=${graph}`, { method: 'PUT', headers, body: turtle });
}

async function changesOf(url: string, query: string): Promise<Line[]> {
  const response = await fetch(`${url}/ldpath/programs/p/changes${query}`);
  const text = await response.text();
  assert.equal(response.status, 200, text);
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

async function problemOf(
  url: string,
  query: string,
): Promise<{ status: number; code: string; oldest?: string }> {
  const headers = { Accept: 'application/json' };
  const response = await fetch(`${url}/ldpath/programs/p/changes${query}`, { headers });
  return (await response.json()) as { status: number; code: string; oldest?: string };
}

const positionOf = async (url: string) => (await changesOf(url, ''))[0]!.position;
const nameOf = ({ result }: Line) => (result?.['name'] as { value: string }[] | undefined)?.[0]?.value;
const lineOf = (event: ReceivedEvent | undefined) => event?.data as unknown as Line;

for (const front of availableFronts) {
  describe(`the changed results of a stored program (front ${front})`, () => {
    it('are sent with the position from which to go on, and the new position last (F-20, F-21)', async (t) => {
      const { url } = await start(t, MEMORY, front);
      const since = await store(url, NAMES);
      await put(url, '<urn:a> a <urn:T> ; <urn:name> "A" . <urn:b> a <urn:T> . <urn:c> <urn:name> "C" .');
      const first = await changesOf(url, `?since=${since}`);
      const now = await positionOf(url);
      const empty = { name: [] };
      const named = { name: [{ type: 'literal', value: 'A' }] };
      assert.deepEqual(first, [
        { position: since, uri: 'urn:a', result: named },
        { position: since, uri: 'urn:b', result: empty },
        { position: now },
      ]);
      await put(url, '<urn:a> a <urn:T> ; <urn:name> "A" . <urn:b> <urn:name> "B" .');
      const [deleted, last, ...rest] = await changesOf(url, `?since=${now}`);
      assert.deepEqual(deleted, { position: now, uri: 'urn:b', deleted: true });
      assert.deepEqual([last, ...rest], [{ position: await positionOf(url) }]);
      assert.deepEqual(await changesOf(url, '?since=0'), await changesOf(url, `?since=${since}`));
    });

    it('are events as they happen, and a reconnection goes on (F-23)', async (t) => {
      const { url } = await start(t, MEMORY, front);
      await store(url, NAMES);
      const reader = await EventReader.open(`${url}/ldpath/programs/p/changes`);
      await put(url, '<urn:a> a <urn:T> ; <urn:name> "A" .');
      assert.equal(nameOf(lineOf(await reader.next())), 'A');
      const before = reader.lastId;
      const { position } = lineOf(await reader.next());
      assert.equal(reader.lastId, position);
      assert.notEqual(before, position);
      reader.close();
      await put(url, '<urn:a> a <urn:T> ; <urn:name> "B" .');
      const headers = { 'Last-Event-ID': position };
      const again = await EventReader.open(`${url}/ldpath/programs/p/changes?since=0`, headers);
      assert.equal(nameOf(lineOf(await again.next())), 'B');
      await again.next();
      await store(url, `${NAMES} other = <urn:other> ;`);
      const resync = await again.next();
      assert.equal(resync?.type, 'resync');
      assert.equal(lineOf(resync).position, await positionOf(url));
      assert.equal(await again.next(), undefined);
    });

    it('are whole where a result is long, in both forms (F-21, F-23)', async (t) => {
      const { url } = await start(t, MEMORY, front);
      const since = await store(url, NAMES);
      const long = 'é'.repeat(500_000);
      await put(url, `<urn:a> a <urn:T> ; <urn:name> "A" . <urn:b> a <urn:T> ; <urn:name> "${long}" .`);
      const lines = await changesOf(url, `?since=${since}`);
      assert.deepEqual(lines.map(nameOf), ['A', long, undefined]);
      const reader = await EventReader.open(`${url}/ldpath/programs/p/changes?since=${since}`);
      const events = [await reader.next(), await reader.next(), await reader.next()].map(lineOf);
      assert.deepEqual(events, lines);
    });

    it('begin now for a client that has no Last-Event-ID yet (F-7)', async (t) => {
      const { url } = await start(t, MEMORY, front);
      await store(url, NAMES);
      for (const path of ['/ldpath/programs/p/changes', '/changes', '/context?graph=urn:x:g&watch']) {
        await put(url, '<urn:a> a <urn:T> ; <urn:name> "A" .');
        const reader = await EventReader.open(`${url}${path}`, { 'Last-Event-ID': '' });
        assert.equal(reader.response.status, 200, path);
        reader.close();
      }
    });

    it('end in order when the server shuts down: a client that waits gets its position (F-9, F-22)', async (t) => {
      const server = await start(t, MEMORY, front);
      const { url } = server;
      await store(url, NAMES);
      const since = await positionOf(url);
      const events = await EventReader.open(`${url}/ldpath/programs/p/changes`);
      const waiting = changesOf(url, `?since=${since}&wait=60`);
      const metrics = async () => (await fetch(`${url}/metrics`)).text();
      while (!(await metrics()).includes('\npathpool_change_streams 2\n')) await turn();
      const ended = server.end('SIGTERM');
      assert.deepEqual(await waiting, [{ position: since }]);
      assert.equal(await events.next(), undefined);
      assert.equal(await ended, 0);
    });

    it('are waited for, past commits that change none (F-22)', async (t) => {
      const { url } = await start(t, MEMORY, front);
      await store(url, NAMES);
      const waiting = changesOf(url, `?since=${await positionOf(url)}&wait=60`);
      await put(url, '<urn:x> <urn:y> 1 .', 'urn:x:other');
      await put(url, '<urn:a> a <urn:T> ; <urn:name> "A" .');
      const lines = await waiting;
      assert.deepEqual(lines.map(nameOf), ['A', undefined]);
    });
  });
}

describe('the changed results of a stored program', () => {
  it('are gone before the program was changed, without it, and for other data (F-24)', async (t) => {
    const { url } = await start(t, MEMORY);
    assert.deepEqual((await problemOf(url, '?since=0')).code, 'program-not-found');
    await store(url, NAMES);
    const before = await positionOf(url);
    const changed = await store(url, `${NAMES} other = <urn:other> ;`);
    const gone = await problemOf(url, `?since=${before}`);
    assert.deepEqual([gone.status, gone.code, gone.oldest], [410, 'position-gone', changed]);
    assert.equal((await problemOf(url, '?since=abcdefgh.1')).code, 'position-gone');
    assert.equal((await problemOf(url, '?since=x')).code, 'bad-query');
    const began = performance.now();
    const [identity] = changed.split('.');
    assert.equal((await problemOf(url, `?since=${identity}.9999`)).code, 'position-gone');
    assert.ok(performance.now() - began < 4000, 'no other process could have the commit');
    assert.equal((await problemOf(url, '?since=0&format=csv')).code, 'not-acceptable');
  });

  it('are documents of the format, with filter and boost as in a batch (F-21)', async (t) => {
    const { url } = await start(t, MEMORY);
    await store(url, `@filter <urn:name> ; @boost <urn:b> ; ${NAMES}`);
    await put(url, '<urn:a> a <urn:T> ; <urn:name> "A" ; <urn:b> 2.5 . <urn:b> a <urn:T> .');
    const documents: unknown[] = [];
    for (const format of ['values', 'solr-documents', 'bulk-documents']) {
      const [line, ...rest] = await changesOf(url, `?since=0&format=${format}`);
      assert.equal(rest.length, 1, format);
      documents.push(line?.result);
      const body = JSON.stringify({ name: 'p', format, ordered: true });
      const headers = { 'Content-Type': 'application/json', Accept: 'application/x-ndjson' };
      const batch = await fetch(`${url}/ldpath/batch`, { method: 'POST', headers, body });
      const { position: _, ...same } = line!;
      assert.deepEqual(JSON.parse((await batch.text()).split('\n')[1]!), same, format);
    }
    assert.deepEqual(documents, [
      { name: ['A'] },
      { id: 'urn:a', name: ['A'], boost: 2.5 },
      { name: ['A'], boost: 2.5 },
    ]);
    const [nodes] = await changesOf(url, '?since=0');
    assert.deepEqual([nodes?.filter, nodes?.boost], [true, 2.5]);
  });

  it('go on from a stored position after a kill, over a big write (F-20)', async (t) => {
    const args = ['--data', await temporaryDirectory(t), ...SMALL, '--journal-max', '8KiB'];
    const server = await start(t, args);
    await store(server.url, NAMES);
    await put(server.url, '<urn:a> a <urn:T> ; <urn:name> "A" .');
    const since = await positionOf(server.url);
    const many = Array.from({ length: 20_000 }, (_, i) => `<urn:n${i}> <urn:name> ${i} .`);
    await put(server.url, many.join('\n'), 'urn:x:many');
    await put(server.url, '<urn:n7> a <urn:T> .');
    await server.kill();
    const again = await start(t, args);
    const lines = await changesOf(again.url, `?since=${since}`);
    assert.deepEqual(
      lines.map(({ uri, deleted }) => [uri, deleted]),
      [
        ['urn:a', true],
        ['urn:n7', undefined],
        [undefined, undefined],
      ],
    );
    assert.equal(nameOf(lines[1]!), '7');
  });

  it('are all read again when too many may have changed (F-25)', async (t) => {
    const { url } = await start(t, MEMORY);
    await store(url, NAMES);
    const many = Array.from({ length: 300_000 }, (_, i) => `<urn:s> <urn:p> ${i} .`);
    await put(url, many.join('\n'), 'urn:x:many');
    const reader = await EventReader.open(`${url}/ldpath/programs/p/changes`);
    await put(url, many.slice(1).join('\n').replaceAll('urn:p', 'urn:q'), 'urn:x:many');
    assert.equal((await reader.next())?.type, 'resync');
    assert.equal(await reader.next(), undefined);
  });

  it('are known when the same triples changed again and again (F-20, F-25)', async (t) => {
    const { url } = await start(t, ['--data', await temporaryDirectory(t), ...SMALL]);
    await store(url, NAMES);
    const since = await positionOf(url);
    const many = (word: string) =>
      Array.from({ length: 50_000 }, (_, i) => `<urn:s> <urn:p> "${word} ${i}" .`).join('\n');
    for (const word of ['one', 'two', 'one', 'two']) await put(url, many(word), 'urn:x:many');
    await put(url, '<urn:a> a <urn:T> ; <urn:name> "A" .');
    const lines = await changesOf(url, `?since=${since}`);
    assert.deepEqual(lines.map(nameOf), ['A', undefined]);
    assert.equal(lines[1]!.resync, undefined);
  });

  it('are found by evaluating a small set if a program is not incremental (F-25)', async (t) => {
    const { url } = await start(t, MEMORY);
    const body = `all = fn:iri("urn:o") / <urn:age> ; ${NAMES}`;
    const stored = await send(url, '/ldpath/programs/p?type=urn:T', { method: 'PUT', body });
    const listed = (await (await fetch(`${url}/ldpath/programs`)).json()) as Record<string, unknown>[];
    assert.deepEqual([stored['incremental'], listed[0]!['incremental']], [false, false]);
    assert.match(String(listed[0]!['reason']), /fn:iri/);
    await put(url, '<urn:a> a <urn:T> . <urn:o> <urn:age> 1 .');
    const since = await positionOf(url);
    await put(url, '<urn:a> a <urn:T> . <urn:o> <urn:age> 2 .');
    const lines = await changesOf(url, `?since=${since}`);
    assert.deepEqual(
      lines.map(({ uri }) => uri),
      ['urn:a', undefined],
    );
  });

  it('cost only their own client, however long the program takes (F-26)', async (t) => {
    const { url } = await start(t, [...MEMORY, '--evaluation-time', '3']);
    // The program goes all ways through a dense graph.
    const nodes = Array.from({ length: 60 }, (_, i) => `<urn:n${i}>`);
    const dense = nodes.map((node) => `${node} <urn:p> ${nodes.join(', ')} .`).join('\n');
    await put(url, dense, 'urn:x:dense');
    const tests = '<urn:p>['.repeat(6);
    await store(url, `n = ${tests}<urn:none>${']'.repeat(6)} ;`);
    await put(url, '<urn:n0> a <urn:T> . <urn:n1> a <urn:T> .');
    const slow = changesOf(url, '?since=0');
    let others = 0;
    let done = false;
    const watched = slow.finally(() => {
      done = true;
    });
    for (; !done; others++) {
      const response = await fetch(`${url}/ldpath/path?uri=urn:n0&path=${encodeURIComponent('<urn:p>')}`);
      assert.equal(response.status, 200);
      await response.text();
      await turn();
    }
    const lines = await watched;
    assert.ok(others > 0);
    const codes = lines.slice(0, -1).map(({ error, resync }) => error?.code ?? (resync && 'resync'));
    assert.ok(
      codes.every((code) => code === 'time-limit' || code === 'budget-exceeded' || code === 'resync'),
      JSON.stringify(codes),
    );
  });
});
