import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { closeSync, openSync } from 'node:fs';
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

test('an overflow after the end does not reach a file that reuses the descriptor', async (context) => {
  const directory = await temporaryDirectory(context);
  let overflow: ((chunk: Uint8Array) => void) | undefined;
  const source: ByteSource = {
    [Symbol.asyncIterator]: () => assert.fail('the overflow is not taken'),
    // biome-ignore lint/correctness/useYield: it fails before the first chunk.
    async *readWithOverflow(write) {
      overflow = write;
      throw new Error('The client disconnected.');
    },
  };
  await assert.rejects(writeDraft(join(directory, 'draft'), source));
  const others = Array.from({ length: 10 }, (_, i) => join(directory, `other-${i}`));
  const descriptors = others.map((path) => openSync(path, 'wx+'));
  context.after(() => descriptors.forEach(closeSync));
  overflow!(Buffer.from('late'));
  for (const path of others) assert.equal(await readFile(path, 'utf8'), '');
});
