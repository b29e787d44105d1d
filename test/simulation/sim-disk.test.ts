import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readFully } from '../../src/journal/disk/disk.ts';
import { describeDisk } from '../contracts/disk.contract.ts';
import { SimCrash, SimDisk } from './sim-disk.ts';

describeDisk('SimDisk', async () => new SimDisk({ seed: 1, shortReads: 0.3 }));

const seeds = Array.from({ length: 50 }, (_, seed) => seed);

async function appended(disk: SimDisk, length: number, sync: boolean): Promise<void> {
  const file = await disk.open('a', 'create');
  await file.append([new Uint8Array(length).fill(1)]);
  if (sync) await file.sync();
}

describe('SimDisk', () => {
  it('keeps synced data, and of the rest some, all or nothing', async () => {
    const sizes = new Set<number>();
    let torn = 0;
    for (const seed of seeds) {
      const disk = new SimDisk({ seed });
      await appended(disk, 1000, true);
      await disk.syncDirectory('');
      const file = await disk.open('a', 'append');
      await file.append([new Uint8Array(2000).fill(2)]);
      disk.restart();
      const bytes = disk.bytesOf('a');
      assert.ok(bytes.subarray(0, 1000).every((byte) => byte === 1));
      sizes.add(bytes.length);
      if (bytes.subarray(1000).includes(0) && bytes.subarray(1000).includes(2)) torn++;
    }
    assert.ok(sizes.size > 10 && torn > 5, `${sizes.size} sizes, ${torn} torn`);
  });

  it('may lose a file whose directory was not synced', async () => {
    let lost = 0;
    for (const seed of seeds) {
      const disk = new SimDisk({ seed });
      await appended(disk, 10, true);
      disk.restart();
      if ((await disk.list('')).length === 0) lost++;
    }
    assert.ok(lost > 5 && lost < 45, `${lost} lost`);
  });

  it('does not make up for a failed sync with a later one', async () => {
    let lost = 0;
    for (const seed of seeds) {
      const disk = new SimDisk({ seed });
      await appended(disk, 0, true);
      await disk.syncDirectory('');
      const file = await disk.open('a', 'append');
      await file.append([new Uint8Array(2000).fill(2)]);
      disk.failNext('sync');
      await assert.rejects(file.sync(), { code: 'EIO' });
      const seen = new Uint8Array(2000);
      await readFully(file, seen, 0);
      assert.ok(!seen.includes(0));
      await file.sync();
      disk.restart();
      if (disk.bytesOf('a').includes(0)) lost++;
    }
    assert.ok(lost > 30, `${lost} lost`);
  });

  it('writes as much as fits, and then fails with ENOSPC', async () => {
    const disk = new SimDisk({ seed: 1, capacity: 100 });
    const file = await disk.open('a', 'create');
    await assert.rejects(file.append([new Uint8Array(150)]), { code: 'ENOSPC' });
    assert.equal(await file.size(), 100);
  });

  it('fails all operations between a crash and the restart', async () => {
    const disk = new SimDisk({ seed: 1 });
    await appended(disk, 10, true);
    disk.crashAfter(1);
    await disk.list('');
    await assert.rejects(disk.list(''), SimCrash);
    await assert.rejects(disk.list(''), SimCrash);
    disk.restart();
    await disk.list('');
  });

  it('does the same for the same seed', async () => {
    const contents = [7, 7].map(async (seed) => {
      const disk = new SimDisk({ seed });
      await appended(disk, 5000, false);
      await disk.syncDirectory('');
      disk.restart();
      return Buffer.from(disk.bytesOf('a')).toString('hex');
    });
    const [first, second] = await Promise.all(contents);
    assert.equal(first, second);
  });
});
