import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { TaskMap } from '../../src/pool/tasks/map.ts';
import { startServer } from '../support/server-process.ts';

type Lists = Record<string, TaskMap[]>;

const START = 'http://example.org/n0';
/** From each node two links to others; all nodes can be reached from all others. */
const NODES = 3_000;
const RING = Array.from({ length: NODES }, (_, i) => {
  const [one, other] = [(i * 7 + 1) % NODES, (i * 11 + 3) % NODES];
  return `ex:n${i} ex:p ex:n${one}, ex:n${other} .`;
});
const DATA = ['@prefix ex: <http://example.org/> .', ...RING].join('\n');
const P = '(<http://example.org/p>)*';
/** Takes minutes from any node, and uses few terms at a time. */
const LONG = `${P} / ${P} / ${P}`;
const longEvaluations = ['--evaluation-steps', '1000000000', '--evaluation-time', '300'];
const turtle = { 'Content-Type': 'text/turtle' };

test('tasks that run long are listed as what they are, and can be cancelled', {
  timeout: 60_000,
}, async (t) => {
  const { url } = await startServer(t, ['--memory', '--threads', '3', ...longEvaluations]);
  const json = async <T>(path: string) => (await (await fetch(url + path)).json()) as T;
  const remove = async (group: string, name: string) =>
    (await fetch(`${url}/tasks/${group}/${encodeURIComponent(name)}`, { method: 'DELETE' })).status;
  /** The first task of a group for which `holds`, as soon as there is one. */
  const seen = async (group: string, holds = (_: TaskMap) => true): Promise<TaskMap> => {
    for (;;) {
      const task = (await json<Lists>(`/tasks/${group}`))[group]?.find(holds);
      if (task) return task;
    }
  };
  const put = (graph: string, body: string) =>
    fetch(`${url}/context?graph=${graph}`, { method: 'PUT', headers: turtle, body });
  await put('urn:x:small', DATA);

  await t.test('an evaluation', async () => {
    const before = Date.now();
    const answer = fetch(
      `${url}/ldpath/path?uri=${encodeURIComponent(START)}&path=${encodeURIComponent(LONG)}`,
    );
    const task = await seen('LDPath');
    assert.match(task.name, /^path \d+$/);
    assert.deepEqual([task.group, task.state, task.message], ['LDPath', 'running', 'evaluating']);
    assert.deepEqual(task.detailMessages, { uri: START, path: LONG });
    assert.ok(task.started >= before - 50 && task.started <= Date.now());
    assert.match(task.thread ?? '', /^worker-[123]$/);
    assert.deepEqual([task.client, task.user], ['127.0.0.1', null]);
    assert.match(task.request ?? '', /^GET \/ldpath\/path\?uri=/);
    assert.ok(task.elapsed >= 0 && task.elapsed < 60_000);
    const byThread = await json<Lists>('/tasks/byThread');
    assert.ok(Object.values(byThread).some(([first]) => first?.id === task.id));
    const one = await json<TaskMap>(`/tasks/LDPath/${encodeURIComponent(task.name)}`);
    assert.equal(one.id, task.id);
    assert.equal(await remove('LDPath', task.name), 204);
    const cancelled = await answer;
    assert.equal(cancelled.status, 503);
    assert.equal(((await cancelled.json()) as { code: string }).code, 'cancelled');
    assert.equal(await remove('LDPath', 'path 0'), 404);
  });

  await t.test('an import, from its first byte until it is stored', async () => {
    const triples = 200_000;
    const body = Array.from({ length: triples }, (_, i) => `<urn:x:s${i}> <urn:x:p> "${i}" .\n`).join('');
    const answer = put('urn:x:big', body);
    const parsing = await seen('Importer', ({ progress }) => progress > 0);
    assert.match(parsing.name, /^RDF import \d+ \(Turtle\)$/);
    assert.equal(parsing.message, 'parsing');
    assert.equal(parsing.totalSteps, body.length);
    assert.equal(parsing.detailMessages['context'], 'urn:x:big');
    assert.equal(parsing.detailMessages['bytes'], String(body.length));
    const storing = await seen('Importer', ({ message }) => message === 'storing triples');
    assert.deepEqual([storing.id, storing.name], [parsing.id, parsing.name]);
    assert.deepEqual([storing.thread, storing.detailMessages['triples']], ['store', String(triples)]);
    assert.deepEqual([storing.unit, storing.totalSteps], ['triples', triples]);
    assert.deepEqual([storing.started, storing.request], [parsing.started, 'PUT /context?graph=urn:x:big']);
    assert.ok(storing.lastUpdate >= parsing.lastUpdate);
    assert.equal((await answer).status, 201);
    assert.deepEqual(await json('/tasks/Importer'), {});
  });

  await t.test('an import that is cancelled while it is parsed stores nothing', async () => {
    const body = Array.from({ length: 400_000 }, (_, i) => `<urn:x:s${i}> <urn:x:q> "${i}" .\n`).join('');
    const answer = put('urn:x:none', body);
    const { name } = await seen('Importer');
    assert.equal(await remove('Importer', name), 204);
    assert.equal((await answer).status, 503);
    assert.equal((await fetch(`${url}/context?graph=urn:x:none`)).status, 404);
  });
});

