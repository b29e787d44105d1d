import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { TaskMap } from '../../src/pool/task-map.ts';
import { startServer } from '../support/server-process.ts';

type Lists = Record<string, TaskMap[]>;

const START = 'http://example.org/start';
const HANG = 'fn:replace(<http://example.org/text>, "(a+)+$", "x")';
const turtle = { 'Content-Type': 'text/turtle' };

test('tasks that run long are listed as what they are, and can be cancelled', {
  timeout: 60_000,
}, async (t) => {
  const { url } = await startServer(t, ['--memory', '--threads', '3']);
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
  await put('urn:x:small', `<${START}> <http://example.org/text> "${'a'.repeat(40)}b" .`);

  await t.test('an evaluation', async () => {
    const before = Date.now();
    const answer = fetch(
      `${url}/ldpath/path?uri=${encodeURIComponent(START)}&path=${encodeURIComponent(HANG)}`,
    );
    const task = await seen('LDPath');
    assert.match(task.name, /^path \d+$/);
    assert.deepEqual([task.group, task.state, task.message], ['LDPath', 'running', 'evaluating']);
    assert.deepEqual(task.detailMessages, { uri: START, path: HANG });
    assert.ok(task.started >= before - 50 && task.started <= Date.now());
    assert.match(task.thread ?? '', /^worker-[123]$/);
    const byThread = await json<Lists>('/tasks/byThread');
    assert.equal(byThread[task.thread ?? '']?.[0]?.id, task.id);
    const one = await json<TaskMap>(`/tasks/LDPath/${encodeURIComponent(task.name)}`);
    assert.equal(one.id, task.id);
    assert.equal(await remove('LDPath', task.name), 204);
    assert.equal(await remove('LDPath', task.name), 204, 'while its thread is being stopped');
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
    assert.equal(await remove('Importer', storing.name), 409);
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

test('with --keep-tasks tasks can only be looked at', async (t) => {
  const { url } = await startServer(t, ['--memory', '--threads', '1', '--keep-tasks']);
  const refused = await fetch(`${url}/tasks/LDPath/x`, { method: 'DELETE' });
  assert.equal(refused.status, 405);
  assert.equal(refused.headers.get('allow'), 'GET, HEAD, OPTIONS');
});
