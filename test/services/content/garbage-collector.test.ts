import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { ErrorData } from '../../../src/errors.ts';
import { openNodeDisk } from '../../../src/journal/disk/node-disk.ts';
import { ContentService } from '../../../src/services/content/content.ts';
import { ContentGarbageCollector } from '../../../src/services/content/garbage-collector.ts';
import { ResourceIndex } from '../../../src/services/resources/existence.ts';
import { GraphTable } from '../../../src/snapshot/graphs/table.ts';
import { ContentFiles } from '../../../src/store/content/storage.ts';
import type { CommitMessage } from '../../../src/store/messages.ts';
import { openOn } from '../../support/stores.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

async function* bytesOf(text: string) {
  yield Buffer.from(text);
}

for (const [code, writesAreOff] of [
  ['writes-disabled', true],
  ['store-full', true],
  ['precondition-failed', false],
] as const) {
  const kept = writesAreOff ? 'kept' : 'removed';
  test(`content whose commit was rejected with ${code} is ${kept}${writesAreOff ? ', since recovery may still find the commit' : ''}`, async (context) => {
    const directory = await temporaryDirectory(context);
    const opened = await openOn(await openNodeDisk(directory));
    const { snapshot } = opened.opened();
    await opened.close();
    const files = await ContentFiles.open(join(directory, 'content'));
    let writeError: ErrorData | undefined;
    const error = { code, message: '', details: {} };
    const commit = async (_: CommitMessage['transaction']) => {
      if (writesAreOff) writeError = error;
      return { ok: false as const, error };
    };
    const store = {
      snapshot,
      graphs: new GraphTable(),
      state: () => '',
      commit,
      get writeError() {
        return writeError;
      },
    };
    const index = new ResourceIndex(store, 'http://example.org');
    const garbageCollector = new ContentGarbageCollector(files, index, (fault) => assert.fail(String(fault)));
    const service = new ContentService(index, store, { files, garbageCollector, now: Date.now });
    const { digest } = await files.write(bytesOf('text'));
    files.unpin(digest);
    assert.equal((await service.put('urn:x:r', 'text/plain', bytesOf('text'), undefined)).ok, false);
    await garbageCollector.sweep(-1000);
    const file = await files.open(digest).catch(() => undefined);
    assert.equal(file !== undefined, writesAreOff);
    await file?.close();
  });
}
