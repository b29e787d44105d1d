import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Finding } from '../../src/journal/assessment.ts';
import { JournalError } from '../../src/journal/errors.ts';
import { journalFileName } from '../../src/journal/file-list.ts';
import { type Journal, type JournalOptions, openJournal } from '../../src/journal/journal.ts';
import { fileHeaderBytes, recordHeaderBytes } from '../../src/journal/record.ts';
import { type RecoveryCase, recoveryTable } from '../../src/journal/recovery-table.ts';
import { sealFile } from '../../src/journal/seal.ts';
import { SimDisk } from '../simulation/sim-disk.ts';

const payloadBytes = 100;
const recordBytes = recordHeaderBytes + payloadBytes;
const first = journalFileName(1);

/** One test for each row of the table. */
const rows: Record<RecoveryCase, () => Promise<void>> = {
  async empty() {
    const disk = new SimDisk({ seed: 1 });
    assert.deepEqual(await recovered(disk), []);
    assert.deepEqual(await disk.list(''), [first]);
    assert.deepEqual(await recovered(disk), []);
  },

  async clean() {
    const disk = await diskWith([1, 2, 3], 'rotate', [4], [5]);
    assert.deepEqual(await recovered(disk), [1, 2, 3, 4, 5]);
    assert.deepEqual(await findings(disk), []);
  },

  async overlap() {
    const disk = await diskWith([1, 2, 3], 'rotate', [4, 5]);
    // Nobody needs a file that the checkpoint covers: not even its damage matters.
    damage(disk, first, fileHeaderBytes + 40);
    assert.deepEqual(await recovered(disk, { checkpoint: 3 }), [4, 5]);
    assert.deepEqual(await cases(disk, { checkpoint: 4 }), ['overlap']);
    assert.equal((await openJournal(disk, { checkpoint: 4 })).lastSequence, 5);
  },

  async 'cut-tail'() {
    const disk = await diskWith([1], [2], [3]);
    disk.put(first, disk.bytesOf(first).slice(0, -1));
    assert.deepEqual(await cases(disk), ['cut-tail']);
    assert.equal(disk.bytesOf(first).length, fileHeaderBytes + 2 * recordBytes);
    assert.deepEqual(await recovered(disk), [1, 2]);
  },

  async 'torn-tail'() {
    const disk = await diskWith([1], [2, 3, 4]);
    // The first sectors of the last write never reached the disk, the later ones did.
    const bytes = disk.bytesOf(first).slice();
    bytes.fill(0, fileHeaderBytes + recordBytes, fileHeaderBytes + 2 * recordBytes + 50);
    disk.put(first, bytes);
    assert.deepEqual(await cases(disk), ['torn-tail']);
    assert.deepEqual(await recovered(disk), [1]);
  },

  async 'damaged-middle'() {
    const disk = await diskWith([1], [2], [3]);
    const offset = fileHeaderBytes + recordBytes;
    damage(disk, first, offset + recordHeaderBytes + 5);
    const error = await refused(disk);
    assert.deepEqual(error.details, { file: first, offset, sequence: 2, case: 'damaged-middle' });
    assert.match(
      error.message,
      /byte 168, record 2: .*\(record 3 at byte 300\).*pathpool inspect DIR.*--recover/,
    );
    assert.deepEqual(await recovered(disk, { recover: true }), [1]);
    assert.deepEqual(await disk.list(''), [first, `${first}.damaged`]);
    assert.equal(disk.bytesOf(`${first}.damaged`).length, 2 * recordBytes);
  },

  async 'damaged-end'() {
    const disk = await closedDiskWith([1], [2, 3]);
    const offset = fileHeaderBytes + recordBytes;
    damage(disk, first, offset + recordHeaderBytes + 5);
    const error = await refused(disk);
    assert.deepEqual(error.details, { file: first, offset, sequence: 2, case: 'damaged-end' });
    assert.match(error.message, /byte 168, record 2: .*clean close.*432 bytes, up to record 3.*--recover/);
    assert.deepEqual(await recovered(disk, { recover: true }), [1]);
    assert.deepEqual(await disk.list(''), [first, `${first}.damaged`]);
    assert.equal(disk.bytesOf(`${first}.damaged`).length, 2 * recordBytes);
    assert.deepEqual(await recovered(disk), [1]);
  },

  async 'damaged-seal'() {
    const disk = await closedDiskWith([1], [2]);
    const seal = disk.bytesOf(sealFile);
    for (let at = 0; at < seal.length; at++) {
      disk.put(sealFile, seal);
      damage(disk, sealFile, at);
      assert.deepEqual(await cases(disk), ['damaged-seal'], `byte ${at}`);
      assert.deepEqual(await recovered(disk), [1, 2]);
    }
  },

  async 'damaged-header'() {
    const disk = await diskWith([1, 2], 'rotate', [3]);
    damage(disk, journalFileName(3), 15);
    assert.deepEqual((await refused(disk)).details, {
      file: journalFileName(3),
      offset: 0,
      sequence: 3,
      case: 'damaged-header',
    });
    assert.deepEqual(await recovered(disk, { recover: true }), [1, 2]);
    assert.deepEqual(await disk.list(''), [first, `${journalFileName(3)}.damaged`]);
  },

  async gap() {
    const disk = await diskWith([1, 2], 'rotate', [3], 'rotate', [4], 'rotate', [5]);
    await disk.remove(journalFileName(3));
    const error = await refused(disk);
    assert.deepEqual(error.details, { file: journalFileName(4), offset: 0, sequence: 3, case: 'gap' });
    assert.match(error.message, /record 3: .*\(found record 4\)/);
    assert.deepEqual(await recovered(disk, { recover: true }), [1, 2]);
  },

  async missing() {
    const disk = await diskWith([1, 2], 'rotate', [3]);
    const newest = journalFileName(3);
    const context = { checkpoint: 2, opened: true };
    await disk.remove(newest);
    const error = await refused(disk, context);
    assert.deepEqual(error.details, { file: newest, offset: 0, sequence: 3, case: 'missing' });
    assert.match(error.message, /^journal-000000000003\.log: .*missing.*restore a backup; or .*--recover/);
    assert.deepEqual(await cases(disk, { ...context, recover: true }), ['missing']);
    assert.deepEqual(await cases(disk, context), ['overlap']);
  },

  async foreign() {
    const disk = await diskWith([1]);
    const newer = disk.bytesOf(first).slice();
    newer[8] = 5;
    disk.put(first, newer);
    for (const recover of [false, true]) {
      const error = await refused(disk, { recover });
      assert.match(
        error.message,
        /it is journal format version 5; this release reads the versions 1, 2, 3, 4/,
      );
    }
    disk.put(first, new TextEncoder().encode('{"log": []}'));
    assert.match((await refused(disk)).message, /begins with "{\\"log\\": "/);
  },
};

