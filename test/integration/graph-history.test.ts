import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { describe, it, type TestContext } from 'node:test';
import { PathpoolClient } from '../../src/library/client/entry.ts';
import { seededRandom } from '../simulation/sim-disk.ts';
import { type ServerProcess, startServer } from '../support/server-process.ts';
import { sharedServer } from '../support/shared-server.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const N_TRIPLES = 'application/n-triples';
const NAMES = ['urn:x:a', 'urn:x:b', 'urn:x:c'];
const BASE = 'http://pathpool.test';

function addressOf(graph: string, query = ''): string {
  return `/context?graph=${encodeURIComponent(graph)}${query}`;
}

/** Calls of a server. */
function callsOf(server: Pick<ServerProcess, 'url'>) {
  const write = async (method: string, path: string, body?: string): Promise<number> => {
    const headers = { 'Content-Type': 'text/turtle' };
    const init = body === undefined ? { method } : { method, headers, body };
    const response = await fetch(server.url + path, init);
    assert.ok(response.ok || response.status === 404, await response.text());
    return Number(response.headers.get('pathpool-commit')!.split('.')[1]);
  };
  const get = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
    fetch(server.url + path, { method, headers: { Accept: N_TRIPLES, ...headers }, redirect: 'manual' });
  /** The triples of a graph, sorted; undefined if it does not exist. */
  const triples = async (graph: string, commit?: number): Promise<string[] | undefined> => {
    const response = await get(addressOf(graph, commit === undefined ? '' : `&commit=${commit}`));
    if (response.status === 404) return void (await response.body?.cancel());
    assert.equal(response.status, 200);
    return (await response.text()).split('\n').sort();
  };
  const problem = async (path: string, headers: Record<string, string> = {}) => {
    const response = await get(path, { ...headers, Accept: `${N_TRIPLES}, application/problem+json` });
    const { code, detail, oldest } = (await response.json()) as Record<string, string>;
    return { status: response.status, code, detail, oldest };
  };
  return { write, get, triples, problem };
}

type Calls = ReturnType<typeof callsOf>;
/** The triples of each graph after each commit. */
type States = Map<number, ReadonlyMap<string, string[] | undefined>>;

/** Changes a random graph in a random way. Returns the number of the newest commit. */
function change({ write }: Calls, random: () => number): Promise<number> {
  const graph = NAMES[Math.floor(random() * NAMES.length)]!;
  const count = Math.floor(random() * 6);
  const lines = Array.from({ length: count }, () => {
    const [s, o] = [Math.floor(random() * 5), Math.floor(random() * 9)];
    return `<urn:s${s}> <urn:p> "${o}"@en, [ <urn:q> ${o} ] .`;
  });
  const kind = random();
  const path = addressOf(graph);
  if (kind < 0.2) return write('DELETE', path);
  const prefix = random() < 0.5 ? '@prefix x: <urn:x:> . ' : '';
  return write(kind < 0.6 ? 'PUT' : 'POST', path, prefix + lines.join('\n'));
}

async function statesNow({ triples }: Calls): Promise<Map<string, string[] | undefined>> {
  const state = new Map<string, string[] | undefined>();
  for (const name of NAMES) state.set(name, await triples(name));
  return state;
}

async function changeOften(calls: Calls, states: States, random: () => number, times: number) {
  for (let i = 0; i < times; i++) {
    const commit = await change(calls, random);
    states.set(commit, await statesNow(calls));
  }
}

async function compareAll({ triples }: Calls, states: States): Promise<void> {
  for (const [commit, state] of states) {
    for (const [graph, expected] of state) {
      assert.deepEqual(await triples(graph, commit), expected, `${graph} after commit ${commit}`);
    }
  }
}

