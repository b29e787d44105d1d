import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openNodeDisk } from '../../src/journal/node-disk.ts';
import { describeDisk } from '../contracts/disk.contract.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

describeDisk('NodeDisk', async (context) => openNodeDisk(await temporaryDirectory(context)));

describe('NodeDisk', () => {
  it('says ENOSPC when the disk is full', { skip: process.platform !== 'linux' }, async () => {
    const file = await (await openNodeDisk('/dev')).open('full', 'append');
    await assert.rejects(file.append([new Uint8Array(10)]), { code: 'ENOSPC' });
    await file.close();
  });
});
