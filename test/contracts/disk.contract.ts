import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { type Disk, type DiskFile, readFully } from '../../src/journal/disk/disk.ts';

/** What every disk must do. `openDisk` makes an empty one that goes when the test ends. */
export function describeDisk(name: string, openDisk: (context: TestContext) => Promise<Disk>): void {
  const onDisk = (claim: string, test: (disk: Disk) => Promise<void>) =>
    it(claim, async (context) => test(await openDisk(context as TestContext)));

  describe(name, () => {
    onDisk('writes the chunks of an append one after another', async (disk) => {
      const file = await disk.open('a', 'create');
      await file.append([bytes('one '), bytes(''), bytes('two '), bytes('three')]);
      assert.equal(await file.size(), 13);
      assert.equal(await text(file), 'one two three');
      await file.close();
    });

    onDisk('writes thousands of chunks in one append', async (disk) => {
      const file = await disk.open('a', 'create');
      await file.append(Array.from({ length: 5000 }, (_, index) => bytes(`${index},`)));
      assert.equal(await text(file), Array.from({ length: 5000 }, (_, index) => `${index},`).join(''));
      await file.close();
    });

    onDisk('appends nothing when there are no bytes', async (disk) => {
      const file = await disk.open('a', 'create');
      await file.append([]);
      await file.append([bytes('')]);
      assert.equal(await file.size(), 0);
      await file.close();
    });

    onDisk('appends at the end of a file that is opened again', async (disk) => {
      await write(disk, 'a', 'one ');
      const file = await disk.open('a', 'append');
      await file.append([bytes('two')]);
      assert.equal(await text(file), 'one two');
      await file.close();
    });

    onDisk('appends where a truncation has cut', async (disk) => {
      await write(disk, 'a', 'one two');
      const file = await disk.open('a', 'append');
      await file.truncate(4);
      assert.equal(await file.size(), 4);
      await file.append([bytes('three')]);
      await file.sync();
      assert.equal(await text(file), 'one three');
      await file.close();
    });

    onDisk('reads from an offset, and nothing behind the end', async (disk) => {
      await write(disk, 'a', '0123456789');
      const file = await disk.open('a', 'read');
      const target = new Uint8Array(4);
      assert.equal(await readFully(file, target, 3), 4);
      assert.equal(Buffer.from(target).toString(), '3456');
      assert.equal(await readFully(file, target, 8), 2);
      assert.equal(await file.read(target, 10), 0);
      assert.equal(await file.read(target, 100), 0);
      await file.close();
    });

    onDisk('creates only files that are new', async (disk) => {
      await write(disk, 'a', 'one');
      await assert.rejects(disk.open('a', 'create'), { code: 'EEXIST' });
      assert.equal(await read(disk, 'a'), 'one');
    });

    onDisk('does not create what is opened to read or append', async (disk) => {
      await assert.rejects(disk.open('a', 'read'), { code: 'ENOENT' });
      await assert.rejects(disk.open('a', 'append'), { code: 'ENOENT' });
      assert.deepEqual(await disk.list(''), []);
    });

    onDisk('replaces what has the new name of a renamed file', async (disk) => {
      await write(disk, 'a', 'one');
      await write(disk, 'b', 'two');
      await disk.rename('a', 'b');
      await disk.syncDirectory('');
      assert.deepEqual(await disk.list(''), ['b']);
      assert.equal(await read(disk, 'b'), 'one');
      await assert.rejects(disk.rename('a', 'c'), { code: 'ENOENT' });
    });

    onDisk('keeps an open file usable when it is renamed', async (disk) => {
      const file = await disk.open('a', 'create');
      await file.append([bytes('one ')]);
      await disk.rename('a', 'b');
      await file.append([bytes('two')]);
      await file.close();
      assert.equal(await read(disk, 'b'), 'one two');
    });

    onDisk('removes files', async (disk) => {
      await write(disk, 'a', 'one');
      await disk.remove('a');
      await disk.syncDirectory('');
      assert.deepEqual(await disk.list(''), []);
      await assert.rejects(disk.remove('a'), { code: 'ENOENT' });
    });

    onDisk('finds nothing in directories that are not there', async (disk) => {
      await assert.rejects(disk.list('missing'), { code: 'ENOENT' });
      await assert.rejects(disk.open('missing/x', 'create'), { code: 'ENOENT' });
    });

    onDisk('refuses paths that leave the data directory', async (disk) => {
      for (const path of ['../a', '/etc/passwd', 'a/../../b', 'a\0b']) {
        await assert.rejects(disk.open(path, 'create'), RangeError, path);
        await assert.rejects(disk.open(path, 'read'), RangeError, path);
        await assert.rejects(disk.list(path), RangeError, path);
        await assert.rejects(disk.rename('a', path), RangeError, path);
        await assert.rejects(disk.remove(path), RangeError, path);
      }
    });
  });
}

function bytes(content: string): Uint8Array {
  return new TextEncoder().encode(content);
}

async function text(file: DiskFile): Promise<string> {
  const target = new Uint8Array(await file.size());
  await readFully(file, target, 0);
  return Buffer.from(target).toString();
}

async function write(disk: Disk, path: string, content: string): Promise<void> {
  const file = await disk.open(path, 'create');
  await file.append([bytes(content)]);
  await file.sync();
  await file.close();
}

async function read(disk: Disk, path: string): Promise<string> {
  const file = await disk.open(path, 'read');
  try {
    return await text(file);
  } finally {
    await file.close();
  }
}
