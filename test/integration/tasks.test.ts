import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { before, describe, it, type TestContext } from 'node:test';
import type { TaskMap } from '../../src/pool/tasks/map.ts';
import { HeldDisk } from '../support/held-disk.ts';
import { suiteScope } from '../support/scope.ts';
import { sharedServer } from '../support/shared-server.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

type Lists = Record<string, TaskMap[]>;

const START = 'http://example.org/n0';
/** Each node has links to two others; every node can be reached from every other one. */
const NODES = 3_000;
const RING = Array.from({ length: NODES }, (_, i) => {
  const [one, other] = [(i * 7 + 1) % NODES, (i * 11 + 3) % NODES];
  return `ex:n${i} ex:p ex:n${one}, ex:n${other} .`;
});
const DATA = ['@prefix ex: <http://example.org/> .', ...RING].join('\n');
const P = '(<http://example.org/p>)*';
/** Takes its budget of steps, half a minute, from any node, with few terms at a time. */
const LONG = `${P}[${P}[${P} is <http://example.org/none>]]`;
const longEvaluations = ['--evaluation-steps', '1000000000', '--evaluation-time', '300'];
/** They take so long to parse that an import is seen meanwhile, except on a busy machine. */
const IMPORTED = 200_000;
/** So often an import may be over before it is seen. */
const ATTEMPTS = 20;
/** More often than any task is asked for before it is listed, on a busy machine too. */
const POLLS = 50_000;
const turtle = { 'Content-Type': 'text/turtle' };

const timeout = 300_000;

