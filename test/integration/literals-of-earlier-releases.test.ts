import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { check } from '../../src/cli/check.ts';
import { openNodeDisk } from '../../src/journal/disk/node-disk.ts';
import { openJournal } from '../../src/journal/journal.ts';
import { MAX_QUAD_BYTES } from '../../src/rdf/model/quad-limits.ts';
import { startServer } from '../support/server-process.ts';
import { commit, maintain, merge, openOn } from '../support/stores.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const LONG = 'long '.repeat(Math.ceil((MAX_QUAD_BYTES + 2 ** 20) / 5));
const POISONED = 'http://example.org/poisoned';

/**
 * Writes a triple that is longer than the limit, as the third commit. Earlier releases had no
 * limit.
 */
async function poison(directory: string, place: 'journal' | 'checkpoint'): Promise<void> {
  const disk = await openNodeDisk(directory);
  const store = await openOn(disk);
  await commit(store, merge('http://example.org/g', '<urn:x:s> <urn:x:p> "before" .'));
  await commit(store, merge(POISONED, '<urn:x:s> <urn:x:p> "beside" .'));
  await store.close();
  const journal = await openJournal(disk, { checkpoint: 0, opened: true });
  const rows = `TX .\nA <urn:x:s> <urn:x:p> "${LONG}" <${POISONED}> .\nTC .\n`;
  await journal.append([{ sequence: 3, payload: [Buffer.from(`H time "1760000000000" .\n${rows}`)] }]);
  await journal.close();
  if (place === 'journal') return;
  const again = await openOn(disk, { journalMax: 64 });
  assert.equal(await maintain(again, disk), 'checkpoint');
  await again.close();
}

describe('a stored literal that exceeds the limit', () => {
  for (const place of ['journal', 'checkpoint'] as const) {
    it(`is served from the ${place}, and stays deleted after a restart`, async (context) => {
      const data = await temporaryDirectory(context);
      await poison(data, place);
      assert.deepEqual((await check(data)).lines.at(-1), 'all is well');
      const args = ['--data', data, '--threads', '2'];
      const first = await startServer(context, args);
      const graph = (name: string) => `context?graph=${encodeURIComponent(name)}`;
      const read = async (url: string) => (await fetch(`${url}/${graph(POISONED)}&format=nt`)).text();
      const put = (url: string, name: string) =>
        fetch(`${url}/${graph(name)}`, {
          method: 'PUT',
          headers: { 'Content-Type': 'text/turtle' },
          body: '<urn:x:s> <urn:x:p> "after" .',
        });
      const text = await read(first.url);
      assert.ok(text.includes(`"${LONG}"`) && text.includes('"beside"'));
      assert.equal((await put(first.url, 'http://example.org/new')).status, 201);
      const removed = await fetch(`${first.url}/${graph(POISONED)}`, { method: 'DELETE' });
      assert.equal(removed.status, 200, await removed.text());
      assert.equal((await put(first.url, POISONED)).status, 201);
      assert.equal(await first.end('SIGTERM'), 0);

      const second = await startServer(context, args);
      assert.equal(await read(second.url), '<urn:x:s> <urn:x:p> "after" .\n');
      assert.equal(await second.end('SIGTERM'), 0);
      assert.deepEqual((await check(data)).lines.at(-1), 'all is well');
    });
  }
});
