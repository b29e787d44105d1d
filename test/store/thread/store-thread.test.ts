import assert from 'node:assert/strict';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { NodeDisk, openNodeDisk } from '../../../src/journal/disk/node-disk.ts';
import { ChangeFeedWriter } from '../../../src/snapshot/feed/change-feed.ts';
import { SnapshotWriter } from '../../../src/snapshot/write/snapshot-writer.ts';
import { writeCheckpoint } from '../../../src/store/checkpoint/write-checkpoint.ts';
import type { Operation } from '../../../src/store/main/transaction.ts';
import type { FromStore } from '../../../src/store/messages.ts';
import { StoreThread } from '../../../src/store/thread/store-thread.ts';
import { contentOn, merge } from '../../support/stores.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

/** A store thread in this thread, with what it posts. */
async function startThread(directory: string | null, journalMax = 2 ** 30) {
  const settings = { directory, journalMax, dataMax: 2 ** 31, recover: false };
  const posted: FromStore[] = [];
  let tell = () => {};
  const post = (message: FromStore) => {
    posted.push(message);
    tell();
  };
  const end = gate();
  const thread = new StoreThread(settings, { post, onClosed: end.open });
  const closed = end.opened;
  await thread.open();
  /** The first message of that kind. */
  const until = async <K extends FromStore['kind']>(kind: K): Promise<Extract<FromStore, { kind: K }>> => {
    for (;;) {
      const found = posted.find((message) => message.kind === kind);
      if (found) return found as Extract<FromStore, { kind: K }>;
      await new Promise<void>((resolve) => {
        tell = resolve;
      });
    }
  };
  return { thread, posted, until, closed };
}

