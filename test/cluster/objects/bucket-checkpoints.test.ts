import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { LogPosition } from '../../../src/cluster/nats/genesis.ts';
import { BucketCheckpoints } from '../../../src/cluster/objects/bucket-checkpoints.ts';
import { sharedCheckpoints } from '../../../src/cluster/objects/share-checkpoint.ts';
import { readText } from '../../../src/journal/disk/durable-file.ts';
import { openSnapshot } from '../../../src/snapshot/read/reader.ts';
import {
  checkpointFiles,
  findCheckpoint,
  installCheckpoint,
  newCheckpointName,
  removeAllBut,
} from '../../../src/store/checkpoint/checkpoint.ts';
import { readCheckpoint } from '../../../src/store/checkpoint/read-checkpoint.ts';
import { writeCheckpoint } from '../../../src/store/checkpoint/write-checkpoint.ts';
import type { FetchProgress } from '../../../src/store/cluster/shared-checkpoints.ts';
import { SimDisk } from '../../simulation/sim-disk.ts';
import { FakeObjectBucket } from '../../support/fake-object-bucket.ts';
import { MemoryEntries } from '../../support/memory-entries.ts';
import { commit, merge, openOn } from '../../support/stores.ts';

const IDENTITY = 'abcdefgh';
const positionOf = (commit: number): LogPosition => ({ commit, sequence: 10 * commit, hash: `h${commit}` });

/** What the processes of a cluster share. */
function newCluster() {
  return { objects: new FakeObjectBucket(), entries: new MemoryEntries() };
}

type Cluster = ReturnType<typeof newCluster>;

/** A process of it, with its directory. */
function newProcess(cluster: Cluster, disk = new SimDisk({ seed: 1 }), identity = IDENTITY) {
  const progress: FetchProgress[] = [];
  const starts: LogPosition[] = [];
  const noted: LogPosition[] = [];
  const checkpoints = new BucketCheckpoints({
    open: async () => ({ ...cluster, close: async () => {} }),
    identity,
    log: {
      start: positionOf(0),
      positionOf,
      startAt: (position) => starts.push(position),
      noteCheckpoint: (position) => noted.push(position),
    },
    onFetch: (each) => progress.push(each),
  });
  return { disk, progress, starts, noted, checkpoints };
}

type Process = ReturnType<typeof newProcess>;

/** Installs a checkpoint in a directory as the store does; returns the names of its files. */
async function installLocally(disk: SimDisk, sequence: number): Promise<string[]> {
  const store = await openOn(new SimDisk({ seed: 2 }));
  await commit(store, merge('urn:x:g', `<urn:s> <urn:p> "${'x'.repeat(5000)}${sequence}" .`));
  const { snapshot } = store.opened();
  const name = newCheckpointName(sequence);
  const { imageFile, manifestFile } = checkpointFiles(name);
  const output = await writeCheckpoint(disk, snapshot, imageFile, 4096);
  const { quadCount } = snapshot;
  await installCheckpoint(disk, { ...name, ...output, quadCount, graphs: [] });
  return [imageFile, manifestFile];
}

async function share({ disk, checkpoints }: Process, sequence: number): Promise<void> {
  await checkpoints.install(await installLocally(disk, sequence), sequence);
}

/** The commit and the quads of the checkpoint in a directory. */
async function found(disk: SimDisk) {
  const checkpoint = await findCheckpoint(disk);
  if (!checkpoint) return undefined;
  const writer = await readCheckpoint(disk, checkpoint, assert.fail);
  return [checkpoint.sequence, openSnapshot(writer.publish(checkpoint.sequence)).quadCount];
}

test('a checkpoint of one process is fetched by another, with its position in the log', async () => {
  const cluster = newCluster();
  const writer = newProcess(cluster);
  await writer.checkpoints.fetch(writer.disk);
  assert.deepEqual([writer.starts, await found(writer.disk)], [[], undefined]);
  await share(writer, 7);
  const reader = newProcess(cluster);
  await reader.checkpoints.fetch(reader.disk);
  assert.deepEqual(reader.starts, [positionOf(7)]);
  assert.deepEqual(await found(reader.disk), [7, 1]);
  const file = JSON.parse(await readText(reader.disk, 'cluster.json'));
  assert.deepEqual(file, { format: 1, identity: IDENTITY, checkpoint: positionOf(7) });
  const { files } = (await sharedCheckpoints(cluster))!.newest;
  const total = files.reduce((sum, { bytes }) => sum + bytes, 0);
  assert.deepEqual(reader.progress[0], { commit: 7, done: 0, total });
  assert.deepEqual(reader.progress.at(-1), { commit: 7, done: total, total });
});

