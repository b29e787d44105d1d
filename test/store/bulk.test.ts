import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listPatchFiles } from '../../src/store/patch-file.ts';
import type { Operation, Precondition } from '../../src/store/transaction.ts';
import { SimDisk } from '../simulation/sim-disk.ts';
import { commitBig } from '../support/bulk.ts';
import { commit, contentOf, drop, maintain, merge, openOn, replace } from '../support/stores.ts';

const graph = 'urn:x:g';

function of(operation: Operation, ...preconditions: Precondition[]) {
  return { preconditions, operations: [operation] };
}

test('a big change is there, with its graph, and again after a start', async () => {
  const disk = new SimDisk({ seed: 1 });
  const store = await openOn(disk);
  await commit(store, merge(graph, '<urn:s> <urn:p> "1" .\n<urn:s> <urn:p> "2" .'));
  const result = await commitBig(store, disk, of(replace(graph, '<urn:s> <urn:p> "2" .\n_:a <urn:q> "3" .')));
  assert.deepEqual(result, {
    ok: true,
    value: { sequence: 2, outcomes: [{ existed: true, added: 1, removed: 1, size: 2 }] },
  });
  const content = contentOf(store);
  assert.deepEqual(content, ['<urn:s> <urn:p> "2" <urn:x:g> .', '_:b1Y1X0 <urn:q> "3" <urn:x:g> .']);
  assert.equal((await listPatchFiles(disk)).length, 1);
  disk.restart();
  const again = await openOn(disk);
  assert.deepEqual(contentOf(again), content);
  assert.deepEqual(again.opened().graphs, store.opened().graphs);
  assert.equal((await listPatchFiles(disk)).length, 1);
});

test('a checkpoint removes the files of the changes that it covers', async () => {
  const disk = new SimDisk({ seed: 1 });
  const store = await openOn(disk, { journalMax: 64 });
  await commitBig(store, disk, of(merge(graph, '<urn:s> <urn:p> "1" .')));
  assert.equal(await maintain(store, disk), 'checkpoint');
  assert.deepEqual(await listPatchFiles(disk), []);
  const content = contentOf(store);
  disk.restart();
  assert.deepEqual(contentOf(await openOn(disk)), content);
});

test('a drop', async () => {
  const disk = new SimDisk({ seed: 1 });
  const store = await openOn(disk);
  await commit(store, merge(graph, '<urn:s> <urn:p> "1" .\n<urn:s> <urn:p> "2" .'));
  const result = await commitBig(store, disk, of(drop(graph)));
  assert.ok(result.ok);
  assert.deepEqual(contentOf(store), []);
  assert.deepEqual(store.opened().graphs, []);
  disk.kill();
  assert.deepEqual(contentOf(await openOn(disk)), []);
});