/** A promise that is resolved from outside. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

function commitMessage(id: number, ...operations: Operation[]) {
  return { kind: 'commit', id, transaction: { preconditions: [], operations } } as const;
}

test('transactions that arrive together are committed and acknowledged together', async (context) => {
  const directory = await temporaryDirectory(context);
  const { thread, posted, until, closed } = await startThread(directory);
  const messages = [1, 2, 3].map((id) => commitMessage(id, merge('urn:x:g', `<urn:s> <urn:p> "${id}" .`)));
  thread.receive(commitMessage(0, merge('urn:x:g', '<urn:s> <urn:p> "0" .')));
  await until('committed');
  thread.receive(...messages, { kind: 'close' });
  await closed;
  const answered = posted.flatMap((message) =>
    message.kind === 'committed' ? [message.results.map(([id, { ok }]) => [id, ok])] : [],
  );
  assert.deepEqual(answered, [
    [[0, true]],
    [
      [1, true],
      [2, true],
      [3, true],
    ],
  ]);
});

test('a transaction before close is committed, and one after it gets an error', async (context) => {
  const directory = await temporaryDirectory(context);
  const { thread, posted, closed } = await startThread(directory);
  thread.receive(commitMessage(1, merge('urn:x:g', '<urn:s> <urn:p> "1" .')));
  thread.receive(commitMessage(2, merge('urn:x:g', '<urn:s> <urn:p> "2" .')));
  thread.receive({ kind: 'close' });
  thread.receive(commitMessage(3, merge('urn:x:g', '<urn:s> <urn:p> "3" .')));
  await closed;
  const answers = posted.flatMap((message) => (message.kind === 'committed' ? message.results : []));
  assert.deepEqual(
    answers.map(([id, result]) => [id, result.ok || result.error.code] as const).sort(([a], [b]) => a - b),
    [
      [1, true],
      [2, true],
      [3, 'shutting-down'],
    ],
  );
});

test('closing during maintenance releases the directory, and discards the result', async (context) => {
  const directory = await temporaryDirectory(context);
  const { thread, until, closed } = await startThread(directory, 64);
  thread.receive(commitMessage(1, merge('urn:x:g', '<urn:s> <urn:p> "1" .')));
  await until('wanted');
  thread.receive({ kind: 'close' });
  await closed;
  const image = { bytes: 0, pieceBytes: 1, pieces: [] };
  thread.receive({
    kind: 'maintained',
    outcome: { kind: 'checkpoint', result: { ok: true, value: { image, needsNewFormat: false } } },
  });
  const names = await readdir(directory);
  assert.deepEqual(
    names.filter((name) => name.startsWith('checkpoint') || name.startsWith('lock')),
    [],
  );
});

test('writes continue during a checkpoint', async (context) => {
  const directory = await temporaryDirectory(context);
  const { thread, posted, until, closed } = await startThread(directory, 64);
  const { rename } = NodeDisk.prototype;
  const renaming = gate();
  const answered = gate();
  thread.receive(commitMessage(1, merge('urn:x:g', '<urn:s> <urn:p> "1" .')));
  const { maintenance } = await until('wanted');
  assert.ok(maintenance.kind === 'checkpoint');
  const { snapshot, imageFile } = maintenance;
  const disk = await openNodeDisk(directory);
  const value = await writeCheckpoint(disk, snapshot, imageFile);
  context.mock.method(
    NodeDisk.prototype,
    'rename',
    async function (this: NodeDisk, from: string, to: string) {
      renaming.open();
      await answered.opened;
      await rename.call(this, from, to);
    },
  );
  thread.receive({ kind: 'maintained', outcome: { kind: 'checkpoint', result: { ok: true, value } } });
  await renaming.opened;
  posted.length = 0;
  thread.receive(commitMessage(2, merge('urn:x:g', '<urn:s> <urn:p> "2" .')));
  assert.ok((await until('committed')).results[0]?.[1].ok);
  thread.receive({ kind: 'close' });
  answered.open();
  await closed;
  assert.ok((await readdir(directory)).includes('checkpoint-000000000001.json'));
  assert.equal((await contentOn(disk)).length, 2);
});

test('a journal that cannot start a new file disables writes with a reason, and reads continue', async (context) => {
  const directory = await temporaryDirectory(context);
  const { thread, posted, until } = await startThread(directory, 64);
  await rm(directory, { recursive: true });
  thread.receive(commitMessage(1, merge('urn:x:g', '<urn:s> <urn:p> "1" .')));
  const { error } = await until('disabled');
  assert.equal(error.code, 'writes-disabled');
  assert.match(error.message, /a write to the journal failed \(ENOENT/);
  posted.length = 0;
  thread.receive(commitMessage(2, merge('urn:x:g', '<urn:s> <urn:p> "2" .')));
  const { results } = await until('committed');
  assert.deepEqual(results, [[2, { ok: false, error }]]);
});

test('an unexpected error is reported to all waiting clients and disables writes until a restart', async (context) => {
  const directory = await temporaryDirectory(context);
  const { thread, until, closed } = await startThread(directory);
  const { publish } = SnapshotWriter.prototype;
  SnapshotWriter.prototype.publish = () => assert.fail('unthinkable');
  try {
    thread.receive(commitMessage(1, merge('urn:x:g', '<urn:s> <urn:p> "1" .')));
    const { results } = await until('committed');
    const { error } = await until('disabled');
    assert.equal(error.code, 'writes-disabled');
    assert.match(error.message, /The store has failed \(unthinkable\)/);
    assert.deepEqual(results, [[1, { ok: false, error }]]);
  } finally {
    SnapshotWriter.prototype.publish = publish;
  }
  thread.receive({ kind: 'close' });
  await closed;
  // It was on disk already: there whole, though never acknowledged.
  assert.equal((await contentOn(await openNodeDisk(directory))).length, 1);
});

test('so does an error between the append and the publication', async (context) => {
  const directory = await temporaryDirectory(context);
  const { thread, until, closed } = await startThread(directory);
  context.mock.method(ChangeFeedWriter.prototype, 'write', () => assert.fail('unthinkable'), { times: 1 });
  thread.receive(commitMessage(1, merge('urn:x:g', '<urn:s> <urn:p> "1" .')));
  const { error } = await until('disabled');
  const { results, published } = await until('committed');
  assert.match(error.message, /The store has failed \(unthinkable\)/);
  assert.deepEqual([results, published], [[[1, { ok: false, error }]], null]);
  thread.receive({ kind: 'close' });
  await closed;
  assert.equal((await contentOn(await openNodeDisk(directory))).length, 1);
});

test('the error of a data directory that cannot be opened is reported, and the directory is released', async (context) => {
  const directory = join(await temporaryDirectory(context), 'file');
  await writeFile(directory, 'This is no directory.');
  const { posted, closed } = await startThread(directory);
  await closed;
  assert.deepEqual(
    posted.map((message) => message.kind),
    ['failed'],
  );
  assert.match(posted[0]?.kind === 'failed' ? posted[0].error.message : '', /is a file, not a directory/);
});

test('a journal that is too long at the start gets a checkpoint at once', async (context) => {
  const directory = await temporaryDirectory(context);
  const first = await startThread(directory);
  first.thread.receive(commitMessage(1, merge('urn:x:g', '<urn:s> <urn:p> "1" .')));
  first.thread.receive({ kind: 'close' });
  await first.closed;
  const second = await startThread(directory, 64);
  assert.equal((await second.until('wanted')).maintenance.kind, 'checkpoint');
  second.thread.receive({ kind: 'close' });
  await second.closed;
});