test('the log of another process learns the place of a checkpoint that was shared', async () => {
  const cluster = newCluster();
  const [writer, reader] = [newProcess(cluster), newProcess(cluster)];
  for (const each of [writer, reader]) await each.checkpoints.fetch(each.disk);
  await reader.checkpoints.refresh();
  assert.deepEqual(reader.noted, []);
  await share(writer, 7);
  await reader.checkpoints.refresh();
  assert.deepEqual(reader.noted, [positionOf(7)]);
});

test('what the directory has is not fetched again, unless it is not what is shared', async () => {
  const cluster = newCluster();
  const writer = newProcess(cluster);
  await writer.checkpoints.fetch(writer.disk);
  await share(writer, 7);
  for (const each of [newProcess(cluster, writer.disk), newProcess(cluster, writer.disk)]) {
    await each.checkpoints.fetch(writer.disk);
  }
  assert.deepEqual(cluster.objects.reads, []);
  // Installed, but the process ended before it was shared.
  await installLocally(writer.disk, 9);
  const next = newProcess(cluster, writer.disk);
  await next.checkpoints.fetch(writer.disk);
  assert.deepEqual([next.starts, await found(writer.disk)], [[positionOf(7)], [7, 1]]);
});

test('the newest checkpoint and the one before are kept', async () => {
  const cluster = newCluster();
  const writer = newProcess(cluster);
  await writer.checkpoints.fetch(writer.disk);
  for (const sequence of [1, 2, 3, 4]) await share(writer, sequence);
  assert.equal(cluster.objects.names().length, 4);
  const shared = await sharedCheckpoints(cluster);
  assert.deepEqual([shared?.newest.position.commit, shared?.before?.position.commit], [4, 3]);
  const files = [...shared!.newest.files, ...shared!.before!.files].map(({ object }) => object);
  assert.deepEqual(files.toSorted(), cluster.objects.names());
});

