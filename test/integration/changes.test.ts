import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { seededRandom } from '../simulation/sim-disk.ts';
import { EventReader, type ReceivedEvent } from '../support/event-reader.ts';
import type { Scope } from '../support/scope.ts';
import { BASE, runPathpool, type ServerProcess, startServer } from '../support/server-process.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { availableFronts } from '../support/tested-front.ts';

const SMALL = ['--threads', '1', '--sparql-threads', '0'];
const MEMORY = ['--memory', ...SMALL];

interface Line {
  readonly position: string;
  readonly commit?: number;
  readonly graphs?: readonly { readonly graph: string; readonly added: number; readonly removed: number }[];
  readonly patch?: string;
}

async function put(url: string, graph: string, turtle: string): Promise<void> {
  const target = `${url}/context?graph=${encodeURIComponent(graph)}`;
  const response = await fetch(target, {
    method: 'PUT',
    headers: { 'Content-Type': 'text/turtle' },
    body: turtle,
  });
  assert.ok(response.ok, `${response.status} ${await response.text()}`);
}

async function linesOf(url: string, query = ''): Promise<Line[]> {
  const response = await fetch(`${url}/changes${query}`);
  assert.equal(response.status, 200);
  assert.equal(response.headers.get('content-type'), 'application/x-ndjson');
  const text = await response.text();
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

async function positionOf(url: string): Promise<string> {
  return (await linesOf(url))[0]!.position;
}

async function problemOf(
  url: string,
  query: string,
): Promise<{ status: number; code: string; oldest?: string }> {
  const response = await fetch(`${url}/changes${query}`, { headers: { Accept: 'application/json' } });
  return (await response.json()) as { status: number; code: string; oldest?: string };
}

/** The oldest position that is kept. */
async function oldestOf(url: string): Promise<string> {
  return (await problemOf(url, '?since=abcdefgh.1')).oldest!;
}

function start(scope: Scope, args: readonly string[], front = availableFronts[0]!): Promise<ServerProcess> {
  return startServer(scope, [...args, '--front', front]);
}

for (const front of availableFronts) {
  describe(`GET /changes (front ${front})`, () => {
    it('returns the commits after a position, with their graphs and counts (F-1, F-4)', async (t) => {
      const { url } = await start(t, MEMORY, front);
      const before = await positionOf(url);
      await put(url, 'urn:x:a', '<urn:s> <urn:p> 1, 2 .');
      await put(url, 'urn:x:a', '<urn:s> <urn:p> 2, 3, 4 .');
      const lines = await linesOf(url, `?since=${before}&rows`);
      assert.deepEqual(
        lines.map(({ graphs }) => graphs),
        [[{ graph: 'urn:x:a', added: 2, removed: 0 }], [{ graph: 'urn:x:a', added: 2, removed: 1 }]],
      );
      const number = '<http://www.w3.org/2001/XMLSchema#integer>';
      assert.match(lines[1]!.patch!, new RegExp(`^D <urn:s> <urn:p> "1"\\^\\^${number} <urn:x:a> \\.\n`));
      assert.equal(lines.at(-1)!.position, await positionOf(url));
      assert.deepEqual(await linesOf(url, `?since=${lines.at(-1)!.position}`), [
        { position: lines.at(-1)!.position },
      ]);
    });

    it('leaves out what does not concern the graph, and names the position reached (F-3)', async (t) => {
      const { url } = await start(t, MEMORY, front);
      for (const name of ['a', 'b', 'c']) await put(url, `urn:x:${name}`, '<urn:s> <urn:p> 1 .');
      const lines = await linesOf(url, '?since=0&graph=urn:x:b');
      assert.deepEqual(
        lines.map(({ graphs }) => graphs?.map(({ graph }) => graph)),
        [['urn:x:b'], undefined],
      );
      assert.equal(lines[1]!.position, await positionOf(url));
      const [first, ...rest] = await linesOf(url, '?since=0&limit=1');
      assert.deepEqual([first?.commit, rest], [1, []]);
    });

    it('waits for a commit if there is none yet (F-5)', async (t) => {
      const { url } = await start(t, MEMORY, front);
      const waiting = linesOf(url, `?since=${await positionOf(url)}&wait=60`);
      await put(url, 'urn:x:a', '<urn:s> <urn:p> 1 .');
      assert.deepEqual(
        (await waiting).map(({ graphs }) => graphs?.length),
        [1],
      );
    });

    it('sends events as they happen, and goes on after a reconnection (F-6, F-7)', async (t) => {
      const { url } = await start(t, MEMORY, front);
      const reader = await EventReader.open(`${url}/changes`);
      assert.equal(reader.response.headers.get('content-encoding'), null);
      await put(url, 'urn:x:a', '<urn:s> <urn:p> 1 .');
      const event = await reader.next();
      assert.equal(reader.lastId, event?.data['position']);
      reader.close();
      await put(url, 'urn:x:b', '<urn:s> <urn:p> 1 .');
      await put(url, 'urn:x:c', '<urn:s> <urn:p> 1 .');
      const again = await EventReader.open(`${url}/changes?since=0`, { 'Last-Event-ID': reader.lastId });
      const graphs = [await again.next(), await again.next()].map((next) => next?.data['graphs']);
      assert.deepEqual(JSON.stringify(graphs).match(/urn:x:\w/g), ['urn:x:b', 'urn:x:c']);
      again.close();
    });

    it('ends streams in order when the server shuts down (F-9)', async (t) => {
      const server = await start(t, MEMORY, front);
      const reader = await EventReader.open(`${server.url}/changes`);
      const end = reader.next();
      assert.equal(await server.end('SIGTERM'), 0);
      assert.equal(await end, undefined);
    });

    it('loses nothing for a reader that does not keep up, and holds little for it (F-8)', async (t) => {
      const server = await start(t, ['--data', await temporaryDirectory(t), ...SMALL], front);
      const { url } = server;
      const since = await positionOf(url);
      const stalled: EventReader[] = [];
      for (let i = 0; i < 20; i++) stalled.push(await EventReader.open(`${url}/changes?since=${since}&rows`));
      const memory = () =>
        Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${server.process.pid}/status`, 'utf8'))![1]);
      const value = 'long '.repeat(20_000);
      const before = memory();
      for (let i = 0; i < 150; i++) await put(url, 'urn:x:g', `<urn:s> <urn:p> "${i} ${value}" .`);
      const growth = memory() - before;
      // What all readers together have not read is 20 times 30 MB.
      assert.ok(growth < 300_000, `${growth} KB`);
      const [, first] = since.split('.');
      for (let i = 1; i <= 150; i++) {
        assert.equal((await stalled[0]!.next())?.data['commit'], Number(first) + i);
      }
      for (const reader of stalled) reader.close();
    });
  });
}

for (const front of availableFronts) {
  describe(`watching (front ${front})`, () => {
    it('sends an event for each change of a graph, and for its deletion (F-11, F-12)', async (t) => {
      const { url } = await start(t, MEMORY, front);
      const graph = `${url}/context?graph=urn:x:g`;
      await put(url, 'urn:x:g', '<urn:s> <urn:p> 1 .');
      const reader = await EventReader.open(`${graph}&watch`);
      assert.equal(reader.response.status, 200);
      await put(url, 'urn:x:other', '<urn:s> <urn:p> 1 .');
      await put(url, 'urn:x:g', '<urn:s> <urn:p> 2, 3 .');
      assert.deepEqual(countsOf(await reader.next()), ['message', 2, 1]);
      assert.equal((await fetch(graph, { method: 'DELETE' })).status, 200);
      assert.deepEqual(countsOf(await reader.next()), ['deleted', 0, 2]);
      await put(url, 'urn:x:g', '<urn:s> <urn:p> 4 .');
      assert.deepEqual(countsOf(await reader.next()), ['message', 1, 0]);
      reader.close();
      const again = await EventReader.open(`${graph}&watch`, { 'Last-Event-ID': reader.lastId });
      await put(url, 'urn:x:g', '<urn:s> <urn:p> 5 .');
      assert.deepEqual(countsOf(await again.next()), ['message', 1, 1]);
      again.close();
    });

    it('sends an event for each change of the triples about a resource (F-11, F-12)', async (t) => {
      const { url } = await start(t, MEMORY, front);
      await put(url, 'urn:x:g', '<urn:x:a> <urn:p> 1 . <urn:x:b> <urn:p> 1 .');
      const readers = await Promise.all(
        ['a', 'b', 'a'].map((name) => EventReader.open(`${url}/resource?uri=urn:x:${name}&watch`)),
      );
      await put(url, 'urn:x:g', '<urn:x:a> <urn:p> 1, 2 . <urn:x:b> <urn:p> 1 .');
      await put(url, 'urn:x:g', '<urn:x:a> <urn:p> 1, 2 .');
      const events = await Promise.all(readers.map((reader) => reader.next()));
      assert.deepEqual(events.map(countsOf), [
        ['message', 1, 0],
        ['deleted', 0, 1],
        ['message', 1, 0],
      ]);
      for (const reader of readers) reader.close();
    });

    it('is 404 for what does not exist, and 406 for clients of something else (F-11)', async (t) => {
      const { url } = await start(t, MEMORY, front);
      await put(url, 'urn:x:g', '<urn:s> <urn:p> 1 .');
      const headers = { Accept: 'text/event-stream' };
      for (const path of ['/context?graph=urn:x:none', '/resource?uri=urn:x:none']) {
        assert.equal((await fetch(`${url}${path}&watch`, { headers })).status, 404);
      }
      for (const path of ['/context?graph=urn:x:g', '/resource?uri=urn:s']) {
        assert.equal(
          (await fetch(`${url}${path}&watch`, { headers: { Accept: 'text/turtle' } })).status,
          406,
        );
      }
    });

    it('sends an event for each change of an LDP resource, and for its deletion (F-11, F-12)', async (t) => {
      const { url } = await start(t, MEMORY, front);
      const send = async (method: string, path: string, body?: string, headers = {}) => {
        const type = { 'Content-Type': 'text/turtle' };
        const init = { method, ...(body !== undefined && { body }), headers: { ...type, ...headers } };
        const response = await fetch(`${url}${path}`, init);
        assert.ok(response.ok, await response.text());
      };
      await send('PUT', '/ldp/note', '<> <urn:p> 1, 2 .');
      const reader = await EventReader.open(`${url}/ldp/note?watch`);
      assert.equal(reader.response.status, 200);
      await send('PUT', '/ldp/other', '<> <urn:p> 1 .');
      await send('PUT', '/ldp/note', '<> <urn:p> 1, 3, 4 .', { 'If-Match': '*' });
      // The date is a changed triple, too.
      assert.deepEqual(countsOf(await reader.next()), ['message', 3, 2]);
      await send('DELETE', '/ldp/note');
      const [type, added, removed] = countsOf(await reader.next());
      assert.deepEqual([type, added], ['deleted', 0]);
      assert.ok(Number(removed) > 3);
      reader.close();
      const headers = { Accept: 'text/event-stream' };
      assert.equal((await fetch(`${url}/ldp/note?watch`, { headers })).status, 410);
      assert.equal((await fetch(`${url}/ldp/none?watch`, { headers })).status, 404);
      const turtle = { headers: { Accept: 'text/turtle' } };
      assert.equal((await fetch(`${url}/ldp/other?watch`, turtle)).status, 406);
      assert.equal((await fetch(`${url}/ldp/other?watched`)).status, 200);
    });

    it('sends an event when the containment or membership of a container changes (F-11)', async (t) => {
      const { url } = await start(t, MEMORY, front);
      const write = async (method: string, path: string, body: string, headers: Record<string, string>) => {
        const init = { method, body, headers: { 'Content-Type': 'text/turtle', ...headers } };
        const response = await fetch(`${url}${path}`, init);
        assert.ok(response.ok, await response.text());
      };
      const link = (name: string) => `<http://www.w3.org/ns/ldp#${name}>; rel="type"`;
      await write('PUT', '/ldp/team', '<> <urn:p> 1 .', {});
      const configuration = `@prefix ldp: <http://www.w3.org/ns/ldp#> .
        <> ldp:membershipResource <${BASE}/ldp/team> ; ldp:hasMemberRelation <urn:member> .`;
      await write('PUT', '/ldp/people', configuration, { Link: link('DirectContainer') });
      const paths = ['/ldp', '/ldp/people', '/ldp/team'];
      const open = (path: string) => EventReader.open(`${url}${path}?watch`);
      const [root, people, team] = (await Promise.all(paths.map(open))) as [
        EventReader,
        EventReader,
        EventReader,
      ];
      await write('POST', '/ldp/people', '<> <urn:p> 1 .', { Slug: 'ann' });
      for (const reader of [people, team]) assert.deepEqual(countsOf(await reader.next()), ['message', 2, 1]);
      assert.equal((await fetch(`${url}/ldp/people/ann`, { method: 'DELETE' })).status, 204);
      for (const reader of [people, team]) assert.deepEqual(countsOf(await reader.next()), ['message', 1, 2]);
      await write('PUT', '/ldp/last', '<> <urn:p> 1 .', {});
      // Nothing else has changed the root container.
      const event = await root.next();
      assert.deepEqual(countsOf(event), ['message', 2, 1]);
      const text = await (await fetch(`${url}/changes`)).text();
      assert.equal(event?.data['position'], (JSON.parse(text) as { position: string }).position);
      for (const reader of [root, people, team]) reader.close();
    });

    it('shows the streams in the metrics', async (t) => {
      const { url } = await start(t, MEMORY, front);
      const reader = await EventReader.open(`${url}/changes`);
      await put(url, 'urn:x:g', '<urn:s> <urn:p> 1 .');
      await reader.next();
      const metrics = await (await fetch(`${url}/metrics`)).text();
      assert.match(metrics, /^pathpool_change_streams 1$/m);
      assert.match(metrics, /^pathpool_change_stream_lag_commits 0$/m);
      assert.match(metrics, /^pathpool_change_events_total 1$/m);
      reader.close();
    });
  });
}

describe('the feed of changes', () => {
  it('follows a server through kills, and misses and repeats nothing (F-2)', async (t) => {
    const data = await temporaryDirectory(t);
    const args = ['--data', data, ...SMALL, '--journal-max', '8KiB'];
    const random = seededRandom(5);
    let last = '0';
    let commit = 0;
    const lines = new Set<string>();
    for (let round = 0; round < 4; round++) {
      const server = await start(t, args);
      const reader = await EventReader.open(`${server.url}/changes?since=0&rows`, { 'Last-Event-ID': last });
      assert.equal(reader.response.status, 200);
      const writing = (async () => {
        for (let i = 0; i < 60; i++) {
          const values = Array.from({ length: 1 + Math.floor(random() * 9) }, () =>
            Math.floor(random() * 50),
          );
          await put(server.url, `urn:x:g${i % 3}`, `<urn:s> <urn:p> ${values.join(', ')} .`);
        }
        await server.kill();
      })();
      for (let next = await event(reader); next; next = await event(reader)) {
        assert.equal(next['commit'], ++commit);
        for (const row of String(next['patch']).split('\n').filter(Boolean)) {
          if (row.startsWith('A')) lines.add(row.slice(2));
          else assert.ok(lines.delete(row.slice(2)), row);
        }
        last = reader.lastId;
      }
      await writing;
    }
    const server = await start(t, args);
    for (const { commit: number, patch = '' } of await linesOf(server.url, `?since=${last}&rows`)) {
      if (number === undefined) continue;
      assert.equal(number, ++commit);
      for (const row of patch.split('\n').filter(Boolean)) {
        if (row.startsWith('A')) lines.add(row.slice(2));
        else assert.ok(lines.delete(row.slice(2)), row);
      }
    }
    const quads = await exported(data, server);
    assert.deepEqual([...lines].sort(), quads);
  });

  it('is gone for positions that are not kept, of another data set, and of the future (F-2)', async (t) => {
    const data = await temporaryDirectory(t);
    const args = ['--data', data, ...SMALL, '--journal-max', '1KiB', '--changes-retention', '0'];
    const server = await start(t, args);
    const first = await positionOf(server.url);
    let oldest = first;
    // Commits of many triples are read from files alone.
    const many = Array.from({ length: 20_000 }, (_, i) => `<urn:s> <urn:p> ${i} .`).join('\n');
    for (let i = 0; oldest === first || oldest.endsWith('.0'); i++) {
      await put(server.url, 'urn:x:g', i % 2 === 0 ? many : `<urn:s> <urn:p> "${i}" .`);
      oldest = await oldestOf(server.url);
    }
    await put(server.url, 'urn:x:g', '<urn:s> <urn:p> "the last" .');
    let gone = await problemOf(server.url, `?since=${first}`);
    assert.deepEqual([gone.status, gone.code], [410, 'position-gone']);
    let lines = await linesOf(server.url, '?since=0');
    // A checkpoint may still remove commits.
    for (let now = await oldestOf(server.url); now !== gone.oldest; now = await oldestOf(server.url)) {
      gone = { ...gone, oldest: now };
      lines = await linesOf(server.url, '?since=0');
    }
    assert.equal(lines[0]!.commit, Number(gone.oldest!.split('.')[1]) + 1);
    const future = `${first.split('.')[0]}.999999`;
    assert.equal((await problemOf(server.url, `?since=${future}`)).code, 'position-gone');
    assert.equal(await server.end('SIGTERM'), 0);

    const copy = join(await temporaryDirectory(t), 'copy');
    assert.equal((await runPathpool(['backup', data, copy])).status, 0);
    const restored = await start(t, ['--data', copy, ...SMALL]);
    assert.equal((await problemOf(restored.url, `?since=${gone.oldest}`)).code, 'position-gone');
    assert.notEqual((await positionOf(restored.url)).split('.')[0], first.split('.')[0]);
  });

  it('tells a stream to start over when its position was overtaken (F-8)', async (t) => {
    const { url } = await start(t, MEMORY);
    const reader = await EventReader.open(`${url}/changes`);
    const many = Array.from({ length: 300_000 }, (_, i) => `<urn:s> <urn:p> ${i} .`);
    await put(url, 'urn:x:many', many.join('\n'));
    const event = await reader.next();
    assert.equal(event?.type, 'resync');
    assert.equal(await reader.next(), undefined);
  });

  it('has a bounded number of streams (F-10)', async (t) => {
    const { url } = await start(t, [...MEMORY, '--max-streams', '2']);
    const readers = [await EventReader.open(`${url}/changes`), await EventReader.open(`${url}/changes`)];
    const third = await problemOf(url, '?since=0');
    assert.deepEqual([third.status, third.code], [503, 'overloaded']);
    readers[0]!.close();
    let status = 503;
    for (; status === 503; await turn())
      ({ status } = await fetch(`${url}/changes?since=0`, { method: 'HEAD' }));
    for (let i = 0; i < 5; i++) {
      assert.equal((await fetch(`${url}/changes?since=0`, { method: 'HEAD' })).status, 200);
    }
    assert.equal((await linesOf(url, '?since=0')).at(-1)!.position, await positionOf(url));
    readers[1]!.close();
  });

  it('rejects parameters that are wrong (F-1)', async (t) => {
    const { url } = await start(t, MEMORY);
    for (const query of ['?since=x', '?since=0&limit=-1', '?since=0&wait=61', '?since=0&rows=maybe']) {
      assert.deepEqual(await problemOf(url, query).then(({ code }) => code), 'bad-query', query);
    }
    assert.equal((await problemOf(url, '?since=0&graph=x')).code, 'bad-iri');
    const turtle = await fetch(`${url}/changes`, { headers: { Accept: 'text/turtle' } });
    assert.equal(turtle.status, 406);
  });
});

/** What an event says about a change. */
function countsOf(received: ReceivedEvent | undefined): unknown[] {
  return [received?.type, received?.data['added'], received?.data['removed']];
}

/** The data of the next event; undefined when the stream ends or breaks off. */
async function event(reader: EventReader): Promise<Record<string, unknown> | undefined> {
  try {
    return (await reader.next())?.data;
  } catch {
    return undefined;
  }
}

/** All quads of a server, as sorted lines of N-Quads. */
async function exported(data: string, server: ServerProcess): Promise<string[]> {
  assert.equal(await server.end('SIGTERM'), 0);
  const { out } = await runPathpool(['export', data]);
  return out.split('\n').filter(Boolean).sort();
}
