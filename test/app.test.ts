import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import type { App, AppParts } from '../src/app.ts';
import type { Config } from '../src/config.ts';
import { BASE, AppFixture as Fixture, freePort, NOW } from './support/app-fixture.ts';

/** Dates are sent two seconds early, see `lastModified`. */
const SENT_NOW = 'Sun, 02 Feb 2020 03:04:03 GMT';
const GRAPH = `/context?graph=${encodeURIComponent('urn:x:g')}`;
const NAME_OF_A = `/ldpath/path?uri=urn:x:a&path=${encodeURIComponent('<urn:x:name>')}`;

function put(app: App, path: string, body: string, type = 'text/turtle'): Promise<Response> {
  return fetch(app.url + path, { method: 'PUT', headers: { 'Content-Type': type }, body });
}

/** The names of `urn:x:a`. */
async function namesOf(app: App): Promise<string[]> {
  const results = (await bodyOf(app, NAME_OF_A)) as { readonly value: string }[];
  return results.map(({ value }) => value);
}

async function bodyOf(app: App, path: string): Promise<unknown> {
  const response = await fetch(app.url + path, { headers: { Accept: 'application/json' } });
  return response.json();
}

describe('a server whose disk, clock and pool are replaced', () => {
  it('stores graphs, and evaluates, serialises and lists them', async (t) => {
    const app = await new Fixture(t).start();
    assert.equal((await put(app, GRAPH, '<urn:x:a> <urn:x:name> "A" .')).status, 201);
    assert.deepEqual(await namesOf(app), ['A']);
    const graph = await fetch(app.url + GRAPH, { headers: { Accept: 'application/n-triples' } });
    assert.equal(await graph.text(), '<urn:x:a> <urn:x:name> "A" .\n');
    assert.equal(graph.headers.get('last-modified'), SENT_NOW);
    assert.deepEqual(await bodyOf(app, '/context/list'), [`${BASE}/context/default`, 'urn:x:g']);
  });

  it('dates content, and resources of the LDP space, by that clock', async (t) => {
    const app = await new Fixture(t).start();
    assert.equal((await put(app, '/content/text/plain?uri=urn:x:a', 'text', 'text/plain')).status, 201);
    assert.equal((await put(app, '/ldp/note', 'text', 'text/plain')).status, 201);
    for (const path of ['/content/text/plain?uri=urn:x:a', '/ldp/note']) {
      const response = await fetch(app.url + path);
      assert.deepEqual([await response.text(), response.headers.get('last-modified')], ['text', SENT_NOW]);
    }
  });

  it('finds its data on that disk after a power cut', async (t) => {
    const fixture = new Fixture(t);
    const first = await fixture.start();
    await put(first, GRAPH, '<urn:x:a> <urn:x:name> "A" .');
    await first.close();
    fixture.disk.restart();
    const second = await fixture.start();
    assert.deepEqual(await namesOf(second), ['A']);
  });

  it('reports that the disk failed, and goes on reading', async (t) => {
    const fixture = new Fixture(t);
    const app = await fixture.start();
    await put(app, GRAPH, '<urn:x:a> <urn:x:name> "A" .');
    fixture.disk.failNext('sync');
    const failed = await put(app, GRAPH, '<urn:x:a> <urn:x:name> "B" .');
    const problem = (await failed.json()) as { code: string };
    assert.deepEqual([failed.status, problem.code], [503, 'writes-disabled']);
    assert.deepEqual(await namesOf(app), ['A']);
  });

  it('G-150: names the commit of a write whose handler failed after it', async (t) => {
    const fixture = new Fixture(t);
    let fails = false;
    const openStore: AppParts['openStore'] = async (options) => {
      const store = await fixture.parts.openStore!(options);
      const commit = store.commit.bind(store);
      t.mock.method(store, 'commit', async (...given: Parameters<typeof commit>) => {
        const result = await commit(...given);
        if (fails) throw new Error('After the commit.');
        return result;
      });
      return store;
    };
    const app = await fixture.start({}, { openStore });
    fails = true;
    const resource = `${app.url}/resource?uri=urn:x:a`;
    const failed = await fetch(resource, { method: 'POST' });
    assert.equal(failed.status, 500);
    const headers = { 'Pathpool-Commit': failed.headers.get('pathpool-commit') ?? '' };
    const read = await fetch(resource, { headers, redirect: 'manual' });
    assert.equal(read.status, 303);
  });
});

describe('P-9: the entity tag of a result', () => {
  const tagOf = async (fixture: Fixture, config: Partial<Config> = {}) => {
    const app = await fixture.start(config);
    await put(app, GRAPH, '<urn:x:a> <urn:x:name> "A" .');
    const tag = (await fetch(app.url + NAME_OF_A)).headers.get('etag');
    await app.close();
    fixture.disk.restart();
    return tag;
  };

  it('changes with each start, since the software or the prefixes may be others', async (t) => {
    const fixture = new Fixture(t);
    const first = await tagOf(fixture, { memory: false });
    assert.ok(first !== null);
    assert.notEqual(await tagOf(fixture, { memory: false }), first);
  });
});

