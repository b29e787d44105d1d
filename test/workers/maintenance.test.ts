import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openSnapshot } from '../../src/snapshot/reader.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { realPool, snapshotOf } from './real-pool.ts';

const snapshot = snapshotOf('<http://example.org/a> <http://example.org/p> "x", "y" .');

test('a compaction gives a base run with the quads of the snapshot', async (t) => {
  const pool = realPool(t, snapshot);
  const result = await pool.compact({ snapshot, into: 'base', from: 0, to: 0 });
  assert.ok(result.ok && result.value.run, JSON.stringify(result));
  const compacted = openSnapshot({ ...snapshot, base: result.value.run, deltas: [], logCount: 0 });
  assert.equal(compacted.graphSize(compacted.find('<http://example.org/graph>')), 2);
});

test('a checkpoint writes an image and gives its digest', async (t) => {
  const pool = realPool(t, snapshot);
  const directory = await temporaryDirectory(t);
  const result = await pool.checkpoint({ snapshot, directory, imageFile: 'checkpoint-1.image' });
  assert.ok(result.ok, JSON.stringify(result));
  const image = await readFile(join(directory, 'checkpoint-1.image'));
  const { bytes, pieces } = result.value.image;
  assert.equal(bytes, image.length);
  assert.deepEqual(pieces, [createHash('sha256').update(image).digest('hex')]);
});
