import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { openNodeDisk } from '../../src/journal/disk/node-disk.ts';
import type { JournalError } from '../../src/journal/errors.ts';
import { createJournalFile, journalFileName } from '../../src/journal/file-list.ts';
import { type Journal, openJournal } from '../../src/journal/journal.ts';
import { fileHeaderBytes, maxPayloadBytes, recordHeaderBytes } from '../../src/journal/record.ts';
import { sealFile } from '../../src/journal/seal.ts';
import { SimDisk } from '../simulation/sim-disk.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

describe('the journal', () => {
  it('returns appended records in order from a real disk', async (context) => {
    const disk = await openNodeDisk(await temporaryDirectory(context));
    const journal = await openJournal(disk);
    await journal.append([textRecord(1, 'one'), textRecord(2, 'two'), textRecord(3, '')]);
    await journal.beginCheckpoint();
    await journal.append([{ sequence: 4, payload: [Buffer.from('fo'), Buffer.from('ur')] }]);
    await journal.close();
    const reopened = await openJournal(disk);
    assert.equal(reopened.lastSequence, 4);
    assert.deepEqual(await texts(reopened), ['1 one', '2 two', '3 ', '4 four']);
    assert.deepEqual(await texts(reopened, 3), ['3 ', '4 four']);
    assert.deepEqual(await texts(reopened, 5), []);
    await reopened.close();
  });

  it('keeps payloads larger than one read', async (context) => {
    const disk = await openNodeDisk(await temporaryDirectory(context));
    const journal = await openJournal(disk);
    const large = Buffer.alloc(5_000_000, 'abcdefghij');
    await journal.append([textRecord(1, 'x'), { sequence: 2, payload: [large, large] }, textRecord(3, 'y')]);
    await journal.close();
    const reopened = await openJournal(disk);
    const lengths: number[] = [];
    await reopened.replay(1, (sequence, payload) => {
      lengths.push(payload.length);
      if (sequence === 2) assert.ok(Buffer.concat([large, large]).equals(payload));
    });
    assert.deepEqual(lengths, [1, 10_000_000, 1]);
    await reopened.close();
  });

  it('syncs once for a group', async () => {
    const { disk, journal } = await opened();
    const before = disk.steps;
    await journal.append(Array.from({ length: 50 }, (_, index) => textRecord(index + 1, 'x')));
    assert.equal(disk.steps - before, 2);
  });

  it('writes nothing for no records', async () => {
    const { disk, journal } = await opened();
    const before = disk.steps;
    await journal.append([]);
    assert.equal(disk.steps, before);
  });

  it('counts the bytes that no checkpoint has replaced', async () => {
    const { disk, journal } = await opened();
    assert.equal(journal.bytes, fileHeaderBytes);
    await journal.append([textRecord(1, '12345')]);
    assert.equal(journal.bytes, fileHeaderBytes + recordHeaderBytes + 5);
    await journal.beginCheckpoint();
    await journal.append([textRecord(2, '1')]);
    assert.equal(journal.bytes, 2 * (fileHeaderBytes + recordHeaderBytes) + 6);
    assert.equal((await openJournal(disk)).bytes, journal.bytes);
    await journal.checkpointed(1);
    assert.equal(journal.bytes, fileHeaderBytes + recordHeaderBytes + 1);
  });

  it('names a new file after its first record', async () => {
    const { disk, journal } = await opened();
    await journal.append([textRecord(1, 'x'), textRecord(2, 'x')]);
    await journal.beginCheckpoint();
    await journal.beginCheckpoint();
    assert.deepEqual(await disk.list(''), ['journal-000000000001.log', 'journal-000000000003.log']);
  });

  it('removes only files whose records the checkpoint covers, and never the newest', async () => {
    const { disk, journal } = await opened();
    await journal.append([textRecord(1, 'x'), textRecord(2, 'x')]);
    await journal.beginCheckpoint();
    await journal.append([textRecord(3, 'x'), textRecord(4, 'x')]);
    await journal.beginCheckpoint();
    await journal.append([textRecord(5, 'x')]);
    await journal.checkpointed(1);
    assert.equal((await disk.list('')).length, 3);
    await journal.checkpointed(3);
    assert.deepEqual(await disk.list(''), [journalFileName(3), journalFileName(5)]);
    await journal.checkpointed(5);
    assert.deepEqual(await disk.list(''), [journalFileName(5)]);
    await journal.append([textRecord(6, 'x')]);
    assert.deepEqual(await texts(await openJournal(disk, { checkpoint: 5 }), 6), ['6 x']);
  });

  it('removes files that an earlier process left', async () => {
    const { disk, journal } = await opened();
    await journal.append([textRecord(1, 'x')]);
    await journal.beginCheckpoint();
    await journal.close();
    const reopened = await openJournal(disk, { checkpoint: 1 });
    await reopened.checkpointed(1);
    assert.deepEqual(await disk.list(''), [journalFileName(2), sealFile]);
    assert.equal(reopened.lastSequence, 1);
  });

  it('rejects records out of order and overlapping changes as errors of its caller', async () => {
    const { journal } = await opened();
    await assert.rejects(journal.append([textRecord(2, 'x')]), RangeError);
    await assert.rejects(journal.append([textRecord(1, 'x'), textRecord(3, 'x')]), RangeError);
    const pending = journal.append([textRecord(1, 'x')]);
    await assert.rejects(journal.append([textRecord(2, 'x')]), /overlap/);
    await pending;
    assert.deepEqual(await texts(journal), ['1 x']);
  });

  it('rejects a payload that is too long for a record, and continues', async () => {
    const { journal } = await opened();
    const quarter = { length: maxPayloadBytes / 4 + 1 } as Uint8Array;
    const tooLarge = { sequence: 1, payload: [quarter, quarter, quarter, quarter] };
    await assert.rejects(journal.append([tooLarge]), { name: 'JournalError', code: 'too-large' });
    await journal.append([textRecord(1, 'x')]);
    assert.deepEqual(await texts(journal), ['1 x']);
  });

  for (const [operation, fault] of [
    ['append', 'write-failed'],
    ['sync', 'sync-failed'],
  ] as const) {
    it(`accepts nothing after a failed ${operation}, and removes what it had written`, async () => {
      const { disk, journal } = await opened();
      await journal.append([textRecord(1, 'x')]);
      disk.failNext(operation);
      await assert.rejects(journal.append([textRecord(2, 'lost')]), off(fault));
      await assert.rejects(journal.append([textRecord(2, 'again')]), off(fault));
      await assert.rejects(journal.beginCheckpoint(), off(fault));
      assert.deepEqual(await texts(journal), ['1 x']);
      disk.restart();
      assert.deepEqual(await texts(await openJournal(disk)), ['1 x']);
    });
  }

  it('reports a full disk, and works again after a restart with room', async () => {
    const { disk, journal } = await opened();
    await journal.append([textRecord(1, 'x')]);
    disk.capacity = 200;
    await assert.rejects(journal.append([textRecord(2, 'y'.repeat(200))]), off('no-space'));
    assert.equal(disk.bytesOf(journalFileName(1)).length, journal.bytes);
    await assert.rejects(journal.append([textRecord(2, 'y')]), off('no-space'));
    disk.restart();
    const reopened = await openJournal(disk);
    await reopened.append([textRecord(2, 'z')]);
    assert.deepEqual(await texts(reopened), ['1 x', '2 z']);
  });

  for (const operation of ['open', 'append', 'sync', 'rename', 'syncDirectory'] as const) {
    it(`accepts nothing after a failure of ${operation} for a new file, and loses nothing`, async () => {
      const { disk, journal } = await opened();
      await journal.append([textRecord(1, 'x')]);
      disk.failNext(operation);
      await assert.rejects(journal.beginCheckpoint(), off('write-failed'));
      await assert.rejects(journal.append([textRecord(2, 'y')]), off('write-failed'));
      disk.restart();
      const reopened = await openJournal(disk);
      await reopened.append([textRecord(2, 'y')]);
      assert.deepEqual(await texts(reopened), ['1 x', '2 y']);
    });
  }

  it('says why it accepts nothing without naming the directory (http-api 1.10)', async (context) => {
    const directory = await temporaryDirectory(context);
    const journal = await openJournal(await openNodeDisk(directory));
    await journal.append([textRecord(1, 'x')]);
    await rm(directory, { recursive: true });
    await assert.rejects(journal.beginCheckpoint(), ({ message }: Error) => {
      assert.match(message, /a write to the journal failed \(ENOENT: [^']*\)$/);
      return !message.includes(directory);
    });
    await journal.close();
  });

  it('accepts nothing after it is closed', async () => {
    const { journal } = await opened();
    await journal.close();
    await assert.rejects(journal.append([textRecord(1, 'x')]), off('closed'));
  });

  it('counts beyond 32 bits', async () => {
    const disk = new SimDisk({ seed: 1 });
    const far = 2 ** 40 + 5;
    await createJournalFile(disk, far + 1);
    const journal = await openJournal(disk, { checkpoint: far });
    await journal.append([textRecord(far + 1, 'x')]);
    assert.deepEqual(await texts(await openJournal(disk, { checkpoint: far })), [`${far + 1} x`]);
  });
});

async function opened(): Promise<{ disk: SimDisk; journal: Journal }> {
  const disk = new SimDisk({ seed: 1, shortReads: 0.2 });
  return { disk, journal: await openJournal(disk) };
}

function textRecord(sequence: number, content: string): { sequence: number; payload: Uint8Array[] } {
  return { sequence, payload: [Buffer.from(content)] };
}

async function texts(journal: Journal, from = 1): Promise<string[]> {
  const found: string[] = [];
  await journal.replay(from, (sequence, payload) => {
    found.push(`${sequence} ${Buffer.from(payload).toString()}`);
  });
  return found;
}

function off(fault: string): (error: unknown) => boolean {
  return (error) => {
    const { name, code, details } = error as JournalError;
    assert.deepEqual(
      { name, code, fault: details.failure },
      { name: 'JournalError', code: 'writes-disabled', fault },
    );
    return true;
  };
}
