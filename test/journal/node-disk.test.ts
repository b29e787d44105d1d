import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { afterBytes, openNodeDisk } from '../../src/journal/node-disk.ts';
import { describeDisk } from '../contracts/disk.contract.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

describeDisk('NodeDisk', async (context) => openNodeDisk(await temporaryDirectory(context)));

describe('NodeDisk', () => {
  it('says ENOSPC when the disk is full', { skip: process.platform !== 'linux' }, async () => {
    const file = await (await openNodeDisk('/dev')).open('full', 'append');
    await assert.rejects(file.append([new Uint8Array(10)]), { code: 'ENOSPC' });
    await file.close();
  });

  it('goes on after a short write with exactly the bytes that are left', () => {
    const chunks = fc.array(fc.uint8Array({ maxLength: 5 }));
    fc.assert(
      fc.property(chunks, fc.nat(), (written, some) => {
        const all = Buffer.concat(written);
        const count = some % (all.length + 1);
        const rest = afterBytes(written, count);
        assert.deepEqual(Buffer.concat(rest), all.subarray(count));
        if (count === all.length) assert.deepEqual(rest, []);
      }),
    );
  });
});
