import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { parseRdf } from '../../../src/rdf/formats/parse-document.ts';
import { openSnapshot } from '../../../src/snapshot/read/reader.ts';
import { planReplace } from '../../../src/snapshot/write/change-plan.ts';
import { SnapshotWriter } from '../../../src/snapshot/write/snapshot-writer.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { GRAPH, realPool, snapshotOf } from './real-pool.ts';

const snapshot = snapshotOf('<http://example.org/a> <http://example.org/p> "x", "y" .');

test('a compaction produces a base run with the quads of the snapshot', async (t) => {
  const pool = realPool(t, snapshot);
  const result = await pool.compact({ snapshot, into: 'base', from: 0, to: 0, leastDead: 1000 });
  assert.ok(result.ok && result.value.run, JSON.stringify(result));
  const compacted = openSnapshot({ ...snapshot, base: result.value.run, deltas: [], logCount: 0 });
  assert.equal(compacted.graphSize(compacted.find('<http://example.org/graph>')), 2);
});

test('threads drop dead terms, and update the result after later commits', async (t) => {
  const writer = new SnapshotWriter(undefined, { log: 4, recent: 4, deltas: 8, deadTerms: 10 });
  const put = (from: number, to: number) => {
    const objects = Array.from({ length: to - from }, (_, i) => `"value ${from + i}"`);
    const turtle = `<http://example.org/a> <http://example.org/p> ${objects.join(', ')} .`;
    const block = parseRdf(Buffer.from(turtle), { mediaType: 'text/turtle', baseIri: GRAPH });
    writer.apply(planReplace(writer, GRAPH, block, 'b'));
    return writer.publish(to);
  };
  put(0, 100);
  put(100, 120);
  const pool = realPool(t, writer.descriptor);
  const begun = writer.beginCompaction();
  const first = await pool.compact(begun);
  put(150, 220);
  assert.ok(first.ok, JSON.stringify(first));
  assert.equal(writer.install(begun, first.value), false);
  const following = writer.beginCompaction();
  assert.equal(following.into, 'renumbered');
  const second = await pool.compact(following);
  assert.ok(second.ok, JSON.stringify(second));
  assert.equal(writer.install(following, second.value), true);
  const reader = openSnapshot(writer.descriptor);
  assert.deepEqual([reader.terms.generation, reader.quadCount], [1, 70]);
  assert.notEqual(reader.find('"value 219"'), 0);
  assert.equal(reader.find('"value 50"'), 0);
});

test('a checkpoint writes nothing to a directory that another process has taken over', async (t) => {
  const pool = realPool(t, snapshot);
  const directory = await temporaryDirectory(t);
  const lease = { file: join(directory, 'lock.1'), id: 'mine' };
  const result = await pool.checkpoint({ snapshot, directory, lease, imageFile: 'checkpoint-1.image' });
  assert.ok(!result.ok);
  assert.equal(result.error.code, 'writes-disabled');
  assert.deepEqual(await readdir(directory), []);
});

test('a checkpoint writes an image and returns its digest', async (t) => {
  const pool = realPool(t, snapshot);
  const directory = await temporaryDirectory(t);
  const result = await pool.checkpoint({ snapshot, directory, imageFile: 'checkpoint-1.image' });
  assert.ok(result.ok, JSON.stringify(result));
  const image = await readFile(join(directory, 'checkpoint-1.image'));
  const { bytes, pieces } = result.value.image;
  assert.equal(bytes, image.length);
  assert.deepEqual(pieces, [createHash('sha256').update(image).digest('hex')]);
});
