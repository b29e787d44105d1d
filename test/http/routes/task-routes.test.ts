import assert from 'node:assert/strict';
import { test } from 'node:test';
import { taskRoutes } from '../../../src/http/routes/task-routes.ts';
import { Router } from '../../../src/http/server/router.ts';
import type { TaskMap } from '../../../src/pool/tasks/map.ts';
import { iriPatterns } from '../../../src/rdf/model/resources/iri-patterns.ts';
import { ProcessTasks } from '../../../src/services/tasks/process-tasks.ts';
import { bodyJson, fakeRequest, headerOf } from '../fake-request.ts';

const task: TaskMap = {
  id: 'a1',
  name: 'RDF import 17 (Turtle)',
  group: 'Importer',
  state: 'running',
  thread: 'worker-1',
  message: 'parsing',
  progress: 1,
  totalSteps: 0,
  unit: 'bytes',
  started: 1,
  elapsed: 1,
  request: 'PUT /context/x',
  client: '127.0.0.1',
  user: 'anna',
  lastUpdate: 2,
  eta: null,
  detailMessages: { format: 'text/turtle' },
};
const asked: [string | undefined, boolean][] = [];
const cancelled: string[] = [];
const tasks: Parameters<typeof taskRoutes>[0] = {
  byGroup: (group, queued) => {
    asked.push([group, queued]);
    return group === undefined || group === 'Importer' ? { Importer: [task] } : {};
  },
  byThread: () => ({ 'worker-1': [task] }),
  find: (group, name) => (group === task.group && name === task.name ? task : undefined),
  cancel: (group, name) => {
    cancelled.push(`${group}/${name}`);
    if (group === 'default') return 'not-possible';
    return group === task.group && name === task.name ? 'cancelled' : 'not-found';
  },
};
const feed = { follow: () => assert.fail('No test follows tasks.') };
const router = new Router(taskRoutes(tasks, { cancel: true, showCallers: true, feed }));
const ask = async (target: string, headers = {}) =>
  await router.handle(fakeRequest('GET', target, { headers }));
const remove = async (target: string) => await router.handle(fakeRequest('DELETE', target));

test('tasks are listed by group, by thread, for one group, and by name', async () => {
  assert.deepEqual(bodyJson(await ask('/tasks')), { Importer: [task] });
  assert.deepEqual(bodyJson(await ask('/tasks/byThread')), { 'worker-1': [task] });
  assert.deepEqual(bodyJson(await ask('/tasks/Importer')), { Importer: [task] });
  assert.deepEqual(bodyJson(await ask('/tasks/none')), {});
  assert.deepEqual(bodyJson(await ask('/tasks/Importer/RDF%20import%2017%20(Turtle)')), task);
});

test('G-116: with public reading only authenticated clients see the users of tasks', async () => {
  const open = new Router(taskRoutes(tasks, { cancel: true, showCallers: false, feed }));
  const hidden = { ...task, request: null, client: null, user: null };
  assert.notDeepEqual(hidden, task);
  assert.deepEqual(bodyJson(await open.handle(fakeRequest('GET', '/tasks'))), { Importer: [hidden] });
  assert.deepEqual(bodyJson(await open.handle(fakeRequest('GET', '/tasks/byThread'))), {
    'worker-1': [hidden],
  });
  const anna = Object.assign(fakeRequest('GET', '/tasks'), { user: 'anna' });
  assert.deepEqual(bodyJson(await open.handle(anna)), { Importer: [task] });
});

test('T-2: queued tasks are listed only on request', async () => {
  asked.length = 0;
  for (const target of [
    '/tasks',
    '/tasks?queued=true',
    '/tasks?queued=false',
    '/tasks?queued',
    '/tasks/a%2Fb?queued=true',
  ])
    await ask(target);
  assert.deepEqual(asked, [
    [undefined, false],
    [undefined, true],
    [undefined, false],
    [undefined, true],
    ['a/b', true],
  ]);
});

