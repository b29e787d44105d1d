import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DescriptorReceiver, DescriptorSender } from '../../../src/snapshot/feed/descriptor-link.ts';
import { openSnapshot } from '../../../src/snapshot/read/reader.ts';
import { SnapshotWriter } from '../../../src/snapshot/write/snapshot-writer.ts';

test('a link delivers every complete descriptor, and sends each buffer once', () => {
  const writer = new SnapshotWriter(undefined, { log: 8, recent: 16, deltas: 64 });
  const sender = new DescriptorSender();
  const receiver = new DescriptorReceiver();
  let carried = 0;
  const ever = new Set<SharedArrayBuffer>();
  for (let commit = 1; commit <= 60; commit++) {
    const subject = writer.dictionary.internText(`<urn:s${commit}>`);
    writer.apply({
      additions: Uint32Array.of(subject, subject, subject, subject),
      removals: new Uint32Array(0),
    });
    const descriptor = writer.publish(commit);
    const update = sender.update(descriptor);
    const fresh = update.buffers.filter((buffer) => typeof buffer !== 'number');
    for (const buffer of fresh) ever.add(buffer);
    carried += fresh.length;
    const received = receiver.receive(update);
    assert.deepEqual(received, descriptor);
    assert.equal(openSnapshot(received).quadCount, commit);
  }
  assert.equal(carried, ever.size);
  assert.ok(carried < 60, 'most commits write into memory that is known');
});
