import assert from 'node:assert/strict';
import { test } from 'node:test';
import { journalLimit } from '../../../src/store/checkpoint/schedule.ts';
import { PatchFiles } from '../../../src/store/patch/file-set.ts';
import { SimDisk } from '../../simulation/sim-disk.ts';
import { commit, maintain, merge, openOn } from '../../support/stores.ts';

const MEBIBYTE = 2 ** 20;

test('a checkpoint waits for the journal to have a quarter of the last one, and never less than --journal-max', () => {
  assert.equal(journalLimit(64 * MEBIBYTE, 0), 64 * MEBIBYTE);
  assert.equal(journalLimit(64 * MEBIBYTE, 257 * MEBIBYTE), 64 * MEBIBYTE);
  assert.equal(journalLimit(64 * MEBIBYTE, 4001 * MEBIBYTE), 1000 * MEBIBYTE);
});

test('rows of a big write count as their text, whatever their size on disk', () => {
  const files = new PatchFiles();
  files.add({ name: 'a.rows', bytes: 500, digest: '', rows: 100 }, 1);
  files.add({ name: 'b.rows', bytes: 20_000, digest: '', rows: 100 }, 2);
  files.add({ name: 'c.rdfp', bytes: 300, digest: '' }, 3);
  assert.equal(files.bytes, 20_800);
  assert.equal(files.weight, 12_800 + 20_000 + 300);
});

/** Bytes written so far: to the journal, and in all. */
function written(disk: SimDisk): { journal: number; all: number } {
  const all = [...disk.appended.values()].reduce((sum, bytes) => sum + bytes, 0);
  return { journal: disk.appended.get('.log') ?? 0, all };
}

async function imageBytes(disk: SimDisk): Promise<number> {
  const name = (await disk.list('')).find((each) => each.endsWith('.image'));
  return name === undefined ? 0 : disk.bytesOf(name).length;
}

test('checkpoints write at most five bytes per byte of the journal, plus the added data', async () => {
  const disk = new SimDisk({ seed: 1 });
  const store = await openOn(disk, { journalMax: 2 ** 16 });
  const rows = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => `<urn:x:s${from + i}> <urn:x:p> "value ${from + i}" .`).join(
      '\n',
    );
  await commit(store, merge('urn:x:g', rows(0, 60_000)));
  while ((await maintain(store, disk)) !== 'nothing');
  const before = written(disk);
  const imageBefore = await imageBytes(disk);
  assert.ok(imageBefore > 5 * MEBIBYTE);
  let checkpoints = 0;
  for (let i = 0; checkpoints < 3; i++) {
    await commit(store, merge('urn:x:g', rows(60_000 + 1000 * i, 1000)));
    for (let work = await maintain(store, disk); work !== 'nothing'; work = await maintain(store, disk)) {
      if (work === 'checkpoint') checkpoints++;
    }
  }
  const after = written(disk);
  const journal = after.journal - before.journal;
  const all = after.all - before.all;
  const growth = (await imageBytes(disk)) - imageBefore;
  assert.ok(all <= 5 * journal + growth + checkpoints * MEBIBYTE, `${all} of ${journal}, ${growth}`);
  assert.ok(all > 3 * journal, 'checkpoints were written');
});
