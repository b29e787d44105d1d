import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { type ByteSource, writeDraft } from '../../../src/store/content/write-file.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

test('an overflow during the request is written to the file, and not buffered in memory', async (context) => {
  const path = join(await temporaryDirectory(context), 'draft');
  let overflow: ((chunk: Uint8Array) => void) | undefined;
  const rest = async function* () {
    yield Buffer.from('and the rest');
  };
  const source: ByteSource = {
    [Symbol.asyncIterator]: () => assert.fail('the overflow is not taken'),
    readWithOverflow(write) {
      overflow = write;
      return rest();
    },
  };
  const written = writeDraft(path, source);
  assert.ok(overflow);
  overflow(Buffer.from('what came first, '));
  const { bytes, digest } = await written;
  const text = 'what came first, and the rest';
  assert.equal(bytes, text.length);
  assert.equal(await readFile(path, 'utf8'), text);
  assert.equal(digest, createHash('sha256').update(text).digest('hex'));
});
