/**
 * node --import tsx test/damage/write-subject.ts DIRECTORY ENDING: fills a data directory as
 * planned, says `ready`, and is closed, or still has it open.
 */
import { join } from 'node:path';
import { openNodeDisk } from '../../src/journal/disk/node-disk.ts';
import { lockDirectory } from '../../src/journal/lock/lock.ts';
import { ContentFiles } from '../../src/store/content/storage.ts';
import type { Store } from '../../src/store/thread/store.ts';
import { commit, maintain, openOn } from '../support/stores.ts';
import {
  commitGroup,
  contents,
  groupsBeforeCheckpoint,
  groupsBeforeClosing,
  plannedGroups,
} from './subject-plan.ts';

const [directory = '', ending] = process.argv.slice(2);
const groups = plannedGroups(ending === 'killed' ? 'killed' : 'closed');
const lock = await lockDirectory(directory);
const disk = await openNodeDisk(directory);
const files = await ContentFiles.open(join(directory, 'content'));
const store = await openOn(disk, { journalMax: 64 });
for (const { resource, text } of contents) {
  const file = await files.write(chunksOf(text));
  const content = { ...file, contentType: 'text/plain', modified: 0 };
  await commit(store, { kind: 'register', resource }, { kind: 'content', resource, content });
}
await commitGroups(store, 0, groupsBeforeCheckpoint);
while ((await maintain(store, disk)) !== 'checkpoint');
await commitGroups(store, groupsBeforeCheckpoint, groupsBeforeClosing);
await store.close();
if (ending === 'closed') {
  await lock.release();
} else {
  const again = await openOn(disk);
  await commitGroups(again, groupsBeforeClosing, groups.length);
  setInterval(() => {}, 1000);
}
console.log('ready');

async function commitGroups(into: Store, from: number, to: number): Promise<void> {
  for (let i = from; i < to; i++) await commitGroup(into, disk, i, groups[i]!);
}

async function* chunksOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text);
}