describe('/tasks', () => {
  const server = sharedServer(['--memory', '--threads', '3', ...longEvaluations]);
  const json = async <T>(path: string) => (await (await fetch(server.url + path)).json()) as T;
  before(async () => {
    assert.equal((await put(server.url, 'urn:x:ring', DATA)).status, 201);
  });

  it('lists an evaluation, and cancels it on DELETE', { timeout }, async () => {
    const before = Date.now();
    const response = fetch(
      `${server.url}/ldpath/path?uri=${encodeURIComponent(START)}&path=${encodeURIComponent(LONG)}`,
    );
    const task = await seenTask(server.url, 'LDPath');
    assert.match(task.name, /^path \d+$/);
    assert.deepEqual([task.group, task.state, task.message], ['LDPath', 'running', 'evaluating']);
    assert.deepEqual(task.detailMessages, { uri: START, path: LONG });
    assert.ok(task.started >= before - 50 && task.started <= Date.now());
    assert.match(task.thread ?? '', /^worker-[123]$/);
    assert.deepEqual([task.client, task.user], ['127.0.0.1', null]);
    assert.match(task.request ?? '', /^GET \/ldpath\/path\?uri=/);
    assert.ok(task.elapsed >= 0 && task.elapsed <= Date.now() - before + 50);
    const byThread = await json<Lists>('/tasks/byThread');
    assert.ok(Object.values(byThread).some(([first]) => first?.id === task.id));
    const one = await json<TaskMap>(`/tasks/LDPath/${encodeURIComponent(task.name)}`);
    assert.equal(one.id, task.id);
    assert.equal(await removeTask(server.url, task), 204);
    const cancelled = await response;
    assert.equal(cancelled.status, 503);
    assert.equal(((await cancelled.json()) as { code: string }).code, 'cancelled');
    assert.equal(await removeTask(server.url, { group: 'LDPath', name: 'path 0' }), 404);
  });

  it('stores nothing of an import that is cancelled while it is parsed', { timeout }, async () => {
    const body = triples(400_000);
    for (let attempt = 0; ; attempt++) {
      assert.ok(attempt < ATTEMPTS, 'No import was seen while it was parsed.');
      const response = put(server.url, `urn:x:none${attempt}`, body);
      const task = await seenTask(server.url, 'Importer');
      const status = await removeTask(server.url, task);
      const stored = await response;
      // Otherwise it was not seen until it was stored, on a busy machine.
      if (task.message !== 'parsing' || status !== 204) continue;
      assert.equal(stored.status, 503);
      assert.equal((await fetch(`${server.url}/context?graph=urn:x:none${attempt}`)).status, 404);
      break;
    }
  });

  it('counts the steps of a task, and its times never go back', { timeout }, async () => {
    const query = new URLSearchParams({ uri: START, path: LONG });
    const aborting = new AbortController();
    const response = fetch(`${server.url}/ldpath/path?${query}`, { signal: aborting.signal });
    const first = await seenTask(server.url, 'LDPath', ({ progress }) => progress > 0);
    assert.deepEqual([first.unit, first.totalSteps], ['steps', 1_000_000_000]);
    let before = first;
    for (let i = 0; i < 50; i++) {
      const now = await seenTask(server.url, 'LDPath');
      assert.deepEqual([now.id, now.started], [before.id, before.started]);
      assert.ok(now.lastUpdate >= before.lastUpdate && now.progress >= before.progress);
      assert.ok(now.elapsed >= before.elapsed);
      before = now;
    }
    aborting.abort();
    await assert.rejects(response);
  });

  it('lists the work for followers of a program; after DELETE they read all results again (F-25, F-26)', {
    timeout,
  }, async () => {
    const program = { method: 'PUT', body: `n = ${LONG} ;` };
    assert.equal((await fetch(`${server.url}/ldpath/programs/long`, program)).status, 201);
    const changes = `${server.url}/ldpath/programs/long/changes`;
    const since = await positionOf(changes);
    assert.equal((await put(server.url, 'urn:x:more', `<${START}> <http://example.org/p> 1 .`)).status, 201);
    const lines = fetch(`${changes}?since=${since}`);
    // Between two jobs there is nothing to cancel.
    for (let status = 404; status === 404; ) {
      const task = await seenTask(server.url, 'LDPath', ({ name }) => name.startsWith('program changes'));
      assert.deepEqual(task.detailMessages, { program: 'long' });
      status = await removeTask(server.url, task);
      assert.ok(status === 204 || status === 404, String(status));
    }
    const last = JSON.parse(await (await lines).text()) as object;
    assert.deepEqual(last, { position: await positionOf(changes), resync: true });
  });

  it('lists a batch under the threads that work for it', { timeout }, async () => {
    const batch = fetch(`${server.url}/ldpath/batch`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ path: LONG, uris: [START, START] }),
    });
    const task = await seenTask(server.url, 'LDPath', ({ name }) => name.startsWith('batch'));
    assert.deepEqual([task.thread, task.unit, task.totalSteps], ['main', 'resources', 2]);
    assert.equal(task.request, 'POST /ldpath/batch');
    for (;;) {
      const byThread = (await (await fetch(`${server.url}/tasks/byThread`)).json()) as Lists;
      const worker = Object.entries(byThread).find(
        ([thread, tasks]) => thread !== 'main' && tasks[0]?.id === task.id,
      );
      if (worker) break;
    }
    assert.equal(await removeTask(server.url, task), 204);
    assert.match(await (await batch).text(), /"cancelled":true/);
  });

  it('lists an upload of RDF, and cancels it on DELETE', { timeout }, async (context) => {
    const client = await openUpload(
      context,
      server.url,
      'PUT /context?graph=urn:x:uploaded',
      'text/turtle',
      1000,
    );
    client.write('<urn:s> <urn:p>');
    const task = await seenTask(server.url, 'Content', ({ progress }) => progress > 0);
    assert.match(task.name, /^Upload \d+$/);
    assert.deepEqual(
      [task.progress, task.totalSteps, task.unit, task.message, task.request, task.client],
      [15, 1000, 'bytes', 'receiving bytes', 'PUT /context?graph=urn:x:uploaded', '127.0.0.1'],
    );
    assert.equal(await removeTask(server.url, task), 204);
    assert.match(await responseOn(client), /^HTTP\/1.1 503 .*"code":"cancelled"/s);
    assert.equal((await fetch(`${server.url}/context?graph=urn:x:uploaded`)).status, 404);
  });

  it('lists an upload of content, and cancels it on DELETE', { timeout }, async (context) => {
    const target = 'PUT /content/application/octet-stream?uri=urn:x:c';
    const client = await openUpload(context, server.url, target, 'application/octet-stream', 300_000);
    client.write(Buffer.alloc(100_000));
    const task = await seenTask(server.url, 'Content', ({ progress }) => progress === 100_000);
    assert.deepEqual([task.totalSteps, task.request], [300_000, target]);
    assert.equal(await removeTask(server.url, task), 204);
    assert.match(await responseOn(client), /^HTTP\/1.1 503 .*"code":"cancelled"/s);
    assert.equal((await fetch(`${server.url}/content?uri=urn:x:c`)).status, 404);
  });

  it('lists a download of content, and cancels it on DELETE', { timeout }, async (context) => {
    const address = `${server.url}/content/application/octet-stream?uri=urn:x:d`;
    const body = Buffer.alloc(32 * 2 ** 20);
    assert.equal((await fetch(address, { method: 'PUT', body })).status, 201);
    const client = connect(Number(new URL(server.url).port), '127.0.0.1');
    context.after(() => client.destroy());
    client.pause();
    client.write('GET /content/application/octet-stream?uri=urn:x:d HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const task = await seenTask(
      server.url,
      'Content',
      ({ name, progress }) => name.startsWith('Download') && progress > 0,
    );
    assert.deepEqual([task.totalSteps, task.unit, task.message], [body.length, 'bytes', 'sending bytes']);
    assert.ok(task.progress < body.length);
    const closed = once(client, 'close');
    assert.equal(await removeTask(server.url, task), 204);
    client.on('error', () => {}).resume();
    await closed;
    assert.ok(client.bytesRead < body.length);
  });
});

