import assert from 'node:assert/strict';
import { test } from 'node:test';
import { check } from '../../../src/cli/check.ts';
import { writeClusterFile } from '../../../src/cluster/objects/cluster-file.ts';
import { openNodeDisk } from '../../../src/journal/disk/node-disk.ts';
import { openOn } from '../../support/stores.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

test('the directory of a process in a cluster is refused without its journal, and not changed', async (context) => {
  const directory = await temporaryDirectory(context);
  const disk = await openNodeDisk(directory);
  await writeClusterFile(disk, { identity: 'abcdefgh' });
  const refused = { code: 'bad-arguments', message: /copies for a process of a cluster.*--journal/ };
  await assert.rejects(openOn(disk), refused);
  await assert.rejects(check(directory), refused);
  assert.deepEqual(await disk.list(''), ['cluster.json']);
});
