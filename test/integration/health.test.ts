/** The routes of monitors, under each fault that can be provoked (http-api 6.6). */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { hashPassword } from '../../src/http/middleware/password.ts';
import { AppFixture, freePort } from '../support/app-fixture.ts';
import { metricsOf } from '../support/metrics.ts';
import { rawRequest, verdictOf } from '../support/raw-request.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { tested } from '../support/tested-front.ts';

const GRAPH = `/context?graph=${encodeURIComponent('urn:x:g')}`;
const EVALUATION = `/ldpath/path?uri=urn:x:a&path=${encodeURIComponent('<urn:x:name>')}`;

/** The status of `/health/ready`, and its reasons. */
async function readiness(url: string): Promise<[status: number, ...reasons: string[]]> {
  const { status, text, headers } = await rawRequest(`${url}/health/ready`, 'GET', { Host: 'pod-7' });
  const { reasons } = JSON.parse(text) as { reasons: { reason: string }[] };
  assert.equal(headers['retry-after'] !== undefined, status === 503);
  return [status, ...reasons.map(({ reason }) => reason)];
}

async function statusOf(url: string, path: string): Promise<number> {
  return (await rawRequest(url + path, 'GET', { Host: 'pod-7' })).status;
}

async function put(url: string, body: string): Promise<string> {
  return verdictOf(await rawRequest(url + GRAPH, 'PUT', { 'Content-Type': 'text/turtle' }, body));
}

async function settled(): Promise<void> {
  for (let i = 0; i < 50; i++) await turn();
}

describe('G-95, T-11, T-12: a server that loads its data', () => {
  it('is live and not ready, and rejects all other requests for now', async (t) => {
    const fixture = new AppFixture(t);
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    let open = () => {};
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const openStore: typeof fixture.parts.openStore = async (options) => {
      await opened;
      return fixture.parts.openStore!(options);
    };
    const starting = fixture.start({ port }, { openStore });
    t.after(async () => {
      open();
      await (await starting).close();
    });
    // The listener begins in a later turn.
    let loading: Awaited<ReturnType<typeof rawRequest>> | undefined;
    while (!loading) loading = await rawRequest(`${url}/context/list`, 'GET').catch(() => undefined);
    assert.equal(verdictOf(loading), '503 loading');
    assert.equal(loading.headers['retry-after'], '5');
    for (const path of ['/healthy', '/ping-pong', '/metrics-of/x']) {
      assert.equal(verdictOf(await rawRequest(url + path, 'GET')), '503 loading', path);
    }
    assert.equal(await statusOf(url, '/health/live'), 200);
    assert.deepEqual(await readiness(url), [503, 'loading']);
    assert.equal(verdictOf(await rawRequest(`${url}/ping`, 'GET')), '503 loading');
    open();
    await starting;
    assert.deepEqual(await readiness(url), [200]);
    assert.equal(await statusOf(url, '/ping'), 200);
  });

  it('loads until the files of --load are stored', async (t) => {
    const fixture = new AppFixture(t);
    const port = await freePort();
    const seen: unknown[] = [];
    const createPool: typeof fixture.parts.createPool = (options) => {
      const pool = fixture.parts.createPool!(options);
      const parse = pool.parse.bind(pool);
      t.mock.method(pool, 'parse', async (...job: Parameters<typeof parse>) => {
        seen.push(await readiness(`http://127.0.0.1:${port}`));
        return parse(...job);
      });
      return pool;
    };
    const file = join(await temporaryDirectory(t), 'a.ttl');
    await writeFile(file, '<urn:x:a> <urn:x:name> "A" .');
    const { url } = await fixture.start({ port, load: [{ file, graph: undefined }] }, { createPool });
    assert.deepEqual(seen, [[503, 'loading']]);
    assert.deepEqual(await readiness(url), [200]);
  });
});

describe('T-12: a server whose writes are off', () => {
  it('is not ready when the journal failed, and goes on reading', async (t) => {
    const fixture = new AppFixture(t);
    const { url } = await fixture.start({ memory: false });
    assert.equal(await put(url, '<urn:x:a> <urn:x:name> "A" .'), '201');
    assert.deepEqual(await readiness(url), [200]);
    fixture.disk.failNext('sync');
    assert.equal(await put(url, '<urn:x:a> <urn:x:name> "B" .'), '503 writes-disabled');
    assert.deepEqual(await readiness(url), [503, 'writes-off']);
    for (const path of ['/health/live', '/ping']) assert.equal(await statusOf(url, path), 200);
    assert.equal((await fetch(url + EVALUATION)).status, 200);
  });

  it('is not ready when the disk is full', async (t) => {
    const fixture = new AppFixture(t);
    const { url } = await fixture.start({ memory: false });
    await put(url, '<urn:x:a> <urn:x:name> "A" .');
    fixture.disk.capacity = fixture.disk.used;
    assert.equal(await put(url, '<urn:x:a> <urn:x:name> "B" .'), '507 store-full');
    const response = await fetch(`${url}/health/ready`);
    const { status, reasons } = (await response.json()) as { status: string; reasons: unknown };
    const detail = 'Writes are off until a restart, because the disk is full. Reads go on.';
    assert.deepEqual([status, reasons], ['not-ready', [{ reason: 'writes-off', detail }]]);
  });
});

