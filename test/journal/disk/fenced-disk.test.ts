import assert from 'node:assert/strict';
import { test } from 'node:test';
import { replaceByCopy } from '../../../src/journal/damaged-files.ts';
import { FencedDisk } from '../../../src/journal/disk/fenced-disk.ts';
import { writesDisabled } from '../../../src/journal/errors.ts';
import { openJournal } from '../../../src/journal/journal.ts';
import { SimDisk } from '../../simulation/sim-disk.ts';

const NAME = 'journal-000000000001.log';

test('a process that lost its directory does not truncate its last write', async () => {
  const disk = new SimDisk({ seed: 1 });
  let isLost = false;
  const fenced = new FencedDisk(disk, async () => {
    if (isLost) throw writesDisabled('taken-over', undefined);
  });
  const journal = await openJournal(fenced, { leased: true });
  await journal.append([{ sequence: 1, payload: [Buffer.from('one')] }]);
  const { length } = disk.bytesOf(NAME);
  isLost = true;
  await assert.rejects(journal.append([{ sequence: 2, payload: [Buffer.from('two')] }]), /taken over/);
  assert.ok(disk.bytesOf(NAME).length > length);
  const file = await fenced.open(NAME, 'read');
  await assert.rejects(file.truncate(0), /taken over/);
});

test('a copy does not replace a file that has become shorter', async () => {
  const disk = new SimDisk({ seed: 1 });
  disk.put(NAME, Buffer.from('0123456789'));
  await replaceByCopy(disk, NAME, 10);
  await assert.rejects(replaceByCopy(disk, NAME, 11), {
    code: 'data-damaged',
    message: /^journal-000000000001\.log has 10 bytes, not 11/,
  });
  assert.equal(Buffer.from(disk.bytesOf(NAME)).toString(), '0123456789');
});
