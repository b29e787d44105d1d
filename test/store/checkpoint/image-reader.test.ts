import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openNodeDisk } from '../../../src/journal/disk/node-disk.ts';
import { SnapshotWriter } from '../../../src/snapshot/write/snapshot-writer.ts';
import { type Checkpoint, checkpointFiles } from '../../../src/store/checkpoint/checkpoint.ts';
import { readImage } from '../../../src/store/checkpoint/image-reader.ts';
import { writeCheckpoint } from '../../../src/store/checkpoint/write-checkpoint.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const TERMS = 50_000;

/** A checkpoint of many terms, in many pieces. */
async function written(context: TestContext) {
  const directory = await temporaryDirectory(context);
  const disk = await openNodeDisk(directory);
  const writer = new SnapshotWriter();
  for (let i = 0; i < TERMS; i++) writer.dictionary.internText(`<urn:x:${i}>`);
  const snapshot = writer.publish(7);
  const name = { sequence: 7, token: '' };
  const { imageFile } = checkpointFiles(name);
  const output = await writeCheckpoint(disk, snapshot, imageFile, 10_000);
  const checkpoint: Checkpoint = { ...output, ...name, quadCount: 0, graphs: [] };
  return { disk, checkpoint, path: join(directory, imageFile) };
}

test('several threads read parts of one image', async (context) => {
  const { disk, checkpoint } = await written(context);
  const { dictionary } = new SnapshotWriter(await readImage(disk, checkpoint, 4));
  for (let i = 0; i < TERMS; i += 7) assert.equal(dictionary.findText(`<urn:x:${i}>`), i + 2);
});

test('damage is found by any thread', async (context) => {
  const { disk, checkpoint, path } = await written(context);
  const image = await readFile(path);
  const { pieces, pieceBytes } = checkpoint.image;
  for (const piece of [0, 1, 5, Math.floor(pieces.length / 2), pieces.length - 1]) {
    const damaged = Buffer.from(image);
    damaged[piece * pieceBytes + 70]! ^= 0x10;
    await writeFile(path, damaged);
    await assert.rejects(readImage(disk, checkpoint, 3), {
      code: 'data-damaged',
      message: new RegExp(
        `^piece ${piece + 1} of ${pieces.length} \\(bytes ${piece * pieceBytes} to \\d+\\) `,
      ),
    });
  }
});
