import assert from 'node:assert/strict';
import { once } from 'node:events';
import { it } from 'node:test';
import { carryOut } from '../../src/snapshot/runs/compact.ts';
import { planMerge } from '../../src/snapshot/write/change-plan.ts';
import { SnapshotWriter } from '../../src/snapshot/write/snapshot-writer.ts';
import { startThread } from '../support/project.ts';
import { blockOf } from './blocks.ts';
import type { Expectation } from './fixtures/reading-thread.ts';

const SUBJECTS = 20;

it('another thread reads every complete snapshot while the writer continues in the same memory', async () => {
  const thread = startThread('test/snapshot/fixtures/reading-thread');
  const writer = new SnapshotWriter();
  await once(thread, 'message');
  const faults: string[] = [];
  let sent = 0;
  let answered = 0;
  thread.on('message', (found: string[]) => {
    faults.push(...found);
    answered++;
  });
  for (let count = 1; count <= 6000; count++) {
    const object = count - 1;
    const quad = { subject: `<s${object % SUBJECTS}>`, predicate: '<p>', object: `"${object}"` };
    writer.apply(planMerge(writer, 'g', blockOf([quad]), ''));
    writer.publish(count);
    if (writer.needsCompaction) {
      const begun = writer.beginCompaction();
      writer.install(begun, carryOut(begun));
    }
    if (count % 10 === 0) {
      sent++;
      thread.postMessage({ snapshot: writer.descriptor, count, subjects: SUBJECTS } satisfies Expectation);
    }
    if (count % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  while (answered < sent) await once(thread, 'message');
  await thread.terminate();
  assert.deepEqual(faults, []);
});
