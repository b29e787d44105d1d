import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { JournalError } from '../../../src/journal/errors.ts';
import { openSnapshot } from '../../../src/snapshot/read/reader.ts';
import { StoreClient } from '../../../src/store/main/client.ts';
import type { Transaction } from '../../../src/store/main/transaction.ts';
import { SimDisk } from '../../simulation/sim-disk.ts';
import { type FakeLog, FakeSharedLog } from '../../support/fake-log.ts';
import { InProcessStore } from '../../support/in-process.ts';
import { merge } from '../../support/stores.ts';

interface Process {
  readonly client: StoreClient;
  readonly log: FakeLog;
  readonly notices: string[];
}

async function start(shared: FakeSharedLog): Promise<Process> {
  const log = shared.open();
  const notices: string[] = [];
  const client = await StoreClient.open({
    directory: null,
    journalMax: 2 ** 30,
    dataMax: 2 ** 31,
    recover: false,
    notice: (message) => notices.push(message),
    startThread: (settings) =>
      new InProcessStore(settings, new SimDisk({ seed: 1 }), Date.now, {
        log,
        identity: shared.identity,
        checkpoints: undefined,
      }),
  });
  return { client, log, notices };
}

function triple(value: number): Transaction {
  return { preconditions: [], operations: [merge('urn:x:g', `<urn:s> <urn:p> "${value}" .`)] };
}

/** Waits for messages between the threads. */
async function until(condition: () => boolean): Promise<void> {
  for (let turns = 0; !condition(); turns++) {
    assert.ok(turns < 1000, 'it does not come');
    await turn();
  }
}

test('the main thread sees what other processes commit, without any request', async (t) => {
  const shared = new FakeSharedLog();
  const [a, b] = [await start(shared), await start(shared)];
  t.after(() => Promise.all([a.client.close(), b.client.close()]));
  a.client.setWriter(true);
  for (let value = 1; value <= 20; value++) assert.ok((await a.client.commit(triple(value))).ok);
  await until(() => b.client.snapshot.sequence === 20);
  assert.deepEqual(b.client.graphs.get('urn:x:g'), a.client.graphs.get('urn:x:g'));
  assert.equal(openSnapshot(b.client.snapshot).quadCount, openSnapshot(a.client.snapshot).quadCount);
  assert.equal(b.client.state(20), a.client.state(20));
});

test('another process becomes the writer', async (t) => {
  const shared = new FakeSharedLog();
  const [a, b] = [await start(shared), await start(shared)];
  t.after(() => Promise.all([a.client.close(), b.client.close()]));
  const early = await b.client.commit(triple(0));
  assert.ok(!early.ok && early.error.code === 'unavailable');
  a.client.setWriter(true);
  assert.ok((await a.client.commit(triple(1))).ok);
  a.client.setWriter(false);
  b.client.setWriter(true);
  const results = await Promise.all([a.client.commit(triple(2)), b.client.commit(triple(3))]);
  assert.deepEqual(
    results.map((result) => (result.ok ? result.value.sequence : result.error.code)),
    ['unavailable', 2],
  );
});

test('writes are answered at once while the log cannot be reached, and accepted again afterwards', async (t) => {
  const shared = new FakeSharedLog();
  const { client, log, notices } = await start(shared);
  t.after(() => client.close());
  client.setWriter(true);
  log.isConnected = false;
  await until(() => client.writeError !== undefined);
  assert.equal(client.writeError?.code, 'unavailable');
  const refused = await client.commit(triple(1));
  assert.ok(!refused.ok && refused.error.code === 'unavailable');
  log.isConnected = true;
  await until(() => client.writeError === undefined);
  assert.ok((await client.commit(triple(2))).ok);
  assert.deepEqual(notices, []);
});

test('what waits behind a group in doubt is refused; the group itself waits for its outcome', async (t) => {
  const shared = new FakeSharedLog();
  const { client, log } = await start(shared);
  t.after(() => client.close());
  client.setWriter(true);
  shared.faults = { ...shared.faults, lost: 1 };
  const inDoubt = client.commit(triple(1));
  await until(() => client.pending === 1 && !log.isAvailable && client.writeError !== undefined);
  log.isConnected = false;
  shared.faults = { ...shared.faults, lost: 0 };
  log.isConnected = true;
  assert.ok((await inDoubt).ok);
  await until(() => client.writeError === undefined);
});

test('a writer that was suspended for too long to learn the outcome of a write has been overtaken', async (t) => {
  const { client, log } = await start(new FakeSharedLog());
  t.after(() => client.close());
  client.setWriter(true);
  const failure = new JournalError('writes-disabled', 'its place was removed', { case: 'purged' });
  t.mock.method(log, 'append', async () => {
    t.mock.getter(log, 'hasForeign', () => true);
    t.mock.method(log, 'receive', () => Promise.reject(failure));
    throw failure;
  });
  const refused = await client.commit(triple(1));
  assert.ok(!refused.ok && refused.error.code === 'writes-disabled');
  assert.equal((await client.failed).isOvertaken, true);
});

test('a process with wrong data says so, and no longer writes', async (t) => {
  const shared = new FakeSharedLog();
  const [a, b] = [await start(shared), await start(shared)];
  t.after(() => Promise.all([a.client.close(), b.client.close()]));
  a.client.setWriter(true);
  b.log.isConnected = false;
  assert.ok((await a.client.commit(triple(1))).ok);
  shared.damage(1, 'byte');
  b.log.isConnected = true;
  const { error, isOvertaken } = await b.client.failed;
  assert.equal(isOvertaken, false);
  assert.equal(error.code, 'writes-disabled');
  assert.match(error.message, /can't follow the shared log any more: Record 1 was changed/);
  assert.equal(b.client.writeError, error);
  assert.deepEqual(b.notices, [error.message]);
});

test('a process can end while a group is in doubt', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const shared = new FakeSharedLog();
  const { client, log } = await start(shared);
  client.setWriter(true);
  shared.faults = { ...shared.faults, lost: 1 };
  const inDoubt = client.commit(triple(1));
  await until(() => !log.isAvailable && client.writeError !== undefined);
  const closed = client.close();
  for (let turns = 0; turns < 10; turns++) await turn();
  t.mock.timers.tick(60_000);
  await closed;
  const result = await inDoubt;
  assert.ok(!result.ok && result.error.code === 'writes-disabled');
});
