import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { type ByteSource, writeDraft } from '../../../src/store/content/write-file.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

test('a fast upload is written to the file, and not buffered in memory', async (context) => {
  const path = join(await temporaryDirectory(context), 'draft');
  const source: ByteSource = {
    async *[Symbol.asyncIterator]() {
      yield Buffer.from('and the rest');
    },
  };
  const written = writeDraft(path, source);
  assert.ok(source.onFlood);
  source.onFlood(Buffer.from('what came first, '));
  const { bytes, digest } = await written;
  assert.equal(source.onFlood, undefined);
  const text = 'what came first, and the rest';
  assert.equal(bytes, text.length);
  assert.equal(await readFile(path, 'utf8'), text);
  assert.equal(digest, createHash('sha256').update(text).digest('hex'));
});