describe('graphs as they were', () => {
  it('are those after each commit, across checkpoints, a restart and a kill (C-40, C-41)', async (t) => {
    const directory = await temporaryDirectory(t);
    const args = ['--data', directory, '--threads', '2', '--journal-max', '1KiB'];
    const random = seededRandom(7);
    const states: States = new Map();
    for (const round of [1, 2, 3]) {
      const server = await startServer(t, args);
      const calls = callsOf(server);
      await compareAll(calls, states);
      await changeOften(calls, states, random, 8);
      if (round === 3) await compareAll(calls, states);
      if (round === 2) await server.kill();
      else assert.equal(await server.end('SIGTERM'), 0);
    }
    const names = readdirSync(directory);
    assert.ok(names.some((name) => name.startsWith('changes-')));
    assert.ok(names.some((name) => name.startsWith('checkpoint-')));
  });

  it('of a server without a directory come from memory; empty ones count as absent', async (t) => {
    const calls = callsOf(await startServer(t, ['--memory', '--threads', '2']));
    const states: States = new Map();
    await changeOften(calls, states, seededRandom(8), 12);
    for (const [commit, state] of states) {
      for (const [graph, expected] of state) {
        const found = await calls.triples(graph, commit);
        assert.deepEqual(found?.join('') || undefined, expected?.join('') || undefined, `${graph} ${commit}`);
      }
    }
  });
});

describe('a graph as it was', () => {
  const server = sharedServer();
  const { write, get, triples, problem } = callsOf({
    get url() {
      return server.url;
    },
  });

  it('is another one after it was deleted and created again', async () => {
    const path = addressOf('urn:x:again');
    const first = await write('PUT', path, '<urn:a> <urn:p> "old" .');
    const gone = await write('DELETE', path);
    const second = await write('PUT', path, '<urn:a> <urn:p> "new" .');
    assert.deepEqual(await triples('urn:x:again', first - 1), undefined);
    assert.match(String(await triples('urn:x:again', first)), /"old"/);
    const { status, code, detail } = await problem(`${path}&commit=${gone}`);
    assert.deepEqual([status, code], [404, 'graph-not-found']);
    assert.match(detail!, new RegExp(`no graph <urn:x:again> after commit ${gone}`));
    assert.match(String(await triples('urn:x:again', second)), /"new"/);
    await write('DELETE', path);
    assert.match(String(await triples('urn:x:again', second)), /"new"/);
  });

  it('has the prefixes of then, in each format, at /store and by path too (C-40)', async () => {
    const path = '/context/prefixed';
    const graph = `${BASE}${path}`;
    const first = await write('PUT', path, '@prefix one: <urn:x:> . <urn:x:a> <urn:x:p> one:b .');
    await write('PUT', path, '@prefix two: <urn:x:> . <urn:x:a> <urn:x:p> two:c .');
    const store = `/store?graph=${encodeURIComponent(graph)}`;
    for (const address of [`${path}?commit=${first}`, `${store}&commit=${first}`]) {
      const turtle = await (await get(address, { Accept: 'text/turtle' })).text();
      assert.match(turtle, /@prefix one: <urn:x:>/);
      assert.match(turtle, /one:p one:b/);
      const trig = await get(address, { Accept: 'application/trig' });
      assert.match(await trig.text(), new RegExp(`${graph}> \\{`));
    }
    assert.match(await (await get(path, { Accept: 'text/turtle' })).text(), /two:p two:c/);
  });

  it('has a strong entity tag that stays, so it can be revalidated (C-42)', async () => {
    const path = addressOf('urn:x:tagged');
    const commit = await write('PUT', path, '<urn:a> <urn:p> "1" .');
    const present = (await get(path)).headers.get('etag');
    const first = await get(`${path}&commit=${commit}`);
    const tag = first.headers.get('etag')!;
    assert.equal(tag, present);
    assert.equal(first.headers.get('cache-control'), 'no-cache');
    await write('PUT', path, '<urn:a> <urn:p> "2" .');
    assert.equal((await get(`${path}&commit=${commit}`)).headers.get('etag'), tag);
    assert.equal((await get(`${path}&commit=${commit}`, { 'If-None-Match': tag })).status, 304);
    assert.equal((await get(`${path}&commit=${commit}`, { 'If-None-Match': '*' })).status, 304);
    assert.equal((await get(`${path}&commit=${commit}`, { 'If-Match': '"other-nt"' })).status, 412);
    const head = await get(`${path}&commit=${commit}`, {}, 'HEAD');
    assert.deepEqual([head.status, head.headers.get('etag')], [200, tag]);
  });

  it('is told apart from a token, for which the request waits (G-151, C-40)', async () => {
    const path = addressOf('urn:x:waiting');
    const commit = await write('PUT', path, '<urn:a> <urn:p> "1" .');
    await write('PUT', path, '<urn:a> <urn:p> "2" .');
    const future = await problem(`${path}&commit=${commit + 100}`);
    assert.deepEqual([future.status, future.code], [404, 'not-found']);
    const [, waiting = ''] = /send (commit=[a-z0-9]{8}\.\d+)/.exec(future.detail!) ?? [];
    assert.match(await (await get(`${path}&${waiting.replace(/\d+$/, String(commit))}`)).text(), /"2"/);
    assert.equal((await problem(`${path}&commit=${'9'.repeat(30)}`)).status, 404);
    for (const other of [
      '/context/list?commit=1',
      '/context?commit=1',
      '/store?commit=1',
      '/ldp/?commit=1',
    ]) {
      assert.deepEqual((await problem(other)).status, 400, other);
    }
    assert.equal((await problem(`${path}&commit=x`)).code, 'bad-query');
  });

  it('is read by the client library', async () => {
    const { graphs, changes } = new PathpoolClient(server.url);
    await graphs.put('urn:x:client', '<urn:a> <urn:p> "1" .');
    const position = await changes.position();
    await graphs.put('urn:x:client', '<urn:a> <urn:p> "2" .');
    const commit = Number(position.split('.')[1]);
    const response = await graphs.get('urn:x:client', { type: N_TRIPLES, commit });
    assert.equal(await response.text(), '<urn:a> <urn:p> "1" .\n');
  });

  it('of the default context always exists; one of the server never (C-5)', async () => {
    const empty = await get('/context?default&commit=0');
    assert.deepEqual([empty.status, await empty.text()], [200, '']);
    assert.equal((await problem(`${addressOf('urn:x-pathpool:system')}&commit=0`)).status, 404);
  });

  it('is reached by Accept-Datetime (C-43, C-44)', async () => {
    const path = addressOf('urn:x:dated');
    const commit = await write('PUT', path, '<urn:a> <urn:p> "1" .');
    const memento = await get(`${path}&commit=${commit}`);
    const date = memento.headers.get('memento-datetime')!;
    const original = `<${BASE}${path}>; rel="original timegate"`;
    const itself = `<${BASE}${path}&commit=${commit}>; rel="memento"; datetime="${date}"`;
    assert.equal(memento.headers.get('link'), `${original}, ${itself}`);
    assert.ok(Math.abs(Date.parse(date) - Date.now()) < 3_600_000);
    const later = new Date(Date.now() + 86_400_000).toUTCString();
    const gate = await get(path, { 'Accept-Datetime': later });
    assert.deepEqual([gate.status, gate.headers.get('vary')], [302, 'Accept-Datetime']);
    assert.equal(gate.headers.get('link'), original);
    const location = gate.headers.get('location')!.slice(BASE.length);
    assert.match(await (await get(location)).text(), /"1"/);
    const early = await get(path, { 'Accept-Datetime': 'Thu, 01 Jan 1970 00:00:00 GMT' });
    assert.equal(early.headers.get('location'), `${BASE}${path}&commit=1`);
    const wrong = await problem(path, { 'Accept-Datetime': 'yesterday' });
    assert.deepEqual([wrong.status, wrong.code], [400, 'bad-arguments']);
  });
});

