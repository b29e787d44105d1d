import assert from 'node:assert/strict';
import { appendFile, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { PartReader } from '../../src/load/document-parts.ts';
import { sourceFile } from '../../src/load/source-file.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const row = '<urn:s> <urn:p> "a value" .\n';

async function fileOf(context: TestContext, text: string) {
  const file = join(await temporaryDirectory(context), 'a.nt');
  await writeFile(file, text);
  return { file, source: await sourceFile(file, 'urn:x:g') };
}

test('a file that grows while it is read is rejected', async (context) => {
  const { file, source } = await fileOf(context, row.repeat(300_000));
  const parts = new PartReader().partsOf([source]);
  const { value } = await parts.next();
  assert.equal(value?.isLast, false);
  await appendFile(file, row);
  await assert.rejects(
    async () => {
      for await (const part of parts) assert.equal(part.isLast, false);
    },
    { code: 'precondition-failed', message: /a\.nt has changed .*Nothing of it was loaded.*again/ },
  );
});

test('a file that changed between inspection and reading is rejected', async (context) => {
  const { file, source } = await fileOf(context, row);
  await utimes(file, 1, 1);
  await assert.rejects(new PartReader().partsOf([source]).next(), { code: 'precondition-failed' });
});
