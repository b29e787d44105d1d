import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type { Disk } from '../../src/journal/disk.ts';
import { openNodeDisk } from '../../src/journal/node-disk.ts';
import type { SnapshotDescriptor } from '../../src/snapshot/descriptor.ts';
import { DescriptorReceiver, type DescriptorUpdate } from '../../src/snapshot/descriptor-link.ts';
import { openSnapshot } from '../../src/snapshot/reader.ts';
import type { FromStore } from '../../src/store/messages.ts';
import { OxigraphRecord } from '../../src/store/oxigraph-record.ts';
import { StoreThread } from '../../src/store/store-thread.ts';
import { SimCrash, SimDisk } from '../simulation/sim-disk.ts';
import { checkpointFile } from '../support/checkpoint-names.ts';
import {
  commit,
  contentOf,
  drop,
  maintain,
  merge,
  openForReading,
  openOn,
  recordOf,
  replace,
} from '../support/stores.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';

const G = 'urn:x:g';

/** Leaves a checkpoint of two commits, and a journal behind it that adds and removes. Gives all quads. */
async function fill(disk: Disk): Promise<string[]> {
  const store = await openOn(disk, { journalMax: 64 });
  await commit(store, merge(G, '<urn:s> <urn:p> "1" .\n_:b <urn:p> "2" .'));
  await commit(store, merge('urn:x:gone', '<urn:s> <urn:p> "3" .'));
  assert.equal(await maintain(store, disk), 'checkpoint');
  await commit(store, replace(G, '<urn:s> <urn:p> "1" .\n<urn:s> <urn:p> "4" .'));
  await commit(store, drop('urn:x:gone'), merge('urn:x:new', '_:c <urn:p> _:d .'));
  await store.close();
  return contentOf(store);
}

const oneMore = {
  kind: 'commit',
  id: 1,
  transaction: { preconditions: [], operations: [merge(G, '<urn:s> <urn:p> "5" .')] },
} as const;
const oneMoreLine = '<urn:s> <urn:p> "5" <urn:x:g> .';

/** A store thread in this thread, which has just said that it is open, and what happened in which order. */
async function openThread(context: TestContext, prepare: (disk: Disk) => Promise<void> = async () => {}) {
  const directory = await temporaryDirectory(context);
  const disk = await openNodeDisk(directory);
  const content = await fill(disk);
  await prepare(disk);
  const events: string[] = [];
  const { loadLines } = OxigraphRecord.prototype;
  const spy = context.mock.method(OxigraphRecord.prototype, 'loadLines', loadAndTell);
  function loadAndTell(this: OxigraphRecord, lines: Uint8Array) {
    events.push('load');
    loadLines.call(this, lines);
  }
  const posted: FromStore[] = [];
  const settings = { directory, journalMax: 2 ** 30, recordMax: 2 ** 31, recover: false };
  const thread = new StoreThread(settings, (message) => {
    posted.push(message);
    const isOpened = message.kind === 'opened';
    events.push(
      isOpened ? `read ${openSnapshot(received(message.opened.snapshot)).quadCount} quads` : message.kind,
    );
  });
  const closed = new Promise<void>((resolve) => {
    thread.onClosed = resolve;
  });
  await thread.open();
  const end = async () => {
    thread.receive({ kind: 'close' });
    await closed;
    spy.mock.restore();
    return openOn(disk);
  };
  return { content, thread, events, posted, end };
}

