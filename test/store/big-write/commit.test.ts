import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { backup } from '../../../src/cli/backup.ts';
import { check } from '../../../src/cli/check.ts';
import { inspect } from '../../../src/cli/inspect.ts';
import { openNodeDisk } from '../../../src/journal/disk/node-disk.ts';
import { openJournal } from '../../../src/journal/journal.ts';
import type { GraphPrecondition, Operation } from '../../../src/store/main/transaction.ts';
import { listPatchFiles } from '../../../src/store/patch/file.ts';
import { readData } from '../../../src/store/recovery/load-data.ts';
import { SimDisk } from '../../simulation/sim-disk.ts';
import { BigStore } from '../../support/big-store.ts';
import { commitBig } from '../../support/big-write.ts';
import {
  commit,
  contentOf,
  contentOn,
  drop,
  maintain,
  merge,
  openOn,
  replace,
} from '../../support/stores.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const graph = 'urn:x:g';

function of(operation: Operation, ...preconditions: GraphPrecondition[]) {
  return { preconditions, operations: [operation] };
}

test('a big write stores its quads and graph, also after a restart', async () => {
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

test('a checkpoint removes the patch files of the big writes that it covers', async () => {
  const disk = new SimDisk({ seed: 1 });
  const store = await openOn(disk, { journalMax: 64 });
  await commitBig(store, disk, of(merge(graph, '<urn:s> <urn:p> "1" .')));
  assert.equal(await maintain(store, disk), 'checkpoint');
  assert.deepEqual(await listPatchFiles(disk), []);
  const content = contentOf(store);
  disk.restart();
  assert.deepEqual(contentOf(await openOn(disk)), content);
});

test('a big drop removes the graph', async () => {
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

test('a failed precondition and a protected graph are reported before any work', async () => {
  const disk = new SimDisk({ seed: 1 });
  const store = await openOn(disk);
  const fails = { before: () => assert.fail('nothing is to be worked out') };
  const failed = await commitBig(store, disk, of(drop(graph), { graph, match: '*' }), fails);
  assert.equal(!failed.ok && failed.error.code, 'precondition-failed');
  const managed = await commitBig(store, disk, of(drop('urn:x-pathpool:system')), fails);
  assert.equal(!managed.ok && managed.error.code, 'server-managed');
});

test('a big write that fails at its end leaves no file', async () => {
  const disk = new SimDisk({ seed: 1 });
  const store = await openOn(disk);
  const before = async () => {
    // Another graph than the one that changes, so that the changes stay valid.
    await commit(store, merge('urn:x:other', '<urn:s> <urn:p> "1" .'));
  };
  const transaction = of(merge(graph, '<urn:s> <urn:p> "1" .'), {
    graph: 'urn:x:other',
    noneMatch: '*',
  });
  const failed = await commitBig(store, disk, transaction, { before });
  assert.equal(!failed.ok && failed.error.code, 'precondition-failed');
  assert.deepEqual(await listPatchFiles(disk), []);
  assert.equal(store.failure, undefined);
});

test('a full disk rejects a big write, which leaves no file, and writes continue', async () => {
  const disk = new SimDisk({ seed: 1 });
  const store = await openOn(disk);
  const before = ({ kind }: { kind: string }) => {
    if (kind === 'build-changes') disk.failNext('append', 'ENOSPC');
  };
  const failed = await commitBig(store, disk, of(merge(graph, '<urn:s> <urn:p> "1" .')), { before });
  assert.equal(!failed.ok && failed.error.code, 'store-full');
  assert.deepEqual(await listPatchFiles(disk), []);
  await commit(store, merge(graph, '<urn:s> <urn:p> "2" .'));
  assert.equal(contentOf(store).length, 1);
});

test('a big write beyond the available memory leaves --data-max and the journal unchanged', async () => {
  const disk = new SimDisk({ seed: 1 });
  const store = await openOn(disk, { dataMax: 60_000 });
  const rows = Array.from({ length: 3000 }, (_, i) => `<urn:s${i}> <urn:p> "${i}" .`);
  const failed = await commitBig(store, disk, of(merge(graph, rows.join('\n'))));
  assert.equal(!failed.ok && failed.error.code, 'store-full');
  assert.deepEqual(contentOf(store), []);
  assert.deepEqual(await listPatchFiles(disk), []);
});

test('a big write is computed again after a concurrent change of its graph', async () => {
  const store = await BigStore.open(null);
  let changes = 0;
  let works = 0;
  store.before = async ({ kind }) => {
    works++;
    if (kind !== 'build-changes' || changes === 2) return;
    changes++;
    const operations = [merge(graph, `<urn:other> <urn:p> "${changes}" .`), merge(graph, '')];
    assert.ok((await store.commit({ preconditions: [], operations })).ok);
  };
  const result = await store.commit(of(replace(graph, '<urn:s> <urn:p> "mine" .')));
  assert.deepEqual(result.ok && result.value, {
    sequence: 3,
    outcomes: [{ existed: true, added: 1, removed: 2, size: 1 }],
  });
  assert.equal(works, 6);
  assert.equal(store.reader.quadCount, 1);
  await store.close();
});

test('a big write that repeatedly loses races makes other writes of its graph wait, and only those', async () => {
  const store = await BigStore.open(null);
  const others: Promise<boolean>[] = [];
  const elsewhere: Promise<boolean>[] = [];
  let builds = 0;
  const add = async (name: string, value: number) => {
    const operations = [merge(name, `<urn:other> <urn:p> "${value}" .`), merge(name, '')];
    return (await store.commit({ preconditions: [], operations })).ok;
  };
  let answered = false;
  store.before = async ({ kind }) => {
    if (kind !== 'build-changes') return;
    builds++;
    others.push(add(graph, builds).then((ok) => ok && (answered || builds < 4)));
    elsewhere.push(add('urn:x:elsewhere', builds).then((ok) => ok && !answered));
    await elsewhere.at(-1);
  };
  const result = await store.commit(of(replace(graph, '<urn:s> <urn:p> "mine" .')));
  answered = true;
  assert.ok(result.ok);
  assert.equal(builds, 4);
  assert.deepEqual(await Promise.all(elsewhere), [true, true, true, true]);
  assert.deepEqual(await Promise.all(others), [true, true, true, true]);
  assert.equal(store.graphs.get(graph)?.size, 2);
  await store.close();
});

test('two big writes of one graph both succeed, and one of another graph does not wait for them', async () => {
  const store = await BigStore.open(null);
  const results = await Promise.all([
    store.commit(of(merge(graph, '<urn:s> <urn:p> "1" .'))),
    store.commit(of(merge(graph, '<urn:s> <urn:p> "2" .'))),
    store.commit(of(merge('urn:x:h', '<urn:s> <urn:p> "3" .'))),
  ]);
  assert.ok(results.every(({ ok }) => ok));
  assert.equal(store.reader.quadCount, 3);
  await store.close();
});

for (const step of ['plan-changes', 'build-changes'] as const) {
  test(`a big write that is cancelled before ${step} leaves nothing`, async (context) => {
    const directory = await temporaryDirectory(context);
    const store = await BigStore.open(directory);
    store.before = ({ kind }) => kind === step && store.board.cancel(1);
    const result = await store.commit(of(merge(graph, '<urn:s> <urn:p> "1" .')));
    assert.equal(!result.ok && result.error.code, 'cancelled');
    assert.equal(store.reader.quadCount, 0);
    assert.deepEqual(await listPatchFiles(await openNodeDisk(directory)), []);
    assert.ok((await store.commit(of(merge(graph, '<urn:s> <urn:p> "2" .')))).ok);
    await store.close();
  });
}

test('progress counts scanned triples, and a written change cannot be cancelled', async () => {
  const store = await BigStore.open(null);
  const rows = Array.from({ length: 20_000 }, (_, i) => `<urn:s${i}> <urn:p> "${i}" .`);
  const seen: number[] = [];
  store.before = () => seen.push(store.board.planned(1));
  assert.ok((await store.commit(of(merge(graph, rows.join('\n'))))).ok);
  assert.deepEqual(seen, [0, 16_384]);
  assert.equal(store.board.cancel(1), false);
  await store.close();
});

test('closing rejects big writes in progress, and loses nothing else', async (context) => {
  const directory = await temporaryDirectory(context);
  const store = await BigStore.open(directory);
  assert.ok((await store.commit(of(merge(graph, '<urn:s> <urn:p> "1" .')))).ok);
  let closed: Promise<void> | undefined;
  store.before = () => {
    closed = store.close();
    return closed;
  };
  const result = await store.commit(of(merge(graph, '<urn:s> <urn:p> "2" .')));
  assert.equal(!result.ok && result.error.code, 'shutting-down');
  await closed;
  const again = await openOn(await openNodeDisk(directory));
  assert.equal(contentOf(again).length, 1);
  await again.close();
});

/** A directory with one big change after a small one, closed. */
async function directoryWithPatch(directory: string): Promise<string> {
  const disk = await openNodeDisk(directory);
  const store = await openOn(disk);
  await commit(store, merge(graph, '<urn:s> <urn:p> "1" .'));
  assert.ok((await commitBig(store, disk, of(merge(graph, '<urn:s> <urn:p> "2" .')))).ok);
  await store.close();
  const [name] = await listPatchFiles(disk);
  return name!;
}

test('a start with a missing or damaged patch file fails with its name, and changes nothing', async (context) => {
  const directory = await temporaryDirectory(context);
  const name = await directoryWithPatch(directory);
  const path = join(directory, name);
  const bytes = await readFile(path);
  for (let at = 0; at < bytes.length; at++) {
    const flipped = Buffer.from(bytes);
    flipped[at]! ^= 1 << (at % 8);
    await writeFile(path, flipped);
    await assert.rejects(
      readData(await openNodeDisk(directory), assert.fail),
      (error: Error & { code?: string }) => {
        assert.equal(error.code, 'data-damaged');
        assert.match(
          error.message,
          new RegExp(`^Record 2 of the journal can't be applied: ${name}, .* does not match`),
        );
        return true;
      },
    );
  }
  await writeFile(path, bytes.subarray(0, -1));
  await assert.rejects(readData(await openNodeDisk(directory), assert.fail), { code: 'data-damaged' });
  await rm(path);
  await assert.rejects(
    openOn(await openNodeDisk(directory)),
    /is missing. Nothing was changed; restore a backup/,
  );
  const { damaged, lines } = await check(directory);
  assert.ok(damaged && lines.some((line) => line.includes(name)), lines.join('\n'));
  await writeFile(path, bytes);
  assert.equal((await contentOn(await openNodeDisk(directory))).length, 2);
});

test('patch files that no record names are reported by check, and removed by the next start', async (context) => {
  const directory = await temporaryDirectory(context);
  const name = await directoryWithPatch(directory);
  const stray = 'patch-000000000001-0000000000000000.rdfp';
  await writeFile(join(directory, stray), 'TX .\n');
  const { damaged, lines } = await check(directory);
  assert.equal(damaged, false);
  assert.ok(lines.includes(`${stray}: left by an interrupted write; the next start removes it`));
  const disk = await openNodeDisk(directory);
  await (await openOn(disk)).close();
  assert.deepEqual(await listPatchFiles(disk), [name]);
});

test('a recovery that moves a record aside keeps the patch file that it names', async (context) => {
  const directory = await temporaryDirectory(context);
  const name = await directoryWithPatch(directory);
  const patch = await readFile(join(directory, name));
  const journal = join(directory, 'journal-000000000002.log');
  const bytes = await readFile(journal);
  bytes[bytes.length - 20]! ^= 1;
  await writeFile(journal, bytes);
  const disk = await openNodeDisk(directory);
  await (await openOn(disk, { recover: true })).close();
  assert.deepEqual(await listPatchFiles(disk), []);
  assert.deepEqual(await readFile(join(directory, `${name}.damaged`)), patch);
});

test('backup copies patch files, and inspect shows them', async (context) => {
  const directory = await temporaryDirectory(context);
  const name = await directoryWithPatch(directory);
  const target = join(await temporaryDirectory(context), 'copy');
  assert.equal(await backup(directory, target), 2);
  assert.equal((await contentOn(await openNodeDisk(target))).length, 2);
  const whole = await inspect(directory, undefined);
  assert.match(whole.text, new RegExp(`^${name}: triples of a transaction, \\d+ bytes$`, 'm'));
  const { text, rows } = await inspect(directory, 2);
  assert.match(text, new RegExp(`^H time "\\d+" .\nF "${name}" "\\d+" "[0-9a-f]{64}" "1" .\n$`));
  const pieces: Uint8Array[] = [];
  for await (const piece of rows ?? []) pieces.push(piece);
  assert.equal(Buffer.concat(pieces).toString(), 'TX .\nA <urn:s> <urn:p> "2" <urn:x:g> .\nTC .\n');
});

test('only a journal file that may name patch files has a version that older releases reject', async () => {
  const disk = new SimDisk({ seed: 1 });
  const versions = async () =>
    (await disk.list(''))
      .filter((name) => name.startsWith('journal-'))
      .map((name) => [name, Buffer.from(disk.bytesOf(name)).readUInt32LE(8)]);
  const store = await openOn(disk);
  await commitBig(store, disk, of(merge(graph, '<urn:s> <urn:p> "1" .')));
  assert.deepEqual(await versions(), [['journal-000000000001.log', 3]]);
  await store.close();
  const journal = await openJournal(disk);
  await journal.append([{ sequence: 2, payload: [Buffer.from('H time "1" .\nTX .\nTC .\n')] }]);
  await journal.beginCheckpoint();
  await journal.append([{ sequence: 3, payload: [Buffer.from('H time "1" .\nTX .\nTC .\n')] }]);
  await journal.append([{ sequence: 4, payload: [Buffer.from('H time "1" .\nTX .\nTC .\n')], version: 3 }]);
  await journal.close();
  assert.deepEqual(await versions(), [
    ['journal-000000000001.log', 3],
    ['journal-000000000003.log', 1],
    ['journal-000000000004.log', 3],
  ]);
  assert.equal(contentOf(await openOn(disk)).length, 1);
});

test('a directory that was closed without records accepts a big write first', async () => {
  const disk = new SimDisk({ seed: 1 });
  await (await openOn(disk)).close();
  const store = await openOn(disk);
  assert.ok((await commitBig(store, disk, of(merge(graph, '<urn:s> <urn:p> "1" .')))).ok);
  disk.restart();
  assert.equal(contentOf(await openOn(disk)).length, 1);
});