test('T-4: an unknown task is 404, a name with a broken escape 400', async () => {
  const missing = await ask('/tasks/Importer/x');
  assert.equal(missing.status, 404);
  assert.equal((bodyJson(missing) as { code: string }).code, 'task-not-found');
  assert.equal((await ask('/tasks/%zz')).status, 400);
  assert.equal((await ask('/tasks/Importer/%FF')).status, 400);
});

test('G-11: a query string that is not UTF-8 gets 400', async () => {
  for (const path of ['/tasks', '/tasks/byThread', '/tasks/Importer', '/tasks/Importer/x']) {
    assert.equal((await ask(`${path}?x=%ff`)).status, 400, path);
  }
});

test('T-1: task lists are available only as JSON, and are not cacheable', async () => {
  const response = await ask('/tasks');
  assert.equal(headerOf(response, 'content-type'), 'application/json');
  assert.equal(headerOf(response, 'cache-control'), 'no-store');
  assert.equal(headerOf(response, 'etag'), undefined);
  assert.equal((await ask('/tasks', { accept: 'text/turtle' })).status, 406);
});

test('DELETE cancels a task with 204; an unknown task gets 404, and an internal one 409', async () => {
  const response = await remove('/tasks/Importer/RDF%20import%2017%20(Turtle)');
  assert.equal(response.status, 204);
  assert.equal(cancelled.at(-1), 'Importer/RDF import 17 (Turtle)');
  const missing = await remove('/tasks/Importer/x');
  assert.equal(missing.status, 404);
  assert.equal((bodyJson(missing) as { code: string }).code, 'task-not-found');
  const own = await remove('/tasks/default/checkpoint%201');
  assert.equal(own.status, 409);
  assert.equal((bodyJson(own) as { code: string }).code, 'server-managed');
  assert.equal((await remove('/tasks/Importer/%FF')).status, 400);
});

test('G-75: a task has no entity tag, so If-Match of its DELETE can match only with *', async () => {
  const target = '/tasks/Importer/RDF%20import%2017%20(Turtle)';
  const send = (value: string) =>
    router.handle(fakeRequest('DELETE', target, { headers: { 'If-Match': value } }));
  const before = cancelled.length;
  assert.equal((await send('"a"')).status, 412);
  assert.equal(cancelled.length, before);
  assert.equal((await send('*')).status, 204);
});

test('the deletion of tasks can be disabled', async () => {
  const fixed = new Router(taskRoutes(tasks, { cancel: false, showCallers: true, feed }));
  const response = await fixed.handle(fakeRequest('DELETE', '/tasks/Importer/x'));
  assert.equal(response.status, 405);
  assert.equal(headerOf(response, 'allow'), 'GET, HEAD, OPTIONS');
});

const ofCluster: NonNullable<Parameters<typeof taskRoutes>[1]['others']> = {
  isAsked: (request) => request.header('pathpool-peer') !== undefined,
  gather: () =>
    Promise.resolve({
      lists: [{ Importer: [{ id: 'h2.1', user: 'anna' }], LDPath: [{ id: 'h2.2', user: 'otto' }] }],
      unreachable: ['h3'],
    }),
  execute: (request, process) =>
    process === 'h2' ? Promise.resolve({ status: 204, headers: [], body: request.target }) : undefined,
};
const inCluster = new Router(
  taskRoutes(new ProcessTasks(tasks, 'h1'), { cancel: true, showCallers: false, feed, others: ofCluster }),
);
const named = { ...task, id: 'h1.a1', name: 'RDF import 17 (Turtle)@h1', thread: 'h1/worker-1' };

