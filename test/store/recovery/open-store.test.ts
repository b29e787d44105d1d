import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeCheckpoint } from '../../../src/store/checkpoint/write-checkpoint.ts';
import type { Store } from '../../../src/store/thread/store.ts';
import { SimDisk } from '../../simulation/sim-disk.ts';
import { checkpointFile, withoutTokens } from '../../support/checkpoint-names.ts';
import { oracleLines } from '../../support/oxigraph-oracle.ts';
import {
  commit,
  contentOf,
  drop,
  maintain,
  merge,
  openOn,
  orderedContentOf,
  replace,
} from '../../support/stores.ts';

const G = 'urn:x:g';

/** Smaller than any journal with a record in it: a checkpoint is wanted after each commit. */
const CHECKPOINT_ALWAYS = { journalMax: 64 };

/** Terms that its dictionary holds. */
function termsOf(store: Store): number {
  return store.opened().snapshot.dictionary.termCount;
}

async function fill(store: Store): Promise<void> {
  await commit(
    store,
    merge(G, '<urn:z> <urn:p> _:b .\n_:b <urn:q> "caf\u00e9\\n"@fr .\n<urn:a> <urn:p> "1" .'),
  );
  await commit(store, replace('urn:x:h', '<urn:a> <urn:p> <urn:z> .'), replace('urn:x:empty', ''));
  await commit(store, merge('urn:x:gone', '<urn:y> <urn:p> "2" .'));
  await commit(store, drop('urn:x:gone'), merge(G, '<urn:b> <urn:p> <urn:a> .'));
}

test('a store recovers content, order and graphs from its journal', async () => {
  const disk = new SimDisk({ seed: 1 });
  const store = await openOn(disk);
  await fill(store);
  const reopened = await openOn(disk);
  assert.equal(orderedContentOf(reopened), orderedContentOf(store));
  assert.deepEqual(new Map(reopened.opened().graphs), new Map(store.opened().graphs));
  assert.deepEqual(await oracleLines(disk), contentOf(store));
  assert.deepEqual(reopened.opened().identity, store.opened().identity);
});

test('a store recovers from a checkpoint and the journal after it', async () => {
  const disk = new SimDisk({ seed: 1 });
  const store = await openOn(disk, CHECKPOINT_ALWAYS);
  await fill(store);
  assert.equal(await maintain(store, disk), 'checkpoint');
  assert.equal(await maintain(store, disk), 'nothing');
  await commit(store, merge('urn:x:later', '<urn:m> <urn:p> <urn:z> .'));
  const reopened = await openOn(disk);
  assert.equal(orderedContentOf(reopened), orderedContentOf(store));
  assert.deepEqual(new Map(reopened.opened().graphs), new Map(store.opened().graphs));
  assert.deepEqual(await oracleLines(disk), contentOf(store));
});

test('terms of any length are recovered from a checkpoint', async () => {
  const disk = new SimDisk({ seed: 1 });
  const store = await openOn(disk, CHECKPOINT_ALWAYS);
  const lengths = [1, 3_000_000, 400_000, 700_000, 1_048_576, 1, 2_500_000];
  const triples = lengths.map((length, i) => `<urn:s> <urn:p${i}> "${String(i).repeat(length)}" .`);
  await commit(store, merge(G, triples.join('\n')));
  assert.equal(await maintain(store, disk), 'checkpoint');
  const content = contentOf(store);
  const reopened = await openOn(disk);
  assert.ok(contentOf(reopened).join('\n') === content.join('\n'));
  assert.ok((await oracleLines(disk)).join('\n') === content.join('\n'));
});

test('terms of replaced values leave the dictionary', async () => {
  const disk = new SimDisk({ seed: 1 });
  const store = await openOn(disk, CHECKPOINT_ALWAYS);
  await fill(store);
  const many = Array.from({ length: 70_000 }, (_, i) => `<urn:s> <urn:p> "value ${i}" .`);
  await commit(store, replace('urn:x:many', many.join('\n')));
  await commit(store, replace('urn:x:many', '<urn:s> <urn:p> "the last" .'));
  while ((await maintain(store, disk)) !== 'checkpoint');
  const reopened = await openOn(disk);
  assert.ok(termsOf(store) > 70_000);
  assert.ok(termsOf(reopened) < 100, `${termsOf(reopened)} terms`);
  assert.equal(orderedContentOf(reopened), orderedContentOf(store));
  assert.deepEqual(await oracleLines(disk), contentOf(store));
  await commit(reopened, merge(G, '<urn:s> <urn:p> "value 1" .'));
  assert.deepEqual(await oracleLines(disk), contentOf(reopened));
});

test('each checkpoint replaces the one before and the journal that it covers', async () => {
  const disk = new SimDisk({ seed: 1 });
  const store = await openOn(disk, CHECKPOINT_ALWAYS);
  for (const i of [1, 2, 3]) {
    await commit(store, merge(G, `<urn:s> <urn:p> "${i}" .`));
    assert.equal(await maintain(store, disk), 'checkpoint');
  }
  assert.deepEqual(withoutTokens(await disk.list('')), [
    'checkpoint-000000000003.image',
    'checkpoint-000000000003.json',
    'identity.json',
    'journal-000000000004.log',
  ]);
  assert.equal(contentOf(await openOn(disk)).length, 3);
});