/** Resolves when all answers are there. */
async function answered(posted: readonly FromStore[], count: number): Promise<FromStore[]> {
  for (;;) {
    const found = posted.filter(({ kind }) => kind === 'committed');
    if (found.length >= count) return found;
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test('the snapshot is there before the record, which then becomes equal to it', async () => {
  const disk = new SimDisk({ seed: 1 });
  const content = await fill(disk);
  const store = await openForReading(disk);
  assert.deepEqual(contentOf(store), content);
  assert.deepEqual(recordOf(store), []);
  await store.loadRecord();
  assert.deepEqual(recordOf(store), content);
});

test('all can be read before the record is loaded; a write waits for it, and happens once', async (context) => {
  const { content, thread, events, posted, end } = await openThread(context);
  thread.receive(oneMore);
  const [message] = await answered(posted, 1);
  assert.deepEqual(events, [`read ${content.length} quads`, 'load', 'committed']);
  assert.ok(message?.kind === 'committed' && message.published?.snapshot.sequence === 5);
  const reopened = await end();
  assert.deepEqual(contentOf(reopened), [...content, oneMoreLine].sort());
  assert.deepEqual(recordOf(reopened), contentOf(reopened));
  assert.equal(reopened.opened().snapshot.sequence, 5);
});

test('closing does not wait for the record: writes that do are refused, and nothing of them is stored', async (context) => {
  const { content, thread, events, posted, end } = await openThread(context);
  thread.receive(oneMore);
  const reopening = end();
  const [message] = await answered(posted, 1);
  const [, result] = (message?.kind === 'committed' && message.answers[0]) || [];
  assert.ok(result?.ok === false);
  assert.equal(result.error.code, 'shutting-down');
  const reopened = await reopening;
  assert.deepEqual(events, [`read ${content.length} quads`, 'committed']);
  assert.deepEqual(contentOf(reopened), content);
  assert.equal(reopened.opened().snapshot.sequence, 4);
});

test('quads that turn out damaged behind a sound image end writing by name, and reading goes on', async (context) => {
  let name = '';
  const { content, thread, events, posted } = await openThread(context, async (disk) => {
    name = await checkpointFile(disk, 'nq');
    const file = await disk.open(name, 'append');
    await file.append([Buffer.from('<urn:s> <urn:p> "1" <urn:x:more> .\n')]);
    await file.close();
  });
  thread.receive(oneMore);
  const [message] = await answered(posted, 1);
  const disabled = posted.find(({ kind }) => kind === 'disabled');
  assert.ok(disabled?.kind === 'disabled');
  assert.equal(disabled.fault.code, 'writes-disabled');
  assert.match(
    disabled.fault.message,
    new RegExp(`could not be loaded \\(${name} does not match its digest`),
  );
  assert.deepEqual(message?.kind === 'committed' && message.answers, [
    [1, { ok: false, error: disabled.fault }],
  ]);
  assert.deepEqual(events, [`read ${content.length} quads`, 'load', 'disabled', 'committed']);
});

test('a record that does not fit into memory ends writing as a full store does', async () => {
  const disk = new SimDisk({ seed: 1 });
  const content = await fill(disk);
  const store = await openForReading(disk);
  const { loadLines } = OxigraphRecord.prototype;
  OxigraphRecord.prototype.loadLines = trap;
  try {
    await assert.rejects(store.loadRecord(), /unreachable/);
  } finally {
    OxigraphRecord.prototype.loadLines = loadLines;
  }
  assert.equal(store.fault?.code, 'store-full');
  const { results } = await store.commit([oneMore.transaction]);
  assert.deepEqual(results, [{ ok: false, error: store.fault }]);
  assert.deepEqual(contentOf(store), content);
});

test('a kill or a power cut at any step of loading loses nothing', async () => {
  for (const end of ['kill', 'restart'] as const) {
    for (let step = 0, crashed = true; crashed; step++) {
      const disk = new SimDisk({ seed: step + 1 });
      const content = await fill(disk);
      const store = await openForReading(disk);
      disk.crashAfter(step);
      await store.loadRecord().catch((error: unknown) => assert.ok(error instanceof SimCrash));
      crashed = disk.crashed;
      disk[end]();
      const reopened = await openOn(disk);
      assert.deepEqual(contentOf(reopened), content, `${end} at step ${step}`);
      assert.deepEqual(recordOf(reopened), content);
    }
  }
});

/** Fails as Oxigraph does when its memory ends. */
function trap(): never {
  const { Instance, Module } = (globalThis as unknown as { WebAssembly: Wasm }).WebAssembly;
  new Instance(new Module(Uint8Array.from(TRAPPING_MODULE)));
  assert.fail('It is there to trap.');
}

interface Wasm {
  readonly Module: new (code: Uint8Array) => object;
  readonly Instance: new (module: object) => object;
}

/** A module whose start function is `unreachable`: type, function, start and code section behind the head. */
const TRAPPING_MODULE = [
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...[1, 4, 1, 0x60, 0, 0],
  ...[3, 2, 1, 0],
  ...[8, 1, 0],
  ...[10, 5, 1, 3, 0, 0, 0x0b],
];

function received(update: DescriptorUpdate): SnapshotDescriptor {
  return new DescriptorReceiver().receive(update);
}

test("changes of the journal are taken in without the record's quads being counted for each", async (context) => {
  const disk = await openNodeDisk(await temporaryDirectory(context));
  const content = await fill(disk);
  const counted = context.mock.getter(OxigraphRecord.prototype, 'size');
  const store = await openOn(disk);
  assert.equal(counted.mock.callCount(), 0);
  assert.deepEqual(await contentOf(store), content);
  await store.close();
});