describe('a graph as it was before what is kept', () => {
  const start = async (t: TestContext) => {
    const directory = await temporaryDirectory(t);
    const args = ['--data', directory, '--threads', '2', '--journal-max', '1KiB', '--changes-retention', '0'];
    return { args, directory };
  };

  it('is 410 with the oldest commit that can be read (C-41)', async (t) => {
    const { args } = await start(t);
    const first = await startServer(t, args);
    const before = callsOf(first);
    const values = new Map<number, string>();
    for (let i = 0; i < 20; i++) {
      const body = `<urn:a> <urn:p> "${i}" .`;
      values.set(await before.write('PUT', addressOf('urn:x:g'), body), body);
    }
    assert.equal(await first.end('SIGTERM'), 0);
    const { problem, triples } = callsOf(await startServer(t, args));
    const { status, code, detail, oldest } = await problem(addressOf('urn:x:g', '&commit=1'));
    assert.deepEqual([status, code], [410, 'position-gone']);
    const kept = Number(oldest!.split('.')[1]);
    assert.match(detail!, new RegExp(`The oldest commit that can be read is ${kept}\\.`));
    assert.deepEqual(await triples('urn:x:g', kept), ['', values.get(kept)!]);
    assert.equal((await problem(addressOf('urn:x:g', `&commit=${kept - 1}`))).status, 410);
  });
});
