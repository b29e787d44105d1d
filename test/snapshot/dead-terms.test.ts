import assert from 'node:assert/strict';
import { describe, it, test } from 'node:test';
import { openSnapshot, type SnapshotReader } from '../../src/snapshot/read/reader.ts';
import { carryOut } from '../../src/snapshot/runs/compact.ts';
import { planDrop, planEdit, planMerge } from '../../src/snapshot/write/change-plan.ts';
import { SnapshotWriter } from '../../src/snapshot/write/snapshot-writer.ts';
import { blockOf } from './blocks.ts';

const limits = { log: 16, recent: 64, deltas: 256, deadTerms: 500 };

const values = (from: number, to: number, subject = '<s>') =>
  blockOf(
    Array.from({ length: to - from }, (_, i) => ({
      subject,
      predicate: '<p>',
      object: `"value ${from + i}"`,
    })),
  );

function objectsOf(reader: SnapshotReader, subject = '<s>'): string[] {
  const into: number[] = [];
  reader.objects(reader.find(subject), reader.find('<p>'), into);
  return into.map((id) => reader.text(id));
}

const texts = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => `"value ${from + i}"`);

/** Does what the writer wants, as other threads would, until it wants nothing. */
function maintain(writer: SnapshotWriter): void {
  for (let rounds = 0; writer.needsCompaction; rounds++) {
    assert.ok(rounds < 20, 'an end');
    const compaction = writer.beginCompaction();
    writer.install(compaction, carryOut(compaction));
  }
}

/** A writer whose 3,000 quads were removed again, so that nearly all of its terms are dead. */
function emptied(): SnapshotWriter {
  const writer = new SnapshotWriter(undefined, limits);
  writer.apply(planMerge(writer, 'g', values(0, 3000), ''));
  writer.publish(1);
  writer.apply(planDrop(writer, 'g'));
  writer.publish(2);
  return writer;
}

test('removed data leave no terms, whether they are replaced completely or one value at a time', () => {
  const writer = new SnapshotWriter(undefined, limits);
  writer.apply(planMerge(writer, 'kept', values(0, 1000, '<kept>'), ''));
  let commit = 0;
  let most = 0;
  for (let round = 0; round < 40; round++) {
    const from = 10_000 * (round + 1);
    writer.apply(planMerge(writer, 'g', values(from, from + 700), ''));
    writer.publish(++commit);
    maintain(writer);
    writer.apply(planDrop(writer, 'g'));
    writer.publish(++commit);
    for (let i = 0; i < 300; i++) {
      const before = i === 0 ? blockOf([]) : values(from + 999 + i, from + 1000 + i);
      writer.apply(
        planEdit(writer, 'h', { additions: values(from + 1000 + i, from + 1001 + i), removals: before }, ''),
      );
      writer.publish(++commit);
      maintain(writer);
    }
    writer.apply(planDrop(writer, 'h'));
    most = Math.max(most, writer.memory().termBytes);
  }
  writer.publish(++commit);
  const reader = openSnapshot(writer.descriptor);
  assert.deepEqual(objectsOf(reader, '<kept>'), texts(0, 1000));
  assert.equal(reader.quadCount, 1000);
  assert.ok(reader.terms.termCount < 4000, `${reader.terms.termCount} terms of 41,000 that there were`);
  assert.ok(most < 4000 * 20, `${most} bytes`);
  assert.ok(writer.descriptor.dictionary.generation > 3);
});

test('readers of an earlier state keep its terms and their numbers', () => {
  const writer = new SnapshotWriter(undefined, limits);
  writer.apply(planMerge(writer, 'g', values(0, 3000), ''));
  const full = writer.publish(1);
  const early = openSnapshot(full);
  writer.apply(planDrop(writer, 'g'));
  writer.apply(planMerge(writer, 'g', values(2990, 3010), ''));
  const before = openSnapshot(writer.publish(2));
  maintain(writer);
  const after = openSnapshot(writer.descriptor);
  assert.notEqual(after.terms.generation, before.terms.generation);
  assert.ok(after.terms.termCount < 30);
  writer.apply(planMerge(writer, 'g', values(5000, 9000), ''));
  writer.publish(3);
  for (const reader of [early, openSnapshot(full)]) assert.deepEqual(objectsOf(reader), texts(0, 3000));
  for (const reader of [before, after]) assert.deepEqual(objectsOf(reader), texts(2990, 3010));
});

test('terms added while others are dropped are kept: new ones and dropped ones, many and few', () => {
  for (const much of [10, 40_000]) {
    const writer = new SnapshotWriter(undefined, limits);
    writer.apply(planMerge(writer, 'g', values(0, 3000), ''));
    writer.publish(1);
    writer.apply(planDrop(writer, 'g'));
    writer.publish(2);
    const begun = writer.beginCompaction();
    writer.apply(planMerge(writer, 'g', values(100, 110), ''));
    writer.dictionary.internText('"used by nobody"');
    writer.apply(planMerge(writer, 'g', values(3000, 3000 + much), ''));
    writer.publish(3);
    assert.equal(writer.install(begun, carryOut(begun)), much === 10);
    writer.apply(planMerge(writer, 'g', values(50_000, 50_010), ''));
    writer.discard();
    maintain(writer);
    writer.apply(planMerge(writer, 'g', values(200, 210), ''));
    const reader = openSnapshot(writer.publish(4));
    const expected = [...texts(100, 110), ...texts(200, 210), ...texts(3000, 3000 + much)];
    assert.deepEqual(objectsOf(reader).sort(), expected.sort());
    assert.equal(reader.terms.generation, 1);
    assert.notEqual(reader.find('"used by nobody"'), 0);
    assert.equal(reader.find('"value 0"'), 0);
  }
});