describe('T-12: a server that shuts down', () => {
  it('is live and not ready as long as requests run', async (t) => {
    const fixture = new AppFixture(t);
    const app = await fixture.start();
    await put(app.url, '<urn:x:a> <urn:x:name> "A" .');
    let release = () => {};
    const begun = new Promise<void>((resolve) => {
      fixture.beforeEvaluation = () => {
        resolve();
        return new Promise((open) => {
          release = open;
        });
      };
    });
    const result = fetch(app.url + EVALUATION);
    await begun;
    const closed = app.close();
    await settled();
    assert.deepEqual(await readiness(app.url), [503, 'shutting-down']);
    assert.equal(await statusOf(app.url, '/health/live'), 200);
    const list = await rawRequest(`${app.url}/context/list`, 'GET');
    assert.equal(verdictOf(list), '503 shutting-down');
    assert.equal(verdictOf(await rawRequest(`${app.url}/ping`, 'GET')), '503 shutting-down');
    assert.equal((await fetch(`${app.url}/health`)).status, 200);
    const metrics = await metricsOf(app.url);
    assert.equal(metrics.get('pathpool_hindrance{reason="shutting-down"}'), 1);
    // Their rules of access hold (T-10, T-15).
    for (const path of ['/health', '/metrics']) assert.equal(await statusOf(app.url, path), 421);
    release();
    assert.equal((await result).status, 200);
    await closed;
  });
});

describe('G-122: with credentials, and under an unknown host name', () => {
  it('the routes of monitors are open, and /health is not', async (t) => {
    const credential = [`read reader ${await hashPassword('secret')}`];
    const { url } = await new AppFixture(t).start({ credential });
    for (const path of ['/health/live', '/health/ready', '/ping'])
      assert.equal(await statusOf(url, path), 200);
    for (const path of ['/health', '/health/']) assert.equal(await statusOf(url, path), 401);
    const headers = { Authorization: `Bearer reader.secret` };
    const health = await fetch(`${url}/health`, { headers });
    const { version, ...state } = (await health.json()) as Record<string, unknown>;
    assert.match(String(version), /^\d+\.\d+\.\d+/);
    assert.deepEqual(
      { ...state, uptime: typeof state['uptime'] },
      {
        status: 'ready',
        reasons: [],
        damaged: { count: 0, digests: [] },
        node: process.version,
        front: tested.front,
        uptime: 'number',
      },
    );
  });

  it('without credentials, /health needs a known host name', async (t) => {
    const { url } = await new AppFixture(t).start();
    for (const path of ['/health', '/health/']) assert.equal(await statusOf(url, path), 421);
    assert.equal(await statusOf(url, '/health/ready'), 200);
    assert.equal(await statusOf(url, '/ping'), 200);
  });
});

describe('T-14: the paths of orchestrators', () => {
  it('ignore Accept and the query', async (t) => {
    const { url } = await new AppFixture(t).start();
    for (const path of ['/health/live', '/health/ready']) {
      const response = await fetch(`${url}${path}?%`, { headers: { Accept: 'text/html' } });
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('content-type'), 'application/json');
      assert.equal(response.headers.get('cache-control'), 'no-store');
    }
  });
});

describe('T-13: /ping', () => {
  it('answers pong, or what it is to echo, as JSON and as text', async (t) => {
    const { url } = await new AppFixture(t).start();
    const ping = async (query: string, accept: string) => {
      const response = await fetch(`${url}/ping${query}`, { headers: { Accept: accept } });
      return [response.headers.get('content-type'), await response.text()];
    };
    assert.deepEqual(await ping('', '*/*'), ['application/json', '{"message":"pong"}']);
    assert.deepEqual(await ping('?echo=a%20%22b%22', 'application/json'), [
      'application/json',
      '{"message":"a \\"b\\""}',
    ]);
    assert.deepEqual(await ping('?extended=2', 'text/plain'), [
      'text/plain; charset=utf-8',
      'Message: pong\n',
    ]);
    const html = await fetch(`${url}/ping`, { headers: { Accept: 'text/html' } });
    assert.equal(html.status, 406);
  });
});
