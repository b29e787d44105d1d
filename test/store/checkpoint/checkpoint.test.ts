import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readText, writeDurably } from '../../../src/journal/disk/durable-file.ts';
import {
  type Checkpoint,
  checkpointFiles,
  findCheckpoint,
  installCheckpoint,
} from '../../../src/store/checkpoint/checkpoint.ts';
import { SimDisk } from '../../simulation/sim-disk.ts';

const image = { bytes: 20, pieceBytes: 16, pieces: ['a', 'b'] };
const checkpointAt = (sequence: number): Checkpoint => ({
  sequence,
  token: '1a',
  quadCount: 0,
  graphs: [],
  image,
  needsNewFormat: false,
});

test('an installed checkpoint of any number is found', async () => {
  for (const sequence of [1, 10 ** 12 - 1, 10 ** 12, Number.MAX_SAFE_INTEGER]) {
    const disk = new SimDisk({ seed: 1 });
    const installed = await installCheckpoint(disk, checkpointAt(sequence));
    const { bytes, ...found } = (await findCheckpoint(disk)) ?? assert.fail();
    assert.deepEqual(found, checkpointAt(sequence));
    const manifest = disk.bytesOf(checkpointFiles(checkpointAt(sequence)).manifestFile);
    assert.deepEqual([installed.bytes, bytes], [20 + manifest.length, 20 + manifest.length]);
  }
});

test('the checkpoint with the greatest number is the newest', async () => {
  const [older, newer] = [10 ** 12 - 1, 10 ** 12];
  const disk = new SimDisk({ seed: 1 });
  await installCheckpoint(disk, checkpointAt(older));
  const name = `checkpoint-${older}.json`;
  const manifest = await readText(disk, name);
  await installCheckpoint(disk, checkpointAt(newer));
  assert.deepEqual((await disk.list('')).length, 1);
  await writeDurably(disk, name, manifest);
  assert.equal((await findCheckpoint(disk))?.sequence, newer);
});
