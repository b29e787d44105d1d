import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { taskRoutes } from '../../../src/http/routes/task-routes.ts';
import type { BodyStream } from '../../../src/http/server/message.ts';
import { Router } from '../../../src/http/server/router.ts';
import { TaskStream } from '../../../src/services/tasks/live-feed.ts';
import { fakeState, fakeTask, fakeThread } from '../../services/tasks/fake-states.ts';
import { fakeRequest, headerOf } from '../fake-request.ts';

const unused = () => assert.fail('No test lists tasks.');
const noTasks = { byGroup: unused, byThread: unused, find: unused, cancel: unused };
const accept = { Accept: 'text/event-stream' };
const task = fakeTask('a');
const threads = [
  fakeThread('main'),
  fakeThread('worker-1', { task: { id: 'a', name: 'path a', group: 'LDPath' } }),
];
const groups = new Map([
  ['LDPath', { begun: 4, ended: 3, running: 1, queued: 0 }],
  ['Exporter', { begun: 9, ended: 9, running: 0, queued: 0 }],
]);

function setUp(showCallers = true) {
  const streams: TaskStream[] = [];
  let stopped = 0;
  const follow = async () => {
    const stream = new TaskStream(fakeState(1000, [task], { threads, groups }), () => stopped++);
    streams.push(stream);
    return { ok: true, value: stream } as const;
  };
  const router = new Router(taskRoutes(noTasks, { cancel: true, showCallers, feed: { follow } }));
  const send = async (headers: Record<string, string>, user?: string) =>
    router.handle(Object.assign(fakeRequest('GET', '/tasks/events', { headers }), { user }));
  const open = async (user?: string) => {
    const response = await send(accept, user);
    const body = (response.body as BodyStream)[Symbol.asyncIterator]();
    const next = async () => Buffer.from((await body.next()).value ?? '').toString();
    return { response, body, next, stream: streams.at(-1)! };
  };
  return { send, open, stopped: () => stopped };
}

function dataOf(event: string): Record<string, unknown> {
  return JSON.parse(/^data: (.*)$/m.exec(event)![1]!) as Record<string, unknown>;
}

test('T-40: the first event has all tasks by group, the groups with tasks, and all threads', async () => {
  const { response, next } = await setUp().open();
  assert.equal(headerOf(response, 'content-type'), 'text/event-stream');
  assert.match(headerOf(response, 'cache-control') ?? '', /no-store, no-transform/);
  const event = await next();
  assert.match(event, /^retry: 1000\nevent: state\ndata: .*\n\n$/);
  assert.deepEqual(dataOf(event), {
    time: 1000,
    tasks: { LDPath: [task] },
    unlisted: 0,
    groups: { LDPath: { running: 1, queued: 0 } },
    threads: threads.map(({ thread, task: current }) => ({ thread, task: current })),
  });
});

test('T-42: the next events have changes, and there is none while nothing happens', async () => {
  const { next, stream } = await setUp().open();
  await next();
  const first = next();
  stream.offer(fakeState(1250, [{ ...task, elapsed: 250 }], { threads, groups }));
  await new Promise(setImmediate);
  stream.offer(fakeState(1500, [{ ...task, progress: 5 }], { threads, groups }));
  const event = await first;
  assert.match(event, /^event: change\n/);
  const { since, time, changed } = dataOf(event);
  assert.deepEqual([since, time, changed], [1250, 1500, [{ id: 'a', progress: 5 }]]);
});

test('G-116: with public reading only authenticated clients see the callers', async () => {
  const { open } = setUp(false);
  for (const [user, client] of [
    [undefined, null],
    ['anna', '127.0.0.1'],
  ] as const) {
    const { next, stream } = await open(user);
    const { tasks } = dataOf(await next()) as { tasks: { LDPath: [{ client: unknown }] } };
    assert.equal(tasks.LDPath[0].client, client);
    stream.offer(fakeState(1250, [task, fakeTask('b')], { threads, groups }));
    const { appeared } = dataOf(await next()) as { appeared: [{ client: unknown; request: unknown }] };
    assert.equal(appeared[0].client, client);
  }
});

test('T-44: after 15 seconds without an event there is a comment', async (t: TestContext) => {
  let now = 0;
  t.mock.method(performance, 'now', () => now);
  const { next, stream } = await setUp().open();
  await next();
  const waiting = next();
  stream.offer(fakeState(1250, [task], { threads, groups }));
  await new Promise(setImmediate);
  now = 15_000;
  stream.offer(fakeState(1500, [task], { threads, groups }));
  assert.equal(await waiting, ':\n\n');
});

test('6.10: clients that do not ask for events get 406, and take no place', async () => {
  const { send, stopped } = setUp();
  const response = await send({ Accept: 'application/json' });
  assert.deepEqual([response.status, stopped()], [406, 0]);
});

test('a client that leaves frees its place, also one that never read', async () => {
  const { open, stopped } = setUp();
  const { body, next } = await open();
  await next();
  await body.return?.();
  assert.equal(stopped(), 1);
  await (await open()).body.return?.();
  assert.equal(stopped(), 2);
});
