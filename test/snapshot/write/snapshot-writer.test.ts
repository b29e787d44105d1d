import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { SYSTEM_GRAPH, SYSTEM_GRAPH_ID } from '../../../src/snapshot/graphs/system-graph.ts';
import { openSnapshot, type SnapshotReader } from '../../../src/snapshot/read/reader.ts';
import { SnapshotCache } from '../../../src/snapshot/read/snapshot-cache.ts';
import { carryOut } from '../../../src/snapshot/runs/compact.ts';
import { buildDelta } from '../../../src/snapshot/runs/delta-builder.ts';
import { REMOVED } from '../../../src/snapshot/runs/order.ts';
import { sortQuads } from '../../../src/snapshot/runs/sorted-quads.ts';
import { planDrop, planMerge } from '../../../src/snapshot/write/change-plan.ts';
import { SnapshotWriter } from '../../../src/snapshot/write/snapshot-writer.ts';
import { blockOf } from '../blocks.ts';

function numbered(from: number, to: number): ReturnType<typeof blockOf> {
  const quads = Array.from({ length: to - from }, (_, i) => ({
    subject: `<s${(from + i) % 100}>`,
    predicate: `<p${i % 3}>`,
    object: `"${from + i}"`,
  }));
  return blockOf(quads);
}

function add(writer: SnapshotWriter, from: number, to: number, graph = 'g'): void {
  writer.apply(planMerge(writer, graph, numbered(from, to), ''));
}

function objects(reader: SnapshotReader): number {
  const into: number[] = [];
  for (let i = 0; i < 100; i++) reader.allObjects(reader.find(`<s${i}>`), into);
  return into.length;
}