test('an import that is cancelled while it is stored stores nothing', { timeout: 60_000 }, async (t) => {
  const { url } = await startServer(t, ['--memory', '--threads', '2']);
  const body = Array.from({ length: 500_000 }, (_, i) => `<urn:x:s${i}> <urn:x:q> "${i}" .\n`).join('');
  const answer = fetch(`${url}/context?graph=urn:x:late`, { method: 'PUT', headers: turtle, body });
  const task = await seenTask(url, 'Importer', ({ message }) => message === 'storing triples');
  const address = `${url}/tasks/Importer/${encodeURIComponent(task.name)}`;
  const { status } = await fetch(address, { method: 'DELETE' });
  // 409: the journal has been written meanwhile.
  assert.ok(status === 204 || status === 409, String(status));
  const stored = await answer;
  const after = await fetch(`${url}/context?graph=urn:x:late`, { method: 'HEAD' });
  assert.deepEqual([stored.status, after.status], status === 204 ? [503, 404] : [201, 200]);
});

test('the times of a task never change or go back, and its steps are counted', {
  timeout: 60_000,
}, async (t) => {
  const { url } = await startServer(t, ['--memory', '--threads', '1', ...longEvaluations]);
  await fetch(`${url}/context?graph=urn:x:g`, { method: 'PUT', headers: turtle, body: DATA });
  const query = new URLSearchParams({ uri: START, path: LONG });
  const aborting = new AbortController();
  const answer = fetch(`${url}/ldpath/path?${query}`, { signal: aborting.signal });
  const first = await seenTask(url, 'LDPath', ({ progress }) => progress > 0);
  assert.deepEqual([first.unit, first.totalSteps], ['steps', 1_000_000_000]);
  let before = first;
  for (let i = 0; i < 50; i++) {
    const now = await seenTask(url, 'LDPath');
    assert.deepEqual([now.id, now.started], [before.id, before.started]);
    assert.ok(now.lastUpdate >= before.lastUpdate && now.progress >= before.progress);
    assert.ok(now.elapsed >= before.elapsed);
    before = now;
  }
  aborting.abort();
  await assert.rejects(answer);
});

test('a batch is listed under the threads that work for it', { timeout: 60_000 }, async (t) => {
  const { url } = await startServer(t, ['--memory', '--threads', '2', ...longEvaluations]);
  await fetch(`${url}/context?graph=urn:x:g`, { method: 'PUT', headers: turtle, body: DATA });
  const batch = fetch(`${url}/ldpath/batch`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ path: LONG, uris: [START, START] }),
  });
  const task = await seenTask(url, 'LDPath', ({ name }) => name.startsWith('batch'));
  assert.deepEqual([task.thread, task.unit, task.totalSteps], ['main', 'resources', 2]);
  assert.equal(task.request, 'POST /ldpath/batch');
  for (;;) {
    const byThread = (await (await fetch(`${url}/tasks/byThread`)).json()) as Lists;
    const worker = Object.entries(byThread).find(
      ([thread, tasks]) => thread !== 'main' && tasks[0]?.id === task.id,
    );
    if (worker) break;
  }
  assert.equal(await removeTask(url, task), 204);
  assert.match(await (await batch).text(), /"cancelled":true/);
});