/** Resources with a date: the beginning of what to store in each, and its type. */
const DATED: Readonly<Record<string, readonly [start: string, type: string]>> = {
  [GRAPH]: ['<urn:x:a> <urn:x:name> ', 'text/turtle'],
  '/meta/text/turtle?uri=urn:x:m': ['<urn:x:m> <urn:x:name> ', 'text/turtle'],
  '/content/text/plain?uri=urn:x:c': ['', 'text/plain'],
  '/ldp/source': ['<> <urn:x:name> ', 'text/turtle'],
  '/ldp/binary': ['', 'text/plain'],
};

describe('G-73: Last-Modified', () => {
  const write = (app: App, path: string, value: number) => {
    const [start, type] = DATED[path]!;
    const headers = { 'Content-Type': type, ...(value > 0 && { 'If-Match': '*' }) };
    const body = start === '' ? String(value) : `${start}${value} .`;
    return fetch(app.url + path, { method: 'PUT', headers, body });
  };
  const read = async (app: App, path: string, headers: Record<string, string> = {}) => {
    const response = await fetch(app.url + path, { headers });
    await response.arrayBuffer();
    return response;
  };

  it('tells of each change, even if the clock has gone back', async (t) => {
    const fixture = new Fixture(t);
    const app = await fixture.start();
    for (const path of Object.keys(DATED)) {
      fixture.now = NOW;
      assert.ok((await write(app, path, 0)).ok, path);
      const told = (await read(app, path)).headers.get('last-modified')!;
      fixture.now = NOW - 3_600_000;
      assert.ok((await write(app, path, 1)).ok, path);
      const since = await read(app, path, { 'If-Modified-Since': told });
      assert.equal(since.status, 200, path);
      assert.ok(Date.parse(since.headers.get('last-modified')!) > Date.parse(told), path);
    }
  });

  it('is not later than Date if the clock of an earlier write was ahead', async (t) => {
    const fixture = new Fixture(t);
    const app = await fixture.start();
    fixture.now = Date.now() + 3_600_000;
    for (const path of Object.keys(DATED)) {
      assert.ok((await write(app, path, 0)).ok, path);
      for (let i = 0; i < 3; i++) {
        const { headers } = await read(app, path);
        const [date, modified] = [headers.get('date')!, headers.get('last-modified')!];
        assert.ok(Date.parse(modified) <= Date.parse(date), `${path}: ${modified}, ${date}`);
        assert.equal((await read(app, path, { 'If-Modified-Since': modified })).status, 200);
      }
    }
  });
});

describe('a start that fails', () => {
  it('opens nothing else when the store cannot be opened', async (t) => {
    const fixture = new Fixture(t);
    const openStore = () => Promise.reject(new Error('no data'));
    await assert.rejects(fixture.start({}, { openStore }), { message: 'no data' });
    assert.deepEqual(fixture.closed, []);
  });

  it('closes the listener and the store when no pool can be created', async (t) => {
    const fixture = new Fixture(t);
    const port = await freePort();
    const createPool = () => {
      throw new Error('no pool');
    };
    await assert.rejects(fixture.start({ port }, { createPool }), { message: 'no pool' });
    assert.deepEqual(fixture.closed, ['store']);
    await fixture.start({ port });
  });

  it('closes the pool, the listener and the store when a file cannot be loaded', async (t) => {
    const fixture = new Fixture(t);
    const port = await freePort();
    const load = [{ file: '/does/not/exist.ttl', graph: undefined }];
    await assert.rejects(fixture.start({ port, load }), { code: 'parse-error' });
    assert.deepEqual(fixture.closed, ['pool', 'store']);
    await fixture.start({ port });
  });

  it('rejects with its own error even if a part cannot be closed', async (t) => {
    const fixture = new Fixture(t);
    const createPool: AppParts['createPool'] = (options) => {
      const pool = fixture.parts.createPool!(options);
      t.mock.method(pool, 'close', () => Promise.reject(new Error('stuck')));
      return pool;
    };
    const load = [{ file: '/does/not/exist.ttl', graph: undefined }];
    await assert.rejects(fixture.start({ load }, { createPool }), { code: 'parse-error' });
    assert.deepEqual(fixture.closed, ['store']);
  });
});

describe('closing a server', () => {
  it('ends the requests, then closes the pool, then the store, and only once', async (t) => {
    const fixture = new Fixture(t);
    const app = await fixture.start();
    await put(app, GRAPH, '<urn:x:a> <urn:x:name> "A" .');
    let release = () => {};
    const begun = new Promise<void>((resolve) => {
      fixture.beforeEvaluation = () => {
        resolve();
        return new Promise((open) => {
          release = open;
        });
      };
    });
    const result = namesOf(app);
    await begun;
    const closing = [app.close(), app.close()];
    for (let i = 0; i < 10; i++) await turn();
    assert.deepEqual(fixture.closed, [], 'a request is running');
    release();
    assert.deepEqual(await result, ['A']);
    await Promise.all(closing);
    assert.deepEqual(fixture.closed, ['pool', 'store']);
    await app.close();
    assert.deepEqual(fixture.closed, ['pool', 'store']);
    await assert.rejects(fetch(app.url + NAME_OF_A));
  });
});