test('T-30: tasks of a cluster have the name of their process', async () => {
  const headers = { 'pathpool-peer': 'secret' };
  const list = await inCluster.handle(fakeRequest('GET', '/tasks', { headers }));
  assert.deepEqual(bodyJson(list), { Importer: [named] });
  const byThread = await inCluster.handle(fakeRequest('GET', '/tasks/byThread', { headers }));
  assert.deepEqual(bodyJson(byThread), { 'h1/worker-1': [named] });
  const one = await inCluster.handle(
    fakeRequest('DELETE', '/tasks/Importer/RDF%20import%2017%20(Turtle)@h1'),
  );
  assert.equal(one.status, 204);
});

test('T-31: lists have the tasks of all processes, and name those that did not answer', async () => {
  const anna = Object.assign(fakeRequest('GET', '/tasks'), { user: 'anna' });
  const response = await inCluster.handle(anna);
  assert.deepEqual(bodyJson(response), {
    Importer: [named, { id: 'h2.1', user: 'anna' }],
    LDPath: [{ id: 'h2.2', user: 'otto' }],
  });
  assert.equal(headerOf(response, 'Pathpool-Unreachable'), 'h3');
});

/** Whose credentials may not read all graphs. */
function restricted(method: string, target: string, user: string | undefined) {
  const none = iriPatterns([]);
  return Object.assign(fakeRequest(method, target), { user, access: { read: none, write: none } });
}

test('G-164: a client that may not read all graphs sees and cancels only tasks of its own', async () => {
  const target = '/tasks/Importer/RDF%20import%2017%20(Turtle)';
  const send = (method: string, path: string, user: string | undefined) =>
    router.handle(restricted(method, path, user));
  for (const path of ['/tasks', '/tasks/Importer', '/tasks/byThread']) {
    assert.deepEqual(Object.keys(bodyJson(await send('GET', path, 'anna')) as object).length, 1, path);
    for (const user of ['otto', undefined])
      assert.deepEqual(bodyJson(await send('GET', path, user)), {}, path);
  }
  assert.equal((await send('GET', target, 'anna')).status, 200);
  const before = cancelled.length;
  const missing = await send('GET', '/tasks/Importer/none', 'otto');
  for (const method of ['GET', 'DELETE']) {
    const hidden = await send(method, target, 'otto');
    assert.equal(hidden.status, 404);
    assert.deepEqual(Object.keys(bodyJson(hidden) as object), Object.keys(bodyJson(missing) as object));
  }
  assert.equal(cancelled.length, before);
  assert.equal((await send('DELETE', target, 'anna')).status, 204);
  assert.equal((await send('GET', '/tasks/events', 'anna')).status, 403);
});

test('G-164: of the tasks of a cluster, such a client sees its own', async () => {
  const anna = await inCluster.handle(restricted('GET', '/tasks', 'anna'));
  assert.deepEqual(bodyJson(anna), { Importer: [named, { id: 'h2.1', user: 'anna' }] });
});

test('G-116: a task that another process asks for hides its caller, as its client sees it', async () => {
  const headers = { 'pathpool-peer': 'secret' };
  const target = '/tasks/Importer/RDF%20import%2017%20(Turtle)@h1';
  const hidden = await inCluster.handle(fakeRequest('GET', target, { headers }));
  assert.deepEqual(bodyJson(hidden), { ...named, request: null, client: null, user: null });
  const anna = Object.assign(fakeRequest('GET', target, { headers }), { user: 'anna' });
  assert.deepEqual(bodyJson(await inCluster.handle(anna)), named);
});

test('T-32: requests for the task of another process are forwarded to it', async () => {
  const send = (method: string, target: string) => inCluster.handle(fakeRequest(method, target));
  assert.equal((await send('DELETE', '/tasks/Importer/x@h2')).status, 204);
  assert.equal((await send('GET', '/tasks/Importer/x@h2')).status, 204);
  assert.equal((await send('GET', '/tasks/Importer/x@h9')).status, 404);
  const headers = { 'pathpool-peer': 'secret' };
  const again = await inCluster.handle(fakeRequest('DELETE', '/tasks/Importer/x@h2', { headers }));
  assert.equal(again.status, 404);
});
