/** The metrics of a server, also under the faults that can be provoked (docs/monitoring.md). */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PoolOptions } from '../../src/pool/pool.ts';
import { AppFixture, freePort } from '../support/app-fixture.ts';
import { metricsOf } from '../support/metrics.ts';
import { rawRequest, verdictOf } from '../support/raw-request.ts';

const GRAPH = `/context?graph=${encodeURIComponent('urn:x:g')}`;

function evaluationOf(path: string): string {
  return `/ldpath/path?uri=urn:x:a&path=${encodeURIComponent(path)}`;
}

async function put(url: string, name: string): Promise<number> {
  const body = `<urn:x:a> <urn:x:name> "${name}" .`;
  return (await rawRequest(url + GRAPH, 'PUT', { 'Content-Type': 'text/turtle' }, body)).status;
}

describe('T-15: metrics', () => {
  it('count requests by route, method and status, and never by what clients choose', async (t) => {
    const { url } = await new AppFixture(t).start();
    await put(url, 'A');
    for (const path of ['/secret-1', '/secret-2/x']) await rawRequest(url + path, 'GET');
    await rawRequest(`${url}/resource/secret-3`, 'GET');
    // node:http passes on only the one that it knows.
    for (const method of ['SECRET', 'PROPFIND']) await rawRequest(`${url}/context`, method);
    await rawRequest(`${url}/context/list`, 'GET', { Host: 'secret-4.example' });
    const text = await (await fetch(`${url}/metrics`)).text();
    const expected = [
      'route="/context",method="PUT",status="201"',
      'route="unknown",method="GET",status="404"} 2',
      'route="/resource/{rest}",method="GET",status="404"} 1',
      'route="/context",method="other",status="501"} ',
      'route="rejected",method="GET",status="421"} 1',
    ];
    for (const labels of expected) assert.ok(text.includes(`pathpool_http_requests_total{${labels}`), labels);
    assert.match(text, /^pathpool_http_request_duration_seconds_count\{route="unknown",method="GET"\} 2$/m);
    assert.match(text, /^pathpool_http_problems_total\{code="misdirected"\} 1$/m);
    assert.match(text, /^pathpool_http_requests_running 1$/m);
    assert.doesNotMatch(text, /secret|propfind/i);
  });

  it('count evaluations with their steps, commits and the data', async (t) => {
    const { url } = await new AppFixture(t).start({ memory: false });
    const before = await metricsOf(url);
    await put(url, 'A');
    for (let i = 0; i < 3; i++) assert.equal((await fetch(url + evaluationOf('<urn:x:name>'))).status, 200);
    const uris = JSON.stringify({ path: '<urn:x:name>', uris: ['urn:x:a', 'urn:x:a'] });
    const headers = { 'Content-Type': 'application/json' };
    const batch = await fetch(`${url}/ldpath/batch`, { method: 'POST', headers, body: uris });
    assert.equal(batch.status, 200);
    await batch.text();
    const after = await metricsOf(url);
    const more = (name: string) => after.get(`pathpool_${name}`)! - before.get(`pathpool_${name}`)!;
    assert.equal(more('ldpath_evaluations_total'), 5);
    assert.ok(more('ldpath_steps_total') >= 5);
    assert.deepEqual([more('journal_commits_total'), more('journal_sync_seconds_count')], [1, 1]);
    assert.ok(more('journal_written_bytes_total') > 0 && more('journal_bytes') > 0);
    assert.deepEqual([more('snapshot_graphs'), more('snapshot_commit')], [1, 1]);
    assert.ok(more('snapshot_quads') >= 1);
    const finished = [...after].filter(([name]) => name.includes('jobs_finished_total{queue="ldpath'));
    assert.ok(finished.reduce((sum, [, count]) => sum + count, 0) >= 4);
    assert.equal(after.get('pathpool_threads{pool="worker",state="idle"}'), 2);
  });

  it('are OpenMetrics for clients that prefer it, with the same names in both formats', async (t) => {
    const { url } = await new AppFixture(t).start();
    const ask = async (accept: string) => {
      const response = await fetch(`${url}/metrics`, { headers: { Accept: accept } });
      return {
        status: response.status,
        type: response.headers.get('content-type'),
        text: await response.text(),
      };
    };
    const prometheus =
      'application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3,*/*;q=0.1';
    const open = await ask(prometheus);
    assert.equal(open.type, 'application/openmetrics-text; version=1.0.0; charset=utf-8');
    assert.ok(open.text.endsWith('# EOF\n'));
    assert.match(open.text, /^# TYPE pathpool_http_requests counter$/m);
    const plain = await ask('*/*');
    assert.equal(plain.type, 'text/plain; version=0.0.4; charset=utf-8');
    assert.match(plain.text, /^# TYPE pathpool_http_requests_total counter$/m);
    assert.match(plain.text, /^pathpool_http_requests_total\{/m);
    assert.equal((await ask('image/png')).status, 406);
  });

  it('are off with --metrics off', async (t) => {
    const { url } = await new AppFixture(t).start({ metrics: 'off' });
    assert.equal((await fetch(`${url}/metrics`)).status, 404);
    assert.equal((await fetch(`${url}/health/ready`)).status, 200);
  });

  it('need a known host name', async (t) => {
    const { url } = await new AppFixture(t).start();
    assert.equal(verdictOf(await rawRequest(`${url}/metrics`, 'GET', { Host: 'pod-7' })), '421 misdirected');
  });
});

describe('T-15: metrics of a server with a fault', () => {
  const hindrance = (reason: string) => `pathpool_hindrance{reason="${reason}"}`;

  it('tell that it is loading', async (t) => {
    const fixture = new AppFixture(t);
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const seen: (number | undefined)[] = [];
    const openStore: typeof fixture.parts.openStore = async (options) => {
      seen.push((await metricsOf(url)).get(hindrance('loading')));
      return fixture.parts.openStore!(options);
    };
    await fixture.start({ port }, { openStore });
    seen.push((await metricsOf(url)).get(hindrance('loading')));
    assert.deepEqual(seen, [1, 0]);
  });

  it('tell that writes are off, and count those that were rejected', async (t) => {
    const fixture = new AppFixture(t);
    const { url } = await fixture.start({ memory: false });
    await put(url, 'A');
    const { size } = await metricsOf(url);
    fixture.disk.failNext('sync');
    assert.deepEqual([await put(url, 'B'), await put(url, 'C')], [503, 503]);
    const metrics = await metricsOf(url);
    assert.equal(metrics.get(hindrance('writes-off')), 1);
    assert.equal(metrics.get('pathpool_http_problems_total{code="writes-disabled"}'), 2);
    assert.equal(metrics.get('pathpool_http_requests_total{route="/context",method="PUT",status="503"}'), 2);
    assert.equal(metrics.get('pathpool_transactions_waiting'), 0);
    assert.ok(metrics.size > size);
  });

  it('tell that the disk is full', async (t) => {
    const fixture = new AppFixture(t);
    const { url } = await fixture.start({ memory: false });
    await put(url, 'A');
    fixture.disk.capacity = fixture.disk.used;
    assert.equal(await put(url, 'B'), 507);
    const metrics = await metricsOf(url);
    assert.equal(metrics.get(hindrance('writes-off')), 1);
    assert.equal(metrics.get('pathpool_http_problems_total{code="store-full"}'), 1);
    assert.equal((await fetch(url + evaluationOf('<urn:x:name>'))).status, 200);
  });

  it('count threads that were lost, and tell that no thread is left', async (t) => {
    const fixture = new AppFixture(t);
    let pool: PoolOptions | undefined;
    const createPool: typeof fixture.parts.createPool = (options) => {
      pool = options;
      return fixture.parts.createPool!(options);
    };
    const { url } = await fixture.start({}, { createPool });
    const heap = 'pathpool_thread_kills_total{pool="worker",reason="heap"}';
    assert.equal((await metricsOf(url)).get(heap), 0);
    const caller = { task: undefined, client: undefined, user: undefined };
    pool!.onKill!({ thread: 'worker-1', reason: 'heap', duration: 1, ...caller });
    pool!.onInternalError!(new Error('no memory'), 0);
    const metrics = await metricsOf(url);
    assert.equal(metrics.get(heap), 1);
    assert.equal(metrics.get('pathpool_thread_failures_total{pool="worker"}'), 1);
    assert.equal(metrics.get(hindrance('no-threads')), 1);
    assert.equal((await fetch(`${url}/health/ready`)).status, 503);
  });
});