for (const kind of ['image', 'json', 'identity'] as const) {
  const label = kind === 'identity' ? 'identity.json' : `.${kind} of a checkpoint`;
  test(`a damaged ${label} is rejected by name, and nothing is changed`, async () => {
    const disk = new SimDisk({ seed: 1 });
    const store = await openOn(disk, CHECKPOINT_ALWAYS);
    await fill(store);
    await maintain(store, disk);
    const name = kind === 'identity' ? 'identity.json' : await checkpointFile(disk, kind);
    const bytes = Uint8Array.from(disk.bytesOf(name));
    bytes[0]! ^= 1;
    disk.put(name, bytes);
    const before = await disk.list('');
    await assert.rejects(openOn(disk), (error: Error & { code?: string }) => {
      return error.code === 'data-damaged' && error.message.includes(name);
    });
    assert.deepEqual(await disk.list(''), before);
  });
}

test('the error about a damaged image names the damaged piece, and a missing or resized image is rejected too', async () => {
  const disk = new SimDisk({ seed: 1, shortReads: 0.5 });
  const store = await openOn(disk, CHECKPOINT_ALWAYS);
  await fill(store);
  const wanted = await store.wantedMaintenance();
  assert.ok(wanted?.kind === 'checkpoint');
  const value = await writeCheckpoint(disk, wanted.snapshot, wanted.imageFile, 100);
  await store.endMaintenance({ kind: 'checkpoint', result: { ok: true, value } });
  const content = contentOf(store);
  assert.deepEqual(contentOf(await openOn(disk)), content);
  const image = disk.bytesOf(wanted.imageFile);
  const pieces = Math.ceil(image.length / 100);
  for (let at = 0; at < image.length; at += 37) {
    const damaged = Uint8Array.from(image);
    damaged[at]! ^= 1;
    disk.put(wanted.imageFile, damaged);
    // A header that makes no sense is refused before anything is compared.
    const piece = at < 64 ? /.*/ : new RegExp(`: piece ${Math.floor(at / 100) + 1} of ${pieces} \\(bytes `);
    await assert.rejects(openOn(disk), { code: 'data-damaged', message: piece });
  }
  disk.put(wanted.imageFile, image.subarray(0, -1));
  await assert.rejects(openOn(disk), { message: /has \d+ bytes, not \d+\. Nothing was changed; restore/ });
  await disk.remove(wanted.imageFile);
  await assert.rejects(openOn(disk), { code: 'data-damaged', message: /image is damaged: it is missing/ });
});

test('the files of an interrupted checkpoint are removed, and no others', async () => {
  const disk = new SimDisk({ seed: 1 });
  const store = await openOn(disk, CHECKPOINT_ALWAYS);
  await fill(store);
  await maintain(store, disk);
  const before = await disk.list('');
  disk.put('checkpoint-000000000009.nq', Buffer.from('half'));
  disk.put('checkpoint-000000000009-12ab.image', Buffer.from('half'));
  disk.put('checkpoint-000000000009.json.new', Buffer.from('{'));
  disk.put('checkpoint-000000000004.json.12ab.new', Buffer.from('{'));
  const reopened = await openOn(disk);
  assert.deepEqual(await disk.list(''), before);
  assert.deepEqual(contentOf(reopened), contentOf(store));
});

test('a recovery that loses commits gives the data a new identity, so that no old entity tag matches', async () => {
  const disk = new SimDisk({ seed: 1 });
  const store = await openOn(disk);
  await fill(store);
  const { identity } = store.opened();
  assert.deepEqual((await openOn(disk, { recover: true })).opened().identity, identity);
  const name = 'journal-000000000001.log';
  const bytes = Uint8Array.from(disk.bytesOf(name));
  bytes[bytes.length - 200]! ^= 1;
  disk.put(name, bytes);
  await assert.rejects(openOn(disk), { code: 'data-damaged' });
  const recovered = await openOn(disk, { recover: true });
  assert.ok(recovered.opened().snapshot.sequence < store.opened().snapshot.sequence);
  assert.notEqual(recovered.opened().identity.name, identity.name);
  assert.equal(recovered.opened().identity.created, identity.created);
  assert.deepEqual((await openOn(disk)).opened().identity, recovered.opened().identity);
});

for (const [what, options] of [
  ['that follows on a checkpoint', CHECKPOINT_ALWAYS],
  ['that was the only one', {}],
] as const) {
  test(`a missing journal file ${what} is rejected by name, and --recover continues without it`, async () => {
    const disk = new SimDisk({ seed: 1 });
    const store = await openOn(disk, options);
    await fill(store);
    const atCheckpoint = (await maintain(store, disk)) === 'checkpoint' ? contentOf(store) : [];
    await commit(store, merge(G, '<urn:m> <urn:p> "later" .'));
    const names = (await disk.list('')).filter((name) => name.startsWith('journal-'));
    assert.equal(names.length, 1);
    await disk.remove(names[0]!);
    const before = await disk.list('');
    await assert.rejects(openOn(disk), (error: Error & { code?: string }) => {
      return error.code === 'data-damaged' && error.message.startsWith(`${names[0]}: `);
    });
    assert.deepEqual(await disk.list(''), before);
    const notices: string[] = [];
    const recovered = await openOn(disk, { recover: true, notices });
    assert.match(notices.join(), /the newest journal file is missing/);
    assert.deepEqual(contentOf(recovered), atCheckpoint);
    assert.notEqual(recovered.opened().identity.name, store.opened().identity.name);
    await commit(recovered, merge(G, '<urn:m> <urn:p> "after it" .'));
    const reopened = await openOn(disk);
    assert.equal(contentOf(reopened).length, atCheckpoint.length + 1);
  });
}

test('a power cut at any step of the first start leaves a directory that starts', async () => {
  for (let step = 0, crashed = true; crashed; step++) {
    const disk = new SimDisk({ seed: step });
    disk.crashAfter(step);
    await openOn(disk).catch(() => {});
    crashed = disk.crashed;
    if (step % 2 === 0) disk.restart();
    else disk.kill();
    const store = await openOn(disk);
    await commit(store, merge(G, '<urn:m> <urn:p> "1" .'));
  }
});