test('ids do not change as long as a reader holds them', () => {
  const writer = emptied();
  const begun = writer.beginCompaction();
  const made = carryOut(begun);
  const releases = [writer.holdIds(), writer.holdIds()];
  assert.equal(writer.install(begun, made), false);
  assert.equal(writer.needsCompaction, false);
  releases[0]!();
  assert.equal(writer.needsCompaction, false);
  writer.apply(planMerge(writer, 'g', values(10, 20), ''));
  writer.publish(3);
  releases[1]!();
  maintain(writer);
  const reader = openSnapshot(writer.descriptor);
  assert.deepEqual([reader.terms.generation, reader.quadCount], [1, 10]);
  assert.ok(reader.terms.termCount < 30);
});

test('changes do not accumulate while a reader holds the ids', () => {
  const writer = emptied();
  const begun = writer.beginCompaction();
  writer.holdIds();
  assert.equal(writer.install(begun, carryOut(begun)), false);
  for (let at = 3000; at < 30_000; at += 100) {
    writer.apply(planMerge(writer, 'g', values(at, at + 100), ''));
    writer.publish(at);
    maintain(writer);
  }
  const reader = openSnapshot(writer.descriptor);
  assert.deepEqual([reader.terms.generation, reader.quadCount], [0, 27_000]);
  assert.ok(writer.descriptor.deltas.length < 9);
});

test('a base run is built without dropping terms if changes arrive too fast', () => {
  const writer = emptied();
  let rounds = 0;
  for (let at = 3000; writer.descriptor.deltas.length > 0; at += 1000, rounds++) {
    const begun = writer.beginCompaction();
    writer.apply(planMerge(writer, 'g', values(at, at + 1000), ''));
    writer.publish(at);
    writer.install(begun, carryOut(begun));
    if (begun.into === 'base' && rounds > 0) break;
  }
  assert.equal(rounds, 7);
  const reader = openSnapshot(writer.descriptor);
  assert.equal(reader.terms.generation, 0);
  assert.deepEqual(objectsOf(reader).length, reader.quadCount);
  assert.ok(reader.quadCount >= 8000);
});

describe('terms that are dropped at once', () => {
  const kept = { ...limits, deadTerms: Number.POSITIVE_INFINITY };
  const textsOf = ({ terms }: SnapshotWriter) =>
    Array.from({ length: terms.termCount }, (_, index) => terms.text(index + 1));

  function changed(given: typeof limits, onCommit: (writer: SnapshotWriter) => void): SnapshotWriter {
    const writer = new SnapshotWriter(undefined, given);
    for (let commit = 1; commit <= 20; commit++) {
      writer.apply(planMerge(writer, 'g', values(100 * commit, 100 * commit + 100), ''));
      if (commit > 10) writer.apply(planDrop(writer, 'g'));
      if (commit % 3 === 0) writer.apply(planMerge(writer, 'h', values(commit, commit + 90), ''));
      writer.publish(commit);
      onCommit(writer);
    }
    return writer;
  }

  it('leave ids that only depend on the quads and on the ids before', () => {
    const writers = [
      changed(kept, () => {}),
      changed(kept, maintain),
      changed({ ...kept, log: 512, recent: 10_000, deltas: 10_000 }, () => {}),
    ];
    const before = textsOf(writers[0]!);
    for (const writer of writers) {
      assert.deepEqual(textsOf(writer), before);
      writer.dropDeadTerms(21);
      assert.deepEqual(objectsOf(writer.reader()).toSorted(), texts(3, 108).toSorted());
      assert.deepEqual(textsOf(writer), textsOf(writers[0]!));
      assert.equal(writer.descriptor.sequence, 21);
    }
    const left = new Set(textsOf(writers[0]!));
    assert.deepEqual(
      [...left],
      before.filter((text) => left.has(text)),
    );
    assert.ok(left.size < 120, `${left.size} of ${before.length}`);
  });

  it('leave the ids as they are if there are few', () => {
    const writer = new SnapshotWriter(undefined, kept);
    writer.apply(planMerge(writer, 'g', values(0, 100), ''));
    writer.apply(planEdit(writer, 'g', { additions: blockOf([]), removals: values(0, 20) }, ''));
    const before = textsOf(writer);
    writer.dropDeadTerms(1);
    assert.deepEqual(textsOf(writer), before);
    assert.equal(writer.descriptor.dictionary.generation, 0);
  });

  it('make a compaction in progress useless', () => {
    const writer = changed(kept, () => {});
    const compaction = writer.beginCompaction({ into: 'base' });
    writer.dropDeadTerms(21);
    const { descriptor } = writer;
    assert.equal(writer.install(compaction, carryOut(compaction)), false);
    assert.equal(writer.descriptor, descriptor);
  });

  it('are an error while ids are in use', () => {
    const writer = changed(kept, () => {});
    const release = writer.holdIds();
    assert.throws(() => writer.dropDeadTerms(21), /in use/);
    release();
    writer.dropDeadTerms(21);
    assert.equal(writer.descriptor.dictionary.generation, 1);
  });
});
