import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readWholeFile } from '../../src/startup/whole-file.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const LONG = Buffer.alloc(5_000_000, 'abcdefg');

describe('a whole file', () => {
  it('is read, whatever its length', async (t) => {
    const file = join(await temporaryDirectory(t), 'file');
    for (const bytes of [Buffer.alloc(0), Buffer.from('x'), LONG.subarray(0, 1024 * 1024), LONG]) {
      await writeFile(file, bytes);
      assert.ok(Buffer.from(await readWholeFile(file)).equals(bytes), `${bytes.length} bytes`);
    }
  });

  it('may be a pipe', { skip: process.platform === 'win32' }, async (t) => {
    const directory = await temporaryDirectory(t);
    const [file, pipe] = [join(directory, 'file'), join(directory, 'pipe')];
    await writeFile(file, LONG);
    execFileSync('mkfifo', [pipe]);
    const writer = spawn('sh', ['-c', 'cat "$0" > "$1"', file, pipe], { stdio: 'ignore' });
    t.after(() => writer.kill('SIGKILL'));
    assert.ok(Buffer.from(await readWholeFile(pipe)).equals(LONG));
  });
});