describe('recovery', () => {
  for (const [name, row] of Object.entries(recoveryTable)) {
    it(`finds "${name}" (${row.label}) and decides to ${row.outcome}`, rows[name as RecoveryCase]);
  }

  it('reports an incomplete end of any file except the newest as damage', async () => {
    const disk = await diskWith([1, 2], 'rotate', [3]);
    disk.put(first, disk.bytesOf(first).slice(0, -1));
    assert.equal((await refused(disk)).details.case, 'damaged-middle');
    assert.deepEqual(await recovered(disk, { recover: true }), [1]);
    assert.deepEqual(await disk.list(''), [first, `${first}.damaged`, `${journalFileName(3)}.damaged`]);
  });

  it('continues after a truncated tail as if the lost write had never started', async () => {
    const disk = await diskWith([1], [2]);
    disk.put(first, disk.bytesOf(first).slice(0, -1));
    const journal = await openJournal(disk);
    await journal.append([record(2), record(3)]);
    assert.deepEqual(await recovered(disk), [1, 2, 3]);
  });

  it('does not trust a length field', async () => {
    const disk = await diskWith([1], [2], [3]);
    const bytes = Buffer.from(disk.bytesOf(first));
    bytes.writeUInt32LE(0xffffffff, fileHeaderBytes + recordBytes + 16);
    disk.put(first, bytes);
    assert.equal((await refused(disk)).details.case, 'damaged-middle');
    bytes.writeUInt32LE(recordBytes + 10, fileHeaderBytes + recordBytes + 16);
    disk.put(first, bytes);
    assert.equal((await refused(disk)).details.case, 'damaged-middle');
  });

  it('finds a later write at any offset of a read', async () => {
    const windowBytes = 1 << 20;
    for (let shift = 0; shift <= recordHeaderBytes; shift++) {
      const disk = new SimDisk({ seed: 1 });
      const journal = await openJournal(disk);
      const length = windowBytes - recordHeaderBytes - shift;
      await journal.append([{ sequence: 1, payload: [new Uint8Array(length)] }]);
      await journal.append([record(2)]);
      damage(disk, first, fileHeaderBytes + recordHeaderBytes);
      assert.equal((await refused(disk)).details.case, 'damaged-middle');
    }
  });

  it('rejects a journal that begins after the end of the checkpoint', async () => {
    const disk = await diskWith([1, 2], 'rotate', [3]);
    await disk.remove(first);
    assert.deepEqual((await refused(disk, { checkpoint: 1 })).details, {
      file: journalFileName(3),
      offset: 0,
      sequence: 2,
      case: 'gap',
    });
    assert.deepEqual(await recovered(disk, { checkpoint: 2 }), [3]);
  });

  it('reports the newest file as missing without any file, and despite a torn end before the checkpoint', async () => {
    const empty = new SimDisk({ seed: 1 });
    for (const context of [
      { checkpoint: 2, opened: true },
      { checkpoint: 2, opened: false },
      { checkpoint: 0, opened: true },
    ]) {
      assert.equal((await refused(empty, context)).details.case, 'missing');
    }
    const disk = await diskWith([1, 2]);
    disk.put(first, disk.bytesOf(first).slice(0, -1));
    assert.equal((await refused(disk, { checkpoint: 2, opened: true })).details.case, 'missing');
    assert.deepEqual(await recovered(disk, { checkpoint: 2, opened: true, recover: true }), []);
    assert.deepEqual(await disk.list(''), [first, `${first}.damaged`, journalFileName(3)]);
  });

  it('reports no missing file if the newest one continues after the checkpoint', async () => {
    const disk = await diskWith([1, 2, 3]);
    assert.deepEqual(await recovered(disk, { checkpoint: 2, opened: true }), [3]);
  });

  // A copy that an older release made can be like this.
  it('starts a new file when the journal of a copy ends before the checkpoint', async () => {
    const disk = await diskWith([1, 2]);
    const journal = await openJournal(disk, { checkpoint: 10 });
    assert.equal(journal.lastSequence, 10);
    await journal.append([record(11)]);
    assert.deepEqual(await recovered(disk, { checkpoint: 10 }), [11]);
  });

  it('never overwrites files that an earlier recovery moved aside', async () => {
    const disk = await diskWith([1], [2], [3]);
    damage(disk, first, fileHeaderBytes + recordBytes);
    const journal = await openJournal(disk, { recover: true });
    await journal.append([record(2)]);
    await journal.append([record(3)]);
    damage(disk, first, fileHeaderBytes + recordBytes);
    assert.deepEqual(await recovered(disk, { recover: true }), [1]);
    assert.deepEqual(await disk.list(''), [first, `${first}.2.damaged`, `${first}.damaged`]);
  });

  it('keeps all records before the damage, and all bytes after it, even if --recover is interrupted', async () => {
    for (let steps = 0; steps < 40; steps++) {
      const disk = await diskWith([1], [2], [3], 'rotate', [4], 'rotate', [5]);
      damage(disk, first, fileHeaderBytes + recordBytes + recordHeaderBytes);
      disk.crashAfter(steps);
      await openJournal(disk, { recover: true }).catch(() => {});
      disk.restart();
      assert.deepEqual(await recovered(disk, { recover: true }), [1]);
      const kept = Object.values(await contents(disk)).join();
      for (const sequence of [3, 4, 5])
        assert.ok(kept.includes(Buffer.alloc(payloadBytes, sequence).toString('hex')));
    }
  });

  it('notices a truncation of a closed file at any byte', async () => {
    const disk = await closedDiskWith([1, 2], 'rotate', [3], [4, 5]);
    const newest = journalFileName(3);
    const whole = disk.bytesOf(newest);
    for (let bytes = fileHeaderBytes; bytes < whole.length; bytes++) {
      disk.put(newest, whole.slice(0, bytes));
      assert.equal((await refused(disk)).details.case, 'damaged-end');
    }
    await disk.remove(newest);
    assert.deepEqual((await refused(disk)).details.case, 'missing');
    assert.deepEqual(await recovered(disk, { recover: true }), [1, 2]);
    assert.deepEqual(await recovered(disk), [1, 2]);
  });

  it('distinguishes a closed file from another one of the same name', async () => {
    const disk = await closedDiskWith([1], [2]);
    const other = await closedDiskWith([1], [2], [3]);
    disk.put(first, other.bytesOf(first));
    assert.equal((await refused(disk)).details.case, 'damaged-end');
    assert.deepEqual(await recovered(disk, { recover: true }), [1, 2, 3]);
    assert.deepEqual(await recovered(disk), [1, 2, 3]);
  });

  // An older release goes on in the same way: it leaves the seal alone.
  it('knows after a crash what a clean close has sealed, and removes a torn end after it', async () => {
    const disk = await closedDiskWith([1], [2]);
    await appendAll(await openJournal(disk), [[3]]);
    const whole = disk.bytesOf(first);
    disk.put(first, whole.slice(0, -1));
    assert.deepEqual(await cases(disk), ['cut-tail']);
    assert.deepEqual(await recovered(disk), [1, 2]);
    disk.put(first, whole.slice(0, -recordBytes - 1));
    assert.equal((await refused(disk)).details.case, 'damaged-end');
  });

  it('ignores a seal once the journal continues in a newer file', async () => {
    const disk = await closedDiskWith([1], [2]);
    await appendAll(await openJournal(disk), ['rotate', [3]]);
    const bytes = disk.bytesOf(journalFileName(3));
    disk.put(journalFileName(3), bytes.slice(0, -1));
    assert.deepEqual(await cases(disk), ['cut-tail']);
    await disk.remove(first);
    assert.deepEqual(await recovered(disk, { checkpoint: 2 }), []);
  });

  it('does not seal the bytes of a failed sync', async () => {
    const disk = await diskWith([1]);
    const journal = await openJournal(disk);
    disk.failNext('sync');
    await assert.rejects(journal.append([record(2)]), { code: 'writes-disabled' });
    await journal.close();
    assert.deepEqual(await disk.list(''), [first]);
  });

  it('loses no commit and reports no damage if closing is interrupted at any step', async () => {
    for (let seed = 0; seed < 5; seed++) {
      for (let step = 0, crashed = true; crashed; step++) {
        const disk = new SimDisk({ seed });
        const journal = await openJournal(disk);
        await appendAll(journal, [[1], 'rotate', [2]]);
        await journal.close();
        const again = await openJournal(disk);
        await appendAll(again, [[3]]);
        disk.crashAfter(step);
        await again.close().catch(() => {});
        crashed = disk.crashed;
        if (seed % 2 === 0) disk.restart();
        else disk.kill();
        assert.deepEqual(await recovered(disk), [1, 2, 3], `seed ${seed}, step ${step}`);
        disk.restart();
        assert.deepEqual(await recovered(disk), [1, 2, 3], `seed ${seed}, step ${step}`);
      }
    }
  });

  it('rejects sealed damage until --recover has completed', async () => {
    for (let steps = 0, crashed = true; crashed; steps++) {
      const disk = await closedDiskWith([1], [2], [3]);
      // Its checksum, so that the payload can be found again.
      damage(disk, first, fileHeaderBytes + 2 * recordBytes + 8);
      disk.crashAfter(steps);
      await openJournal(disk, { recover: true }).catch(() => {});
      crashed = disk.crashed;
      disk.restart();
      const sealed = (await disk.list('')).includes(sealFile);
      if (sealed) assert.equal((await refused(disk)).details.case, 'damaged-end');
      assert.deepEqual(await recovered(disk, { recover: true }), [1, 2]);
      const kept = Object.values(await contents(disk)).join();
      assert.ok(kept.includes(Buffer.alloc(payloadBytes, 3).toString('hex')));
    }
  });

  it('removes a file whose creation was interrupted', async () => {
    const disk = await diskWith([1]);
    disk.put(`${journalFileName(2)}.new`, new Uint8Array(10));
    assert.deepEqual(await recovered(disk), [1]);
    assert.deepEqual(await disk.list(''), [first]);
  });

  it('makes records durable that survived a kill only in the page cache', async () => {
    for (let seed = 0; seed < 20; seed++) {
      const disk = new SimDisk({ seed });
      const journal = await openJournal(disk);
      disk.crashAfter(1);
      await assert.rejects(journal.append([record(1)]));
      disk.kill();
      const seen = await recovered(disk);
      disk.restart();
      assert.deepEqual(await recovered(disk), seen);
    }
  });

  it('makes records durable after a failed sync, although a second sync would succeed without writing them', async () => {
    for (let seed = 1; seed <= 20; seed++) {
      const disk = new SimDisk({ seed });
      const journal = await openJournal(disk);
      await journal.append([record(1)]);
      disk.failNext('sync');
      disk.failNext('truncate');
      await assert.rejects(journal.append([record(2)]), { code: 'writes-disabled' });
      disk.kill();
      assert.deepEqual(await recovered(disk), [1, 2]);
      disk.restart();
      assert.deepEqual(await recovered(disk), [1, 2], `seed ${seed}`);
    }
  });

  it('opens on a disk without room for a copy of the newest file', async () => {
    const disk = await diskWith([1], [2]);
    disk.kill();
    disk.capacity = disk.used + 10;
    assert.deepEqual(await recovered(disk), [1, 2]);
    assert.deepEqual(await disk.list(''), [first]);
  });

  it('copies the newest file once when it is fenced too', async () => {
    const disk = await diskWith([1], [2]);
    disk.kill();
    disk.appended.clear();
    assert.deepEqual(await recovered(disk, { fence: true }), [1, 2]);
    const written = [...disk.appended.values()].reduce((sum, bytes) => sum + bytes, 0);
    assert.equal(written, disk.bytesOf(first).length);
  });

  it('does not write a closed file again', async () => {
    const disk = await closedDiskWith([1], [2]);
    disk.capacity = disk.used;
    disk.appended.clear();
    assert.deepEqual(await recovered(disk), [1, 2]);
    assert.deepEqual([...disk.appended], []);
  });
});