test('bodies are listed from their first byte and while they are sent, and are cancelled', {
  timeout: 60_000,
}, async (t) => {
  const { url } = await startServer(t, ['--memory', '--threads', '1']);
  const port = Number(new URL(url).port);

  await t.test('an upload of RDF', async (t) => {
    const client = await openUpload(t, port, 'PUT /context?graph=urn:x:g', 'text/turtle', 1000);
    client.write('<urn:s> <urn:p>');
    const task = await seenTask(url, 'Content', ({ progress }) => progress > 0);
    assert.match(task.name, /^Upload \d+$/);
    assert.deepEqual(
      [task.progress, task.totalSteps, task.unit, task.message, task.request, task.client],
      [15, 1000, 'bytes', 'receiving bytes', 'PUT /context?graph=urn:x:g', '127.0.0.1'],
    );
    assert.equal(await removeTask(url, task), 204);
    assert.match(await replyOn(client), /^HTTP\/1.1 503 .*"code":"cancelled"/s);
    assert.equal((await fetch(`${url}/context?graph=urn:x:g`)).status, 404);
  });

  await t.test('an upload of content', async (t) => {
    const target = 'PUT /content/application/octet-stream?uri=urn:x:c';
    const client = await openUpload(t, port, target, 'application/octet-stream', 300_000);
    client.write(Buffer.alloc(100_000));
    const task = await seenTask(url, 'Content', ({ progress }) => progress === 100_000);
    assert.deepEqual([task.totalSteps, task.request], [300_000, target]);
    assert.equal(await removeTask(url, task), 204);
    assert.match(await replyOn(client), /^HTTP\/1.1 503 .*"code":"cancelled"/s);
    assert.equal((await fetch(`${url}/content?uri=urn:x:c`)).status, 404);
  });

  await t.test('a download of content', async (t) => {
    const address = `${url}/content/application/octet-stream?uri=urn:x:d`;
    const body = Buffer.alloc(32 * 2 ** 20);
    assert.equal((await fetch(address, { method: 'PUT', body })).status, 201);
    const client = connect(port, '127.0.0.1');
    t.after(() => client.destroy());
    client.pause();
    client.write('GET /content/application/octet-stream?uri=urn:x:d HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const task = await seenTask(
      url,
      'Content',
      ({ name, progress }) => name.startsWith('Download') && progress > 0,
    );
    assert.deepEqual([task.totalSteps, task.unit, task.message], [body.length, 'bytes', 'sending bytes']);
    assert.ok(task.progress < body.length);
    const closed = once(client, 'close');
    assert.equal(await removeTask(url, task), 204);
    client.on('error', () => {}).resume();
    await closed;
    assert.ok(client.bytesRead < body.length);
  });
});

/** The first task of a group for which `holds`, as soon as there is one. */
async function seenTask(url: string, group: string, holds = (_: TaskMap) => true): Promise<TaskMap> {
  for (;;) {
    const tasks = ((await (await fetch(`${url}/tasks/${group}`)).json()) as Lists)[group];
    const task = tasks?.find(holds);
    if (task) return task;
  }
}

async function removeTask(url: string, { group, name }: TaskMap): Promise<number> {
  const address = `${url}/tasks/${group}/${encodeURIComponent(name)}`;
  return (await fetch(address, { method: 'DELETE' })).status;
}

/** What comes on a connection until the end of a problem. */
async function replyOn(client: Socket): Promise<string> {
  let text = '';
  for await (const chunk of client) {
    text += String(chunk);
    if (text.endsWith('}')) break;
  }
  return text;
}

/** A connection on which the head of a request with a body has been sent. */
async function openUpload(
  t: TestContext,
  port: number,
  request: string,
  type: string,
  length: number,
): Promise<Socket> {
  const client = connect(port, '127.0.0.1');
  t.after(() => client.destroy());
  await once(client, 'connect');
  client.write(
    `${request} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`,
  );
  return client;
}

test('with --keep-tasks tasks can only be looked at', async (t) => {
  const { url } = await startServer(t, ['--memory', '--threads', '1', '--keep-tasks']);
  const refused = await fetch(`${url}/tasks/LDPath/x`, { method: 'DELETE' });
  assert.equal(refused.status, 405);
  assert.equal(refused.headers.get('allow'), 'GET, HEAD, OPTIONS');
});
