import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ending } from '../../support/ending.ts';
import { evaluation, fakePool, importInfo, parseRequest } from '../fixtures/fake-pool.ts';

/** Enough jobs that a quadratic algorithm would not finish. */
const WAITING = 400_000;

test('the list shows the task of each thread, with its progress', async (t) => {
  const { pool, gates } = fakePool(t, 2);
  const gate = gates.add();
  const before = Date.now();
  const parse = pool.parse(parseRequest(`hold ${gate}`), importInfo);
  await gates.entered(gate, 1);
  const evaluate = pool.evaluate(evaluation(`hold ${gate}`));
  await gates.entered(gate, 2);
  const [first, second] = pool.tasks(false);
  assert.match(first!.name, /^RDF import \d+ \(Turtle\)$/);
  assert.equal(first!.group, 'Importer');
  assert.equal(first!.state, 'running');
  assert.equal(first!.thread, 'worker-1');
  assert.deepEqual([first!.progress, first!.totalSteps], [25, 100]);
  assert.ok(first!.started >= before - 5 && first!.started <= first!.lastUpdate + 5);
  assert.ok(first!.eta !== null && first!.eta >= first!.started);
  assert.deepEqual(first!.detailMessages, importInfo.detail);
  assert.match(second!.name, /^path \d+$/);
  assert.deepEqual([second!.group, second!.thread, second!.eta], ['LDPath', 'worker-2', null]);
  assert.equal(second!.detailMessages['uri'], 'http://example.org/a');
  gates.open(gate);
  await Promise.all([parse, evaluate]);
  assert.deepEqual(pool.tasks(true), []);
});

test('only one evaluation of a micro-batch is shown as running, and task ids stay the same', async (t) => {
  const { pool, gates } = fakePool(t, 1);
  const first = gates.add();
  const second = gates.add();
  const holding = pool.evaluate(evaluation(`hold ${first}`));
  await gates.entered(first);
  const microBatch = ['echo', `hold ${second}`, 'echo'].map((source) => pool.evaluate(evaluation(source)));
  const queued = pool.tasks(true).filter((task) => task.state === 'queued');
  assert.equal(queued.length, 3);
  assert.ok(queued.every((task) => task.thread === null));
  gates.open(first);
  await gates.entered(second);
  const running = pool.tasks(false);
  assert.deepEqual(
    running.map((task) => task.id),
    [queued[1]!.id],
  );
  assert.equal(pool.tasks(true).at(-1)!.id, queued[2]!.id);
  gates.open(second);
  await Promise.all([holding, ...microBatch]);
});

test('T-42: a live task knows how it ended when it is listed no more', async (t) => {
  const { pool, gates } = fakePool(t, 2);
  const gate = gates.add();
  const done = pool.evaluate(evaluation(`hold ${gate}`));
  await gates.entered(gate, 1);
  const cancelled = pool.parse(parseRequest(`hold ${gate}`), importInfo);
  await gates.entered(gate, 2);
  const live = [...pool.liveTasks(true)];
  const outcomes = () => live.map((task) => [task.group, task.isRunning, task.outcome()]);
  assert.deepEqual(outcomes(), [
    ['LDPath', true, undefined],
    ['Importer', true, undefined],
  ]);
  assert.ok(pool.cancelTask('Importer', live[1]!.show().name));
  gates.open(gate);
  await Promise.all([done, cancelled]);
  assert.deepEqual(outcomes(), [
    ['LDPath', true, 'done'],
    ['Importer', true, 'cancelled'],
  ]);
  assert.deepEqual(
    [...pool.begun],
    [
      ['LDPath', 1],
      ['Importer', 1],
    ],
  );
});

test('T-43: threads show the task that they run, and how long they had work of each kind', async (t) => {
  const { pool, gates } = fakePool(t, 2);
  const gate = gates.add();
  const parse = pool.parse(parseRequest(`hold ${gate}`), importInfo);
  await gates.entered(gate);
  const [busy, idle] = pool.readThreads();
  const [task] = pool.tasks(false);
  assert.deepEqual(busy?.task, { id: task!.id, name: task!.name, group: 'Importer' });
  assert.deepEqual([busy.thread, Object.keys(busy.work), busy.jobs], ['worker-1', ['parsing'], 0]);
  assert.ok(busy.busyMs > 0);
  assert.deepEqual(idle, { thread: 'worker-2', task: null, busyMs: 0, work: {}, jobs: 0 });
  gates.open(gate);
  await parse;
  const [after] = pool.readThreads();
  assert.deepEqual([after?.task, after?.jobs], [null, 1]);
  assert.ok(after!.busyMs >= busy.busyMs);
});

test('listing waiting tasks takes time proportional to their number', async (t) => {
  const depths = { ldpath: WAITING, parse: 1, serialize: 1, maintenance: 1 };
  const { pool, gates } = fakePool(t, 1, { depths });
  const gate = gates.add();
  const holding = pool.evaluate(evaluation(`hold ${gate}`));
  await gates.entered(gate);
  const waiting = Array.from({ length: WAITING }, () => pool.evaluate(evaluation('echo')));
  const listed = ending(() => pool.tasks(true));
  assert.equal(listed.length, 1 + WAITING);
  gates.open(gate);
  await Promise.all([holding, ...waiting]);
});
