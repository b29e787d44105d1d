import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openJournal } from '../../src/journal/journal.ts';
import { JournalMeter, SYNC_BOUNDS } from '../../src/journal/meter.ts';
import { SimDisk } from '../simulation/sim-disk.ts';

async function metered() {
  const disk = new SimDisk({ seed: 1 });
  const meter = new JournalMeter();
  const journal = await openJournal(disk, { meter });
  /** Another thread's view of the same memory. */
  return { disk, journal, seen: new JournalMeter(meter.buffer) };
}

const record = (sequence: number) => ({ sequence, payload: [Buffer.from('text')] });

describe('the meter of the journal', () => {
  it('counts records, bytes and syncs, one for each group', async () => {
    const { journal, seen } = await metered();
    const before = seen.bytes;
    assert.equal(before, journal.bytes);
    await journal.append([record(1), record(2)]);
    await journal.append([record(3)]);
    assert.equal(seen.records, 3);
    assert.equal(seen.bytes, journal.bytes);
    assert.equal(seen.writtenBytes, journal.bytes - before);
    assert.equal(
      seen.syncCounts.reduce((sum, count) => sum + count),
      2,
    );
    assert.ok(seen.syncSeconds >= 0);
  });

  it('tells of a write only while it runs, also if it fails', async () => {
    const { disk, journal, seen } = await metered();
    assert.equal(seen.busyMs, 0);
    let during = 0;
    const run = disk.run.bind(disk);
    disk.run = ((...given: Parameters<typeof run>) => {
      during = Math.max(during, seen.busyMs);
      return run(...given);
    }) as typeof disk.run;
    disk.failNext('sync');
    await assert.rejects(journal.append([record(1)]));
    assert.ok(during > 0);
    assert.deepEqual([seen.busyMs, seen.records, seen.syncSeconds], [0, 0, 0]);
  });

  it('counts the bytes that are left after a checkpoint', async () => {
    const { journal, seen } = await metered();
    await journal.append([record(1)]);
    await journal.beginCheckpoint();
    await journal.checkpointed(1);
    assert.equal(seen.bytes, journal.bytes);
    assert.ok(seen.bytes < seen.writtenBytes + 100);
  });

  it('counts each sync once: within the smallest bound that it does not exceed, or beyond all', () => {
    const meter = new JournalMeter();
    for (const seconds of [0, SYNC_BOUNDS[0], 0.02, 10, 11]) meter.noteSync(seconds);
    const counts = meter.syncCounts;
    assert.deepEqual([counts[0], counts[5], ...counts.slice(-2)], [2, 1, 1, 1]);
  });
});
