import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newIdentity, taskName } from '../../src/pool/task-map.ts';
import { StoringTasks } from '../../src/services/storing-tasks.ts';
import { TaskService } from '../../src/services/tasks.ts';
import { fakePool, importInfo, parseRequest } from '../pool/fixtures/fake-pool.ts';

test('an import keeps its id and name from the pool to the store, and ends with the commit', async (t) => {
  const { pool, gates } = fakePool(t, 1);
  const storing = new StoringTasks();
  const tasks = new TaskService(pool, storing);
  const gate = gates.add();
  const info = { ...importInfo, identity: newIdentity() };
  const name = taskName(info, info.identity.sequence);

  const parse = pool.parse(parseRequest(`hold ${gate}`), info);
  await gates.entered(gate);
  const parsing = tasks.find('Importer', name);
  assert.equal(parsing?.id, info.identity.id);
  assert.equal(parsing.thread, 'worker-1');
  gates.open(gate);
  await parse;
  assert.equal(tasks.find('Importer', name), undefined);

  let commit = () => {};
  const committed = new Promise<void>((resolve) => {
    commit = resolve;
  });
  const during = storing.during(info, 1, 5, committed);
  const [stored] = tasks.byGroup('Importer', false)['Importer'] ?? [];
  assert.equal(stored?.id, info.identity.id);
  assert.equal(stored.name, name);
  assert.equal(stored.message, 'storing triples');
  assert.equal(stored.detailMessages['triples'], '5');
  assert.deepEqual(Object.keys(tasks.byThread()), ['store']);
  assert.equal(tasks.cancel('Importer', name), 'not-possible');
  commit();
  await during;
  assert.deepEqual(Object.keys(tasks.byGroup(undefined, true)), []);
});

test('a failed commit ends the task too', async () => {
  const storing = new StoringTasks();
  const info = { ...importInfo, identity: newIdentity() };
  await assert.rejects(storing.during(info, 1, 5, Promise.reject(new Error('no'))), /no/);
  assert.deepEqual([...storing], []);
});

test('running tasks are cancelled by their name, maintenance is not', async (t) => {
  const { pool, gates } = fakePool(t, 2);
  const tasks = new TaskService(pool, new StoringTasks());
  const gate = gates.add();
  const parse = pool.parse(parseRequest(`wait ${gate}`), importInfo);
  const checkpoint = pool.parse(parseRequest(`hold ${gate}`), { ...importInfo, group: 'default' });
  await gates.entered(gate);
  const named = (group: string) => tasks.byGroup(group, true)[group]?.[0]?.name ?? '';
  assert.equal(tasks.cancel('default', named('default')), 'not-possible');
  assert.equal(tasks.cancel('Importer', 'RDF import 0'), 'not-found');
  assert.equal(tasks.cancel('Importer', named('Importer')), 'cancelled');
  const result = await parse;
  assert.equal(!result.ok && result.error.code, 'cancelled');
  gates.open(gate);
  assert.ok((await checkpoint).ok);
});