function record(sequence: number): { sequence: number; payload: Uint8Array[] } {
  return { sequence, payload: [new Uint8Array(payloadBytes).fill(sequence)] };
}

/** A disk with a journal of these groups, `rotate` standing for a new file. It was not closed. */
async function diskWith(...steps: (number[] | 'rotate')[]): Promise<SimDisk> {
  const disk = new SimDisk({ seed: 1, shortReads: 0.2 });
  await appendAll(await openJournal(disk), steps);
  return disk;
}

/** The same, closed. */
async function closedDiskWith(...steps: (number[] | 'rotate')[]): Promise<SimDisk> {
  const disk = await diskWith(...steps);
  await (await openJournal(disk)).close();
  return disk;
}

async function appendAll(journal: Journal, steps: readonly (number[] | 'rotate')[]): Promise<void> {
  for (const step of steps) {
    if (step === 'rotate') await journal.beginCheckpoint();
    else await journal.append(step.map(record));
  }
}

function damage(disk: SimDisk, name: string, offset: number): void {
  const bytes = disk.bytesOf(name).slice();
  bytes[offset]! ^= 1;
  disk.put(name, bytes);
}

async function sequencesOf(journal: Journal, checkpoint: number): Promise<number[]> {
  const found: number[] = [];
  await journal.replay(checkpoint + 1, (sequence, payload) => {
    assert.deepEqual(Buffer.from(payload), Buffer.alloc(payloadBytes, sequence));
    found.push(sequence);
  });
  return found;
}

async function recovered(disk: SimDisk, options: JournalOptions = {}): Promise<number[]> {
  return sequencesOf(await openJournal(disk, options), options.checkpoint ?? 0);
}

async function findings(disk: SimDisk, options: JournalOptions = {}): Promise<Finding[]> {
  const found: Finding[] = [];
  await openJournal(disk, { ...options, log: (finding) => found.push(finding) });
  return found;
}

async function cases(disk: SimDisk, options: JournalOptions = {}): Promise<RecoveryCase[]> {
  return (await findings(disk, options)).map((finding) => finding.case);
}

/** The error that opening is refused with; nothing may have changed on the disk. */
async function refused(disk: SimDisk, options: JournalOptions = {}): Promise<JournalError> {
  const before = await contents(disk);
  const error = await openJournal(disk, options).then(
    () => assert.fail('The journal opened'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof JournalError && error.code === 'data-damaged', String(error));
  assert.deepEqual(await contents(disk), before);
  return error;
}

async function contents(disk: SimDisk): Promise<Record<string, string>> {
  const names = await disk.list('');
  return Object.fromEntries(names.map((name) => [name, Buffer.from(disk.bytesOf(name)).toString('hex')]));
}
