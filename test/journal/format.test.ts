import assert from 'node:assert/strict';
import { cp } from 'node:fs/promises';
import { test } from 'node:test';
import { openNodeDisk } from '../../src/journal/disk/node-disk.ts';
import { openJournal } from '../../src/journal/journal.ts';
import { projectFile } from '../support/project.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const fixture = projectFile('test/journal/fixtures/v1');

// These files were written when the format was made and are never written again.
test('journal files of format version 1 are read and appended to', async (context) => {
  const directory = await temporaryDirectory(context);
  await cp(fixture, directory, { recursive: true });
  const disk = await openNodeDisk(directory);
  const journal = await openJournal(disk, { log: (finding) => assert.fail(finding.message) });
  await journal.append([{ sequence: 6, payload: [Buffer.from('of today')] }]);
  const found: string[] = [];
  await journal.replay(1, (sequence, payload) =>
    found.push(`${sequence} ${Buffer.from(payload).toString()}`),
  );
  await journal.close();
  const long = 'long '.repeat(60);
  assert.deepEqual(found, [
    '1 alone',
    '2 first of a group',
    '3 ',
    `4 ${long}`,
    '5 in the next file',
    '6 of today',
  ]);
});