describe('/tasks of a server whose disk syncs when it is told', () => {
  const disk = new HeldDisk(suiteScope());
  const server = sharedServer(
    async (scope) => ['--data', await temporaryDirectory(scope), '--threads', '2'],
    disk.environment,
  );

  it('lists an import until it is stored', { timeout }, async () => {
    const body = triples(IMPORTED);
    for (let attempt = 0; ; attempt++) {
      assert.ok(attempt < ATTEMPTS, 'No import was seen while it was parsed.');
      const graph = `urn:x:big${attempt}`;
      const { response, parsing, storing } = await disk.holdDuring(async () => ({
        response: put(server.url, graph, body),
        parsing: await seenTask(
          server.url,
          'Importer',
          ({ progress, message }) => progress > 0 || message === 'storing triples',
        ),
        storing: await seenTask(server.url, 'Importer', ({ message }) => message === 'storing triples'),
      }));
      assert.equal((await response).status, 201);
      assert.deepEqual(await (await fetch(`${server.url}/tasks/Importer`)).json(), {});
      // Otherwise it was not seen until it was parsed, on a busy machine.
      if (parsing.message !== 'parsing') continue;
      assertParsing(parsing, graph, body.length);
      assertStoring(storing, parsing, graph);
      break;
    }
  });

  it('stores all or nothing of an import that is cancelled while it is stored', { timeout }, async () => {
    const { response, status } = await disk.holdDuring(async () => {
      const response = put(server.url, 'urn:x:late', triples(IMPORTED));
      const task = await seenTask(server.url, 'Importer', ({ message }) => message === 'storing triples');
      return { response, status: await removeTask(server.url, task) };
    });
    // 409: the journal was written in the meantime.
    assert.ok(status === 204 || status === 409, String(status));
    const stored = await response;
    const after = await fetch(`${server.url}/context?graph=urn:x:late`, { method: 'HEAD' });
    assert.deepEqual([stored.status, after.status], status === 204 ? [503, 404] : [201, 200]);
  });
});

describe('/tasks with --keep-tasks', () => {
  const server = sharedServer(['--memory', '--threads', '1', '--keep-tasks']);

  it('rejects DELETE with 405', async () => {
    const rejected = await fetch(`${server.url}/tasks/LDPath/x`, { method: 'DELETE' });
    assert.equal(rejected.status, 405);
    assert.equal(rejected.headers.get('allow'), 'GET, HEAD, OPTIONS');
  });
});

function assertParsing(task: TaskMap, graph: string, bytes: number): void {
  assert.match(task.name, /^RDF import \d+ \(Turtle\)$/);
  assert.equal(task.message, 'parsing');
  assert.equal(task.totalSteps, bytes);
  assert.equal(task.detailMessages['context'], graph);
  assert.equal(task.detailMessages['bytes'], String(bytes));
}

function assertStoring(task: TaskMap, parsing: TaskMap, graph: string): void {
  assert.deepEqual([task.id, task.name], [parsing.id, parsing.name]);
  assert.deepEqual([task.thread, task.detailMessages['triples']], ['store', String(IMPORTED)]);
  assert.deepEqual([task.unit, task.totalSteps], ['triples', IMPORTED]);
  assert.deepEqual([task.started, task.request], [parsing.started, `PUT /context?graph=${graph}`]);
  assert.ok(task.lastUpdate >= parsing.lastUpdate);
}

function put(url: string, graph: string, body: string): Promise<Response> {
  return fetch(`${url}/context?graph=${graph}`, { method: 'PUT', headers: turtle, body });
}

function triples(count: number): string {
  return Array.from({ length: count }, (_, i) => `<urn:x:s${i}> <urn:x:p> "${i}" .\n`).join('');
}

/** The first task of a group for which `holds`, as soon as there is one. */
async function seenTask(url: string, group: string, holds = (_: TaskMap) => true): Promise<TaskMap> {
  for (let poll = 0; poll < POLLS; poll++) {
    const tasks = ((await (await fetch(`${url}/tasks/${group}`)).json()) as Lists)[group];
    const task = tasks?.find(holds);
    if (task) return task;
  }
  throw new Error(`No such task of ${group} was listed.`);
}

async function removeTask(url: string, { group, name }: Pick<TaskMap, 'group' | 'name'>): Promise<number> {
  const address = `${url}/tasks/${group}/${encodeURIComponent(name)}`;
  return (await fetch(address, { method: 'DELETE' })).status;
}

/** Reads from a connection until the end of a problem. */
async function responseOn(client: Socket): Promise<string> {
  let text = '';
  for await (const chunk of client) {
    text += String(chunk);
    if (text.endsWith('}')) break;
  }
  return text;
}

/** Opens a connection, and sends the head of a request that has a body. */
async function openUpload(
  context: TestContext,
  url: string,
  request: string,
  type: string,
  length: number,
): Promise<Socket> {
  const client = connect(Number(new URL(url).port), '127.0.0.1');
  context.after(() => client.destroy());
  await once(client, 'connect');
  client.write(
    `${request} HTTP/1.1\r\nHost: localhost\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`,
  );
  return client;
}

/** Where changes go on from now. */
async function positionOf(changes: string): Promise<string> {
  return ((await (await fetch(changes)).json()) as { position: string }).position;
}