test('remains of uploads are removed once they are old', async () => {
  const cluster = newCluster();
  const writer = newProcess(cluster);
  await writer.checkpoints.fetch(writer.disk);
  const remains = async function* () {
    yield Buffer.from('x');
  };
  await cluster.objects.put({ name: 'checkpoint/young/image' }, remains());
  cluster.objects.now = () => Date.now() - 3_700_000;
  await cluster.objects.put({ name: 'checkpoint/old/image' }, remains());
  await cluster.objects.put({ name: 'content/old' }, remains());
  cluster.objects.now = Date.now;
  await share(writer, 1);
  const others = cluster.objects.names().filter((name) => !/^checkpoint\/[0-9a-f]+\//.test(name));
  assert.deepEqual(others, ['checkpoint/young/image', 'content/old']);
});

test('a checkpoint replaces an older one that another process shares at the same time', async () => {
  const cluster = newCluster();
  const [first, second] = [newProcess(cluster), newProcess(cluster)];
  for (const { checkpoints, disk } of [first, second]) await checkpoints.fetch(disk);
  cluster.entries.beforeChange = () => share(second, 8);
  // The log is then purged, so there must be a shared checkpoint that is as new.
  await share(first, 9);
  const shared = await sharedCheckpoints(cluster);
  assert.deepEqual([shared?.newest.position.commit, shared?.before?.position.commit], [9, 8]);
  assert.equal(cluster.objects.names().length, 4);
});

test('of two processes that share a checkpoint, one wins, and nothing of the other is left', async () => {
  const cluster = newCluster();
  const [first, second] = [newProcess(cluster), newProcess(cluster)];
  for (const { checkpoints, disk } of [first, second]) await checkpoints.fetch(disk);
  cluster.entries.beforeChange = () => share(second, 8);
  await share(first, 7);
  assert.equal((await sharedCheckpoints(cluster))?.newest.position.commit, 8);
  assert.equal(cluster.objects.names().length, 2);
  await share(first, 8);
  assert.equal(cluster.objects.puts.length, 4, 'one that is as new is not uploaded');
});

test('an interrupted upload shares nothing, and the next one succeeds', async () => {
  const cluster = newCluster();
  const writer = newProcess(cluster);
  await writer.checkpoints.fetch(writer.disk);
  cluster.objects.piecesLeft = 1;
  await assert.rejects(share(writer, 1), { code: 'unavailable' });
  Object.assign(cluster.objects, { isAway: false, piecesLeft: Number.POSITIVE_INFINITY });
  assert.equal(await sharedCheckpoints(cluster), undefined);
  await share(writer, 2);
  assert.equal((await sharedCheckpoints(cluster))?.newest.position.commit, 2);
});

test('an image that has changed on disk is not shared', async () => {
  const cluster = newCluster();
  const writer = newProcess(cluster);
  await writer.checkpoints.fetch(writer.disk);
  const [image, manifest] = (await installLocally(writer.disk, 1)) as [string, string];
  for (const at of [0, 5000, -1]) {
    const bytes = Uint8Array.from(writer.disk.bytesOf(image));
    const changed = Uint8Array.from(bytes);
    changed.set([bytes.at(at)! ^ 1], at < 0 ? bytes.length + at : at);
    writer.disk.put(image, changed);
    await assert.rejects(writer.checkpoints.install([image, manifest], 1), { code: 'data-damaged' });
    writer.disk.put(image, bytes.subarray(0, -1));
    await assert.rejects(writer.checkpoints.install([image, manifest], 1), { code: 'data-damaged' });
    writer.disk.put(image, bytes);
  }
  assert.equal(await sharedCheckpoints(cluster), undefined);
  assert.deepEqual(cluster.objects.names(), []);
});

test('objects with other bytes are not installed', async () => {
  const cluster = newCluster();
  const writer = newProcess(cluster);
  await writer.checkpoints.fetch(writer.disk);
  await share(writer, 1);
  for (const { object } of (await sharedCheckpoints(cluster))!.newest.files) {
    cluster.objects.damage(object);
    const reader = newProcess(cluster);
    await assert.rejects(reader.checkpoints.fetch(reader.disk), { code: 'data-damaged' });
    assert.equal(await found(reader.disk), undefined);
    cluster.objects.damage(object);
  }
});

test('a file is fetched again if the bytes of one server are wrong', async (context) => {
  const cluster = newCluster();
  const writer = newProcess(cluster);
  await writer.checkpoints.fetch(writer.disk);
  await share(writer, 1);
  const [image] = (await sharedCheckpoints(cluster))!.newest.files;
  cluster.objects.damage(image!.object);
  const read = cluster.objects.read.bind(cluster.objects);
  context.mock.method(cluster.objects, 'read').mock.mockImplementationOnce(async function* (object) {
    try {
      yield* read(object);
    } finally {
      // The other server has them as they were written.
      cluster.objects.damage(image!.object);
    }
  });
  const reader = newProcess(cluster);
  await reader.checkpoints.fetch(reader.disk);
  assert.ok(await found(reader.disk));
});

test('a checkpoint that is replaced while it is fetched is fetched anew', async () => {
  const cluster = newCluster();
  const writer = newProcess(cluster);
  await writer.checkpoints.fetch(writer.disk);
  await share(writer, 1);
  const reader = newProcess(cluster);
  // Its first answer is from before.
  const outdated = await cluster.entries.get('checkpoint');
  for (const sequence of [2, 3]) await share(writer, sequence);
  cluster.entries.nextAnswer = outdated;
  await reader.checkpoints.fetch(reader.disk);
  assert.deepEqual(await found(reader.disk), [3, 1]);
});

test('a power cut or a lost connection at any step of a fetch leaves no or a whole checkpoint', async () => {
  const cluster = newCluster();
  const writer = newProcess(cluster);
  await writer.checkpoints.fetch(writer.disk);
  await share(writer, 1);
  const before = newProcess(cluster);
  await before.checkpoints.fetch(before.disk);
  await share(writer, 2);
  for (const hadOlder of [false, true]) {
    for (let step = 0, isDone = false; !isDone; step++) {
      const reader = newProcess(cluster, new SimDisk({ seed: step }));
      if (hadOlder) for (const name of before.disk.names()) reader.disk.put(name, before.disk.bytesOf(name));
      reader.disk.crashAfter(step);
      isDone = await reader.checkpoints.fetch(reader.disk).then(
        () => true,
        () => false,
      );
      reader.disk.restart();
      const after = await found(reader.disk);
      assert.ok(after === undefined || after[1] === 1, `step ${step}`);
      const again = newProcess(cluster, reader.disk);
      await again.checkpoints.fetch(reader.disk);
      await removeAllBut(reader.disk, await findCheckpoint(reader.disk));
      assert.deepEqual([await found(reader.disk), again.starts], [[2, 1], [positionOf(2)]]);
      assert.equal(reader.disk.names().length, 3);
    }
  }
});

test('the directory of a single server, or of another data set, is refused and not changed', async () => {
  const cluster = newCluster();
  const single = new SimDisk({ seed: 1 });
  await (await openOn(single)).close();
  const writer = newProcess(cluster);
  await writer.checkpoints.fetch(writer.disk);
  await share(writer, 1);
  for (const [disk, message] of [
    [single, /has a journal of its own.*pathpool import/],
    [writer.disk, /belongs to another data set \(abcdefgh\).*empty it/],
  ] as const) {
    const names = disk.names();
    const other = newProcess(newCluster(), disk, 'otherone');
    await assert.rejects(other.checkpoints.fetch(disk), (error: Error) => {
      assert.match(error.message, message);
      assert.equal((error as { code?: unknown }).code, 'bad-arguments');
      return true;
    });
    assert.deepEqual(disk.names(), names);
  }
});
