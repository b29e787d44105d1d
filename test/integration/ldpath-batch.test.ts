import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { before, describe, it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { BASE } from '../support/server-process.ts';
import { sharedServer } from '../support/shared-server.ts';

const COUNT = 20_000;
const EX = 'http://example.org/';
/** Reaches every node of a cycle from every other one, which exceeds any time limit. */
const ENDLESS = '(ex:to)+[(ex:to)+[(ex:to)+[ex:nothing]]]';
const namespaces = { ex: EX };

const data = [
  ...Array.from({ length: COUNT }, (_, i) => `<${EX}${i}> <${EX}n> "${i} ${'x'.repeat(200)}" .`),
  ...Array.from(
    { length: 2000 },
    (_, i) => `<${EX}c${i}> <${EX}to> <${EX}c${(i + 1) % 2000}>, <${EX}c${(i * 7) % 2000}> .`,
  ),
].join('\n');

interface Line {
  readonly uri?: string;
  readonly result?: unknown;
  readonly error?: { status: number; code: string };
  readonly done?: boolean;
  readonly cancelled?: boolean;
  readonly count?: number;
  readonly errors?: number;
}

describe('POST /ldpath/batch', () => {
  const server = sharedServer(['--memory', '--threads', '2', '--evaluation-time', '1']);
  before(async () => {
    const put = await fetch(`${server.url}/context?graph=urn:x:data`, {
      method: 'PUT',
      headers: { 'Content-Type': 'text/turtle' },
      body: data,
    });
    assert.equal(put.status, 201);
  });
  const post = (body: object) =>
    fetch(`${server.url}/ldpath/batch`, { method: 'POST', body: JSON.stringify(body) });
  const linesOf = async (response: Response) => {
    const text = await response.text();
    return text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Line);
  };
  const someUris = (count: number) => Array.from({ length: count }, (_, i) => `${EX}${(i * 7919) % COUNT}`);

  it('returns a line for every start resource, in order on request', async () => {
    const uris = someUris(10_000);
    uris[5_000] = 'urn:x:nobody';
    const response = await post({ program: 'n = ex:n ;', uris, namespaces, ordered: true });
    assert.equal(response.status, 200);
    assert.match(
      response.headers.get('link')!,
      new RegExp(`^<${BASE}/tasks/LDPath/batch%20\\d+>; rel="status"$`),
    );
    const lines = await linesOf(response);
    const last = lines.pop()!;
    assert.deepEqual([last.done, last.count, last.errors], [true, 10_000, 1]);
    assert.deepEqual(
      lines.map(({ uri }) => uri),
      uris,
    );
    assert.deepEqual(lines[5_000]!.error!.code, 'resource-not-found');
    const value = `${(7919 * 77) % COUNT} ${'x'.repeat(200)}`;
    assert.deepEqual(lines[77]!.result, { n: [{ type: 'literal', value }] });
  });

  it('returns the same results in any order, equal to those of single requests', async () => {
    const body = { path: 'ex:n', uris: [...someUris(300), 'urn:x:nobody'], namespaces };
    const free = await linesOf(await post(body));
    const ordered = await linesOf(await post({ ...body, ordered: true }));
    const byUri = (lines: Line[]) => lines.slice(0, -1).toSorted((a, b) => (a.uri! < b.uri! ? -1 : 1));
    assert.deepEqual(byUri(free), byUri(ordered));
    const single = await fetch(`${server.url}/ldpath/path?path=ex:n&ns_ex=${EX}&uri=${body.uris[3]}`);
    assert.deepEqual(ordered[3]!.result, await single.json());
  });

  it('treats a missing resource as empty on request', async () => {
    const lines = await linesOf(
      await post({ path: 'ex:n', uris: ['urn:x:nobody'], namespaces, missing: 'empty' }),
    );
    assert.deepEqual(lines[0], { uri: 'urn:x:nobody', result: [] });
  });

  it('reports a start resource that exceeds the time limit in its line, and evaluates the others', async () => {
    const path = `ex:n | ${ENDLESS}`;
    const lines = linesOf(
      await post({ path, uris: [`${EX}1`, `${EX}c1`, `${EX}2`], namespaces, ordered: true }),
    );
    const single = await fetch(`${server.url}/ldpath/path?path=ex:n&ns_ex=${EX}&uri=${EX}5`);
    assert.equal(single.status, 200);
    const [first, second, third, last] = await lines;
    assert.ok(first!.result && third!.result);
    assert.ok(['time-limit', 'budget-exceeded'].includes(second!.error!.code), second!.error!.code);
    assert.equal(second!.error!.status, 504);
    assert.deepEqual([last!.done, last!.errors], [true, 1]);
  });

  it('rejects an invalid request with an ordinary error response', async () => {
    const code = async (body: object) => {
      const response = await post(body);
      return [response.status, ((await response.json()) as { code: string }).code];
    };
    assert.deepEqual(await code({ path: 'ex:n /', uris: ['urn:a'], namespaces }), [400, 'parse-error']);
    assert.deepEqual(await code({ path: 'zz:n', uris: ['urn:a'] }), [400, 'unknown-prefix']);
    const uris = Array.from({ length: 10_001 }, () => 'urn:a');
    assert.deepEqual(await code({ path: '.', uris }), [413, 'too-large']);
  });

  it('P-25: is a task with live progress, and DELETE of the task ends the response properly', async () => {
    const uris = [...someUris(400), ...Array.from({ length: 400 }, (_, i) => `${EX}c${i}`)];
    const response = await post({ path: `ex:n | ${ENDLESS}`, uris, namespaces, ordered: true });
    const target = /<(.*)>/.exec(response.headers.get('link')!)![1]!.replace(BASE, server.url);
    const lines = linesOf(response);
    let task: { name: string; group: string; progress: number; totalSteps: number };
    do task = (await (await fetch(target)).json()) as typeof task;
    while (task.progress < 400);
    assert.deepEqual([task.group, task.totalSteps], ['LDPath', 800]);
    const all = (await (await fetch(`${server.url}/tasks/LDPath?queued=true`)).json()) as {
      LDPath: unknown[];
    };
    assert.equal(all.LDPath.length, 1);
    assert.equal((await fetch(target, { method: 'DELETE' })).status, 204);
    const last = (await lines).at(-1)!;
    assert.deepEqual([last.done, last.cancelled], [false, true]);
    assert.equal(last.count, (await lines).length - 1);
    const ended = (await (await fetch(target)).json()) as { state: string; message: string };
    assert.deepEqual([ended.state, ended.message], ['ended', 'cancelled']);
    const left = (await (await fetch(`${server.url}/tasks/LDPath?queued=true`)).json()) as object;
    assert.deepEqual(left, {});
    assert.equal((await fetch(target, { method: 'DELETE' })).status, 404);
  });

  it('P-8, P-25: ends when the client closes the connection', async () => {
    const uris = Array.from({ length: 400 }, (_, i) => `${EX}c${i}`);
    const controller = new AbortController();
    const body = JSON.stringify({ path: ENDLESS, uris, namespaces });
    const response = fetch(`${server.url}/ldpath/batch`, { method: 'POST', body, signal: controller.signal });
    await untilTasks(server.url, 1);
    controller.abort();
    await assert.rejects(response.then((received) => received.text()));
    await untilTasks(server.url, 0);
  });

  it('pauses the evaluation while the client does not read', async () => {
    const uris = Array.from({ length: 10_000 }, (_, i) => `${EX}${i}`);
    const program = Array.from({ length: 20 }, (_, i) => `f${i} = ex:n ;`).join(' ');
    const stuck = request(`${server.url}/ldpath/batch`, { method: 'POST' });
    stuck.end(JSON.stringify({ program, uris, namespaces }));
    const [response] = (await once(stuck, 'response')) as [IncomingMessage];
    const target = /<(.*)>/.exec(String(response.headers['link']))![1]!.replace(BASE, server.url);
    response.pause();
    const progress = async () => ((await (await fetch(target)).json()) as { progress: number }).progress;
    let before = -1;
    let now = await progress();
    while (now !== before) {
      before = now;
      for (let i = 0; i < 50; i++) await fetch(`${server.url}/ldpath/path?path=ex:n&ns_ex=${EX}&uri=${EX}5`);
      now = await progress();
    }
    assert.ok(now < 10_000, String(now));
    let tail = '';
    response.on('data', (chunk: Buffer) => {
      tail = chunk.toString().slice(-100);
    });
    response.resume();
    await once(response, 'end');
    assert.match(tail, /\{"done":true,"count":10000,"errors":0,/);
  });
});

async function untilTasks(url: string, count: number): Promise<void> {
  for (;;) {
    const { LDPath: tasks = [] } = (await (await fetch(`${url}/tasks?queued=true`)).json()) as {
      LDPath?: unknown[];
    };
    if (tasks.length === count) return;
    await turn();
  }
}
