import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { journalFileName } from '../../src/journal/file-list.ts';
import { inspectJournal, readRecord } from '../../src/journal/inspect-journal.ts';
import { openJournal } from '../../src/journal/journal.ts';
import { fileHeaderBytes, recordHeaderBytes } from '../../src/journal/record.ts';
import { SimDisk } from '../simulation/sim-disk.ts';

describe('inspection of a journal', () => {
  it('reports files, sequence numbers and sizes', async () => {
    const disk = await diskWithTwoFiles();
    const { files, movedAside, finding } = await inspectJournal(disk);
    const bytes = fileHeaderBytes + 2 * (recordHeaderBytes + 5);
    const common = { bytes, goodBytes: bytes, end: { kind: 'clean' } };
    const withoutMarker = files.map(({ marker, ...scan }) => scan);
    assert.ok(files.every(({ marker }) => /^[0-9a-f]{16}$/.test(marker)));
    assert.deepEqual(withoutMarker, [
      { name: journalFileName(1), firstSequence: 1, lastSequence: 2, ...common },
      { name: journalFileName(3), firstSequence: 3, lastSequence: 4, ...common },
    ]);
    assert.deepEqual(movedAside, []);
    assert.equal(finding.case, 'clean');
  });

  it('reports all damage and what a start would find, and changes nothing', async () => {
    const disk = await diskWithTwoFiles();
    for (const name of [journalFileName(1), journalFileName(3)]) {
      const bytes = disk.bytesOf(name).slice();
      bytes[fileHeaderBytes + recordHeaderBytes]! ^= 0x20;
      disk.put(name, bytes);
    }
    const before = await disk.list('');
    const { files, finding } = await inspectJournal(disk);
    const next = { offset: fileHeaderBytes + recordHeaderBytes + 5, sequence: 2 };
    assert.deepEqual(files[0]!.end, { kind: 'damaged', next });
    assert.deepEqual(files[1]!.end, { kind: 'damaged', next: { ...next, sequence: 4 } });
    assert.deepEqual(
      [finding.case, finding.file, finding.sequence],
      ['damaged-middle', journalFileName(1), 1],
    );
    assert.deepEqual(await disk.list(''), before);
  });

  it('lists what recovery moved aside', async () => {
    const disk = await diskWithTwoFiles();
    await disk.remove(journalFileName(1));
    await (await openJournal(disk, { recover: true })).close();
    assert.deepEqual((await inspectJournal(disk)).movedAside, [`${journalFileName(3)}.damaged`]);
  });

  it('reads a single record', async () => {
    const disk = await diskWithTwoFiles();
    assert.equal(Buffer.from((await readRecord(disk, 3))!).toString(), 'no. 3');
    assert.equal(Buffer.from((await readRecord(disk, 2))!).toString(), 'no. 2');
    assert.equal(await readRecord(disk, 5), undefined);
    assert.equal(await readRecord(disk, 0), undefined);
  });
});

/** Records 1 and 2 in one file, 3 and 4 in the next, each in a group of its own. */
async function diskWithTwoFiles(): Promise<SimDisk> {
  const disk = new SimDisk({ seed: 1 });
  const journal = await openJournal(disk);
  for (let sequence = 1; sequence <= 4; sequence++) {
    if (sequence === 3) await journal.beginCheckpoint();
    await journal.append([{ sequence, payload: [Buffer.from(`no. ${sequence}`)] }]);
  }
  await journal.close();
  return disk;
}