describe('The snapshot writer', () => {
  it('shows its changes to itself at once, and to readers after publication', () => {
    const writer = new SnapshotWriter();
    const empty = writer.publish(1);
    add(writer, 0, 10);
    assert.equal(writer.reader().quadCount, 10);
    assert.equal(writer.descriptor, empty);
    assert.equal(openSnapshot(empty).quadCount, 0);
    assert.equal(objects(openSnapshot(empty)), 0);
    const full = openSnapshot(writer.publish(2));
    assert.deepEqual([full.sequence, full.quadCount, objects(full)], [2, 10, 10]);
  });

  it('discards unpublished changes, big and small, without touching published snapshots', () => {
    for (const size of [1, 400, 3000, 50_000]) {
      const writer = new SnapshotWriter();
      add(writer, 0, 200);
      const published = openSnapshot(writer.publish(1));
      add(writer, 200, 200 + size);
      writer.apply(planDrop(writer, 'g'));
      writer.discard();
      add(writer, 1_000_000, 1_000_005);
      assert.equal(objects(writer.reader()), 205, `after ${size}`);
      assert.equal(objects(published), 200);
      assert.equal(objects(openSnapshot(writer.publish(2))), 205);
    }
  });

  it('requests a compaction when deltas have grown, and keeps changes during it', () => {
    const writer = new SnapshotWriter();
    for (let i = 0; !writer.needsCompaction; i += 100) add(writer, i, i + 100);
    const { quadCount } = writer.publish(1);
    const begun = writer.beginCompaction();
    assert.equal(writer.needsCompaction, false);
    for (let i = 0; i < 20; i++) add(writer, 100_000 + 100 * i, 100_100 + 100 * i);
    const meanwhile = openSnapshot(writer.publish(2));
    assert.equal(writer.install(begun, carryOut(begun)), true);
    const after = openSnapshot(writer.descriptor);
    assert.deepEqual([after.sequence, after.quadCount], [2, quadCount + 2000]);
    assert.equal(objects(after), quadCount + 2000);
    assert.equal(objects(meanwhile), quadCount + 2000);
  });

  it('keeps a big commit during the construction of a base run', () => {
    const writer = new SnapshotWriter();
    add(writer, 0, 1000);
    writer.publish(1);
    const begun = writer.beginCompaction();
    add(writer, 1000, 50_000);
    writer.publish(2);
    assert.equal(writer.install(begun, carryOut(begun)), true);
    assert.equal(objects(openSnapshot(writer.descriptor)), 50_000);
    assert.equal(writer.needsCompaction, true);
    const again = writer.beginCompaction();
    assert.equal(writer.install(again, carryOut(again)), true);
    assert.equal(objects(openSnapshot(writer.descriptor)), 50_000);
    assert.deepEqual(writer.descriptor.deltas, []);
  });

  it('leaves the base run unchanged at any commit, and starts a compaction without merging', () => {
    const writer = new SnapshotWriter();
    add(writer, 0, 20_000);
    const { base } = writer.publish(1);
    add(writer, 20_000, 100_000);
    writer.apply(planDrop(writer, 'g'));
    add(writer, 0, 60_000);
    const { deltas } = writer.publish(2);
    assert.equal(writer.descriptor.base, base);
    assert.equal(deltas.length, 3);
    const { snapshot, into } = writer.beginCompaction();
    assert.equal(into, 'base');
    assert.deepEqual([snapshot.base === base, snapshot.deltas, snapshot.logCount], [true, deltas, 0]);
  });

  it('requests a merge of many runs, and keeps changes during it', () => {
    const limits = { log: 0, recent: 16, deltas: 100_000 };
    const writer = new SnapshotWriter(undefined, limits);
    let at = 0;
    const grow = (by: number) => {
      add(writer, at, at + by);
      at += by;
      writer.publish(at);
    };
    for (const by of [5000, 2000, 300, 900, 800, 700, 600, 500, 400]) {
      assert.equal(writer.needsCompaction, false);
      grow(by);
    }
    assert.equal(writer.descriptor.deltas.length, 9);
    assert.equal(writer.needsCompaction, true);
    const begun = writer.beginCompaction();
    assert.deepEqual([begun.into, begun.to], ['run', 9]);
    for (let i = 0; i < 10; i++) grow(17);
    writer.apply(planDrop(writer, 'g'));
    writer.discard();
    const before = objects(openSnapshot(writer.descriptor));
    assert.equal(writer.install(begun, carryOut(begun)), true);
    const { deltas } = writer.descriptor;
    assert.ok(deltas.length < 9, `${deltas.length} runs`);
    assert.equal(objects(openSnapshot(writer.descriptor)), before);
    assert.equal(before, at);
  });

  it('accepts a run of another thread as the newest', () => {
    const writer = new SnapshotWriter();
    add(writer, 0, 30);
    const block = numbered(0, 20);
    const drop = planDrop(writer, 'g');
    const rows = drop.removals.slice();
    for (let i = 3; i < rows.length; i += 4) rows[i]! |= REMOVED;
    writer.addRun(buildDelta(sortQuads(rows))!.words.buffer, -30);
    assert.equal(writer.reader().quadCount, 0);
    writer.discard();
    add(writer, 0, 30);
    const again = planDrop(writer, 'g').removals.slice();
    for (let i = 3; i < again.length; i += 4) again[i]! |= REMOVED;
    writer.addRun(buildDelta(sortQuads(again))!.words.buffer, -30);
    writer.apply(planMerge(writer, 'g', block, ''));
    const reader = openSnapshot(writer.publish(1));
    assert.deepEqual([reader.quadCount, objects(reader)], [20, 20]);
    const begun = writer.beginCompaction();
    writer.install(begun, carryOut(begun));
    assert.equal(objects(openSnapshot(writer.descriptor)), 20);
  });

  it('includes the changes of an abandoned compaction in the next one', () => {
    const writer = new SnapshotWriter();
    add(writer, 0, 1000);
    writer.publish(1);
    const lost = writer.beginCompaction();
    writer.abandonCompaction();
    add(writer, 1000, 1100);
    writer.publish(2);
    const begun = writer.beginCompaction();
    assert.equal(writer.install(lost, carryOut(lost)), false);
    assert.equal(writer.install(begun, carryOut(begun)), true);
    const { deltas, logCount } = writer.descriptor;
    assert.deepEqual([deltas.length, logCount], [0, 0]);
    assert.equal(objects(openSnapshot(writer.descriptor)), 1100);
  });

  it('does not compact changes that are neither published nor discarded', () => {
    const writer = new SnapshotWriter();
    add(writer, 0, 1);
    assert.throws(() => writer.beginCompaction(), /neither published nor discarded/);
  });

  it('hides the system graph from views of the data, and counts it among all quads', () => {
    const writer = new SnapshotWriter();
    add(writer, 0, 100, SYSTEM_GRAPH);
    const reader = openSnapshot(writer.publish(1));
    const subject = reader.find('<s1>');
    assert.equal(reader.mentions(subject) || reader.mentions(reader.find('<p1>')), false);
    assert.equal(reader.within([SYSTEM_GRAPH_ID]).mentions(subject), false);
    assert.equal(reader.graphSize(SYSTEM_GRAPH_ID), 100);
    assert.equal(reader.quadCount, 100);
    assert.equal(reader.allQuads().next(), true);
  });

  it('reports its memory', () => {
    const writer = new SnapshotWriter();
    add(writer, 0, 20_000);
    const memory = writer.memory();
    assert.ok(memory.termBytes > 100_000 && memory.termBytes < memory.dictionaryBytes);
    assert.ok(memory.dictionaryBytes <= memory.dictionaryReserved);
    assert.ok(memory.baseBytes >= 20_000 * 28);
    assert.ok(memory.deltaBytes > 0);
  });
});

describe('The snapshot cache', () => {
  it('returns the same reader until a commit or a compaction changes the snapshot', () => {
    const writer = new SnapshotWriter();
    const cache = new SnapshotCache();
    add(writer, 0, 10);
    const first = cache.open(writer.publish(1));
    assert.equal(cache.open({ ...writer.descriptor }), first);
    const begun = writer.beginCompaction();
    writer.install(begun, carryOut(begun));
    const compacted = cache.open(writer.descriptor);
    assert.notEqual(compacted, first);
    add(writer, 10, 11);
    assert.notEqual(cache.open(writer.publish(2)), compacted);
  });
});
