import assert from 'node:assert/strict';
import fileSystem from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import fc from 'fast-check';
import { readFully } from '../../../src/journal/disk/disk.ts';
import { afterBytes, openNodeDisk } from '../../../src/journal/disk/node-disk.ts';
import { describeDisk } from '../../contracts/disk.contract.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

describeDisk('NodeDisk', async (context) => openNodeDisk(await temporaryDirectory(context)));

describe('NodeDisk', () => {
  it('makes the names of the directories that it creates durable, and no others', async (context) => {
    const parent = await temporaryDirectory(context as TestContext);
    const root = join(parent, 'a', 'b');
    const synced = spyOnSyncs(context as TestContext);
    await openNodeDisk(root);
    assert.deepEqual(synced.splice(0), [parent, dirname(root)]);
    await openNodeDisk(root);
    assert.deepEqual(synced, []);
  });

  it('reports ENOSPC on a full disk', { skip: process.platform !== 'linux' }, async () => {
    const file = await (await openNodeDisk('/dev')).open('full', 'append');
    await assert.rejects(file.append([new Uint8Array(10)]), { code: 'ENOSPC' });
    await file.close();
  });

  it('appends chunks longer than one write completely and in order', async (context) => {
    const disk = await openNodeDisk(await temporaryDirectory(context as TestContext));
    const file = await disk.open('long', 'create');
    const chunks = [3, 700_000, 0, 5, 262_144, 1_000_001].map((length, i) =>
      new Uint8Array(length).fill(i + 1),
    );
    await file.append(chunks);
    const read = new Uint8Array(await file.size());
    assert.equal(await readFully(file, read, 0), read.length);
    await file.close();
    assert.ok(Buffer.concat(chunks).equals(read));
  });

  it('continues after a short write with exactly the remaining bytes', () => {
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

/** The paths of what is opened and synced from now on. */
function spyOnSyncs(context: TestContext): unknown[] {
  const synced: unknown[] = [];
  const { open } = fileSystem;
  context.mock.method(fileSystem, 'open', async (...parameters: Parameters<typeof open>) => {
    const handle = await open(...parameters);
    const sync = handle.sync.bind(handle);
    handle.sync = () => sync().then(() => void synced.push(parameters[0]));
    return handle;
  });
  syncBuiltinESMExports();
  context.after(() => {
    context.mock.restoreAll();
    syncBuiltinESMExports();
  });
  return synced;
}
