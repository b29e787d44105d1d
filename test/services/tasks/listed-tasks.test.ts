import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Result } from '../../../src/errors.ts';
import { ImportTasks, newImport } from '../../../src/services/tasks/import-tasks.ts';
import { TaskService } from '../../../src/services/tasks/listed-tasks.ts';
import { type Transfer, TransferTasks } from '../../../src/services/tasks/transfer-tasks.ts';
import type { PendingCommit } from '../../../src/store/main/client.ts';
import type { TransactionResult } from '../../../src/store/main/transaction.ts';
import { fakePool, importInfo, parseRequest } from '../../pool/fixtures/fake-pool.ts';
import { fakeCaller } from '../../support/callers.ts';

const payload = { body: new Uint8Array(7), mediaType: 'text/turtle', baseIri: 'urn:x:g' };

/** A commit that ends on request. `control` determines its replies until then. */
function fakeCommit() {
  const control = { planned: 0, cancellable: true };
  let end = (_: Result<TransactionResult>) => {};
  const commit: PendingCommit = {
    result: new Promise((resolve) => {
      end = resolve;
    }),
    planned: () => control.planned,
    cancel: () => control.cancellable,
  };
  return { commit, control, end: () => end({ ok: true, value: { sequence: 1, outcomes: [] } }) };
}

function shown(imports: ImportTasks) {
  return Array.from(imports.liveTasks(), (task) => task.show());
}

test('an import keeps its id, name and start from the pool to the store, and ends with the commit', async (t) => {
  const { pool, gates } = fakePool(t, 1);
  const imports = new ImportTasks();
  const tasks = new TaskService(pool, imports);
  const gate = gates.add();
  const task = newImport('urn:x:g', payload, fakeCaller());
  const parse = pool.parse(parseRequest(`hold ${gate}`), task.info, task.caller);
  await gates.entered(gate);
  const [parsing] = tasks.byGroup('Importer', false)['Importer'] ?? [];
  assert.equal(parsing?.thread, 'worker-1');
  gates.open(gate);
  await parse;
  assert.equal(tasks.find('Importer', parsing.name), undefined);

  const { commit, end } = fakeCommit();
  const during = imports.during(task, 5, commit);
  const stored = tasks.find('Importer', parsing.name);
  assert.deepEqual(
    [stored?.id, stored?.started, stored?.message],
    [parsing.id, parsing.started, 'storing triples'],
  );
  assert.ok(stored && stored.lastUpdate >= parsing.lastUpdate);
  assert.deepEqual([stored.unit, stored.totalSteps, stored.detailMessages['triples']], ['triples', 5, '5']);
  assert.deepEqual([stored.request, stored.client], ['GET /', '127.0.0.1']);
  assert.deepEqual(Object.keys(tasks.byThread()), ['store']);
  end();
  await during;
  assert.deepEqual(Object.keys(tasks.byGroup(undefined, true)), []);
});

test('an import in the store shows its plan, and can be cancelled until it is written', () => {
  const imports = new ImportTasks();
  const { commit, control } = fakeCommit();
  const task = newImport('urn:x:g', payload, fakeCaller());
  void imports.during(task, 10, commit);
  const [before] = shown(imports);
  control.planned = 4;
  const [after] = shown(imports);
  assert.deepEqual([before?.progress, after?.progress], [0, 4]);
  assert.ok(before && after && after.lastUpdate >= before.lastUpdate);
  assert.equal(imports.cancel('Importer', after.name), true);
  control.cancellable = false;
  assert.equal(imports.cancel('Importer', after.name), false);
  assert.equal(imports.cancel('Importer', 'RDF import 0'), undefined);
});

test('a failed commit ends the task', async () => {
  const imports = new ImportTasks();
  const commit = { ...fakeCommit().commit, result: Promise.reject(new Error('no')) };
  await assert.rejects(imports.during(newImport('urn:x:g', payload, fakeCaller()), 5, commit), /no/);
  assert.deepEqual(shown(imports), []);
});

test('running tasks are cancelled by name, except maintenance', async (t) => {
  const { pool, gates } = fakePool(t, 2);
  const tasks = new TaskService(pool, new ImportTasks());
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

test('a transfer is listed with its bytes, its client and its request until it ends', (t) => {
  const { pool } = fakePool(t, 1);
  const transfers = new TransferTasks();
  const tasks = new TaskService(pool, transfers);
  let cancelled = false;
  const transfer = {
    direction: 'Upload',
    caller: { ...fakeCaller(), requestLine: 'PUT /content/x', user: 'anna' },
    message: 'receiving',
    bytes: 10,
    total: 100,
    cancel: () => {
      cancelled = true;
      return true;
    },
  } satisfies Transfer;
  transfers.add(transfer);
  const [first] = tasks.byGroup('Content', false)['Content'] ?? [];
  assert.match(first?.name ?? '', /^Upload \d+$/);
  assert.deepEqual(
    [first?.progress, first?.totalSteps, first?.unit, first?.message, first?.thread],
    [10, 100, 'bytes', 'receiving', 'main'],
  );
  assert.deepEqual([first?.request, first?.client, first?.user], ['PUT /content/x', '127.0.0.1', 'anna']);
  transfer.bytes = 60;
  const second = tasks.find('Content', first?.name ?? '');
  assert.equal(second?.progress, 60);
  assert.equal(second?.started, first?.started);
  assert.ok(second && first && second.lastUpdate >= first.lastUpdate);
  assert.equal(tasks.cancel('Content', second.name), 'cancelled');
  assert.ok(cancelled);
  transfers.delete(transfer);
  assert.deepEqual(Object.keys(tasks.byGroup(undefined, true)), []);
});
