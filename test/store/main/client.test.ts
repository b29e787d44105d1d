import assert from 'node:assert/strict';
import { test } from 'node:test';
import { JournalMeter } from '../../../src/journal/meter.ts';
import { StoreClient, type StoreClientOptions } from '../../../src/store/main/client.ts';
import { SimDisk } from '../../simulation/sim-disk.ts';
import { InProcessStore } from '../../support/in-process.ts';
import { merge } from '../../support/stores.ts';

/** Transactions that are told apart at one time. */
const SLOTS = 1024;

const memory = { directory: null, journalMax: 2 ** 30, dataMax: 2 ** 31, recover: false };

test('an acknowledged transaction cannot be cancelled, and does not affect the next one of its slot', async (t) => {
  const store = await StoreClient.open({ ...memory, notice: () => {} });
  t.after(() => store.close());
  const begin = (match: '*' | undefined, value: number) =>
    store.beginCommit({
      preconditions: match ? [{ graph: 'urn:x:none', match }] : [],
      operations: [merge('urn:x:g', `<urn:s> <urn:p> "${value}" .`)],
    });
  const refused = begin('*', 0);
  assert.equal((await refused.result).ok, false);
  assert.equal(refused.cancel(), false, 'it was refused');
  const others = Array.from({ length: SLOTS }, (_, i) => begin(undefined, i));
  assert.equal(refused.cancel(), false, 'another one has its slot');
  const results = await Promise.all(others.map(({ result }) => result));
  assert.ok(results.every(({ ok }) => ok));
  for (const commit of [refused, ...others]) assert.equal(commit.cancel(), false);
});

test('T-12: a write that the store thread did not live to end is not reported as running', async (t) => {
  let thread: InProcessStore | undefined;
  let meter: JournalMeter | undefined;
  const startThread: StoreClientOptions['startThread'] = (settings) => {
    meter = new JournalMeter(settings.journalMeter);
    thread = new InProcessStore(settings, new SimDisk({ seed: 1 }), Date.now);
    return thread;
  };
  const store = await StoreClient.open({ ...memory, startThread, notice: () => {} });
  t.after(() => store.close());
  meter!.begin();
  thread!.emit('exit', 1);
  assert.equal(store.writeError?.code, 'writes-disabled');
  assert.equal(store.journal.busyMs, 0);
});
