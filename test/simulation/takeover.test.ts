/**
 * A process that was stopped loses its data directory to another one, at any step of what it does,
 * and then goes on as if nothing had happened. What it acknowledged before is there, nothing is
 * acknowledged after, and what the other process wrote stays.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Disk, DiskFile, OpenMode } from '../../src/journal/disk/disk.ts';
import { FencedDisk } from '../../src/journal/disk/fenced-disk.ts';
import { writesDisabled } from '../../src/journal/errors.ts';
import { writeCheckpoint } from '../../src/store/checkpoint/write-checkpoint.ts';
import type { Store } from '../../src/store/thread/store.ts';
import { commit, contentOf, maintain, merge, openFenced, openOn } from '../support/stores.ts';
import { SimDisk } from './sim-disk.ts';

/** Calls `pause` before each operation on a disk. */
class PausingDisk implements Disk {
  readonly #disk: Disk;
  readonly #pause: () => Promise<void>;

  constructor(disk: Disk, pause: () => Promise<void>) {
    this.#disk = disk;
    this.#pause = pause;
  }

  async open(path: string, mode: OpenMode): Promise<DiskFile> {
    await this.#pause();
    const file = await this.#disk.open(path, mode);
    const pausing =
      <A extends unknown[], T>(operation: (...args: A) => Promise<T>) =>
      async (...args: A) => {
        await this.#pause();
        return operation.apply(file, args);
      };
    return {
      size: () => file.size(),
      read: (target, offset) => file.read(target, offset),
      append: pausing(file.append),
      sync: pausing(file.sync),
      truncate: pausing(file.truncate),
      close: () => file.close(),
    };
  }

  async list(directory: string): Promise<string[]> {
    await this.#pause();
    return this.#disk.list(directory);
  }

  async rename(from: string, to: string): Promise<void> {
    await this.#pause();
    return this.#disk.rename(from, to);
  }

  async remove(path: string): Promise<void> {
    await this.#pause();
    return this.#disk.remove(path);
  }

  async syncDirectory(path: string): Promise<void> {
    await this.#pause();
    return this.#disk.syncDirectory(path);
  }
}

const G = 'urn:x:g';
const triple = (text: string) => `<urn:s> <urn:p> "${text}" .`;
const quad = (text: string) => `<urn:s> <urn:p> "${text}" <${G}> .`;

/**
 * A directory whose owner is stopped at one of its steps for so long that another process takes
 * over.
 */
class SharedDirectory {
  readonly disk = new SimDisk({ seed: 1 });
  /** The directory as the first process sees it. */
  readonly firstDisk: Disk;
  /** What was acknowledged by the first process. */
  readonly acknowledged: string[] = [];
  taken = false;
  /** What the second process has seen and written. */
  #afterwards: string[] = [];
  #stepsLeft = Number.POSITIVE_INFINITY;

  readonly #makesCheckpoint: boolean;

  /** `where`: stopped before it makes sure that it has the directory, or just after. */
  constructor(where: 'before' | 'after', makesCheckpoint = false) {
    this.#makesCheckpoint = makesCheckpoint;
    const pause = async () => {
      if (this.#stepsLeft-- === 0) await this.#takeOver();
    };
    const requireOwnership = async () => {
      if (this.taken) throw writesDisabled('taken-over', undefined);
    };
    this.firstDisk =
      where === 'before'
        ? new PausingDisk(new FencedDisk(this.disk, requireOwnership), pause)
        : new FencedDisk(new PausingDisk(this.disk, pause), requireOwnership);
  }

  stopAfter(steps: number): void {
    this.#stepsLeft = steps;
  }

  /**
   * What an earlier process left: a checkpoint, a commit after it, and the files of a checkpoint of
   * that commit which never came to exist.
   */
  async prepare(): Promise<void> {
    const store = await openOn(this.disk, { journalMax: 64 });
    await commit(store, merge(G, triple('earlier')));
    await maintain(store, this.disk);
    await commit(store, merge(G, triple('later')));
    await leaveDrafts(store, this.disk);
    this.acknowledged.push('earlier', 'later');
  }

  async commitFirst(store: Store, text: string): Promise<void> {
    const operations = [merge(G, triple(text))];
    const { results } = await store.commit([{ preconditions: [], operations }]);
    if (results[0]?.ok) this.acknowledged.push(text);
    else assert.match(results[0]!.error.message, /^Writes are disabled until a restart/);
  }

  async #takeOver(): Promise<void> {
    this.taken = true;
    const store = await openFenced(this.disk, { journalMax: 64 });
    // Perhaps of the same commit as one that the first process is making.
    if (this.#makesCheckpoint) await maintain(store, this.disk);
    const found = contentOf(store);
    for (const text of this.acknowledged) assert.ok(found.includes(quad(text)), `${text} is lost`);
    await commit(store, merge(G, triple('second')));
    this.#afterwards = contentOf(store);
  }

  /** The first process is gone for good. */
  async check(message: string): Promise<void> {
    const store = await openOn(this.disk);
    assert.deepEqual(contentOf(store), this.#afterwards, message);
    await commit(store, merge(G, triple('third')));
    assert.equal(contentOf(await openOn(this.disk)).length, this.#afterwards.length + 1, message);
    for (const text of this.acknowledged)
      assert.ok(this.#afterwards.includes(quad(text)), `${message}: ${text}`);
  }
}

for (const where of ['before', 'after'] as const) {
  const when = `${where} it makes sure that it has the directory`;

  test(`stopped at any step, ${when}, a writer loses nothing acknowledged and acknowledges nothing lost`, async () => {
    const steps = await atEachStep(where, async (directory, stop) => {
      const store = await openFenced(directory.firstDisk);
      await directory.commitFirst(store, 'before');
      stop();
      for (const text of ['1', '2', '3']) await directory.commitFirst(store, text);
      return store;
    });
    assert.ok(steps >= 6);
  });

  for (const makesCheckpoint of [false, true]) {
    const other = makesCheckpoint ? 'a process that makes one too' : 'the other process';
    test(`stopped at any step, ${when}, a checkpoint leaves the data of ${other} alone`, async () => {
      const checkpoint = async (directory: SharedDirectory, stop: () => void) => {
        const store = await openFenced(directory.firstDisk, { journalMax: 64 });
        await directory.commitFirst(store, 'before');
        await maintain(store, directory.firstDisk);
        await directory.commitFirst(store, 'between');
        stop();
        await maintain(store, directory.firstDisk).catch(() => {});
        await directory.commitFirst(store, 'after');
        return store;
      };
      assert.ok((await atEachStep(where, checkpoint, makesCheckpoint)) >= 15);
    });
  }

  for (const makesCheckpoint of [false, true]) {
    const other = makesCheckpoint ? 'a process that makes a checkpoint' : 'the other process';
    test(`stopped at any step, ${when}, a start leaves the data of ${other} alone`, async () => {
      const start = async (directory: SharedDirectory, stop: () => void) => {
        await directory.prepare();
        stop();
        const store = await openFenced(directory.firstDisk).catch((error: unknown) => {
          assert.ok(directory.taken, String(error));
          return undefined;
        });
        if (store) await directory.commitFirst(store, 'after');
        return store;
      };
      assert.ok((await atEachStep(where, start, makesCheckpoint)) >= 6);
    });
  }

  test(`stopped at any step, ${when}, a checkpoint that fails leaves the files of another one alone`, async () => {
    const fail = async (directory: SharedDirectory, stop: () => void) => {
      const store = await openFenced(directory.firstDisk, { journalMax: 64 });
      await directory.commitFirst(store, 'before');
      await leaveDrafts(store, directory.firstDisk);
      stop();
      const error = { code: 'internal', message: 'no', details: {} } as const;
      await assert.rejects(store.endMaintenance({ kind: 'checkpoint', result: { ok: false, error } }));
      await directory.commitFirst(store, 'after');
      return store;
    };
    assert.ok((await atEachStep(where, fail, true)) >= 3);
  });
}

/** Writes the image of a checkpoint, and goes no further. */
async function leaveDrafts(store: Store, disk: Disk): Promise<void> {
  const wanted = await store.wantedMaintenance();
  assert.ok(wanted?.kind === 'checkpoint');
  await writeCheckpoint(disk, wanted.snapshot, wanted.imageFile);
}

/** Does something once for each of its steps, stopped there for long. The number of steps. */
async function atEachStep(
  where: 'before' | 'after',
  work: (directory: SharedDirectory, stop: () => void) => Promise<Store | undefined>,
  makesCheckpoint = false,
): Promise<number> {
  for (let step = 0; ; step++) {
    const directory = new SharedDirectory(where, makesCheckpoint);
    const store = await work(directory, () => directory.stopAfter(step));
    if (!directory.taken) return step;
    await store?.close().catch(() => {});
    await directory.check(`step ${step}`);
  }
}

test('a write that changes nothing is not acknowledged any more', async () => {
  const directory = new SharedDirectory('before');
  const store = await openFenced(directory.firstDisk);
  await directory.commitFirst(store, '1');
  await directory.commitFirst(store, '1');
  assert.deepEqual(directory.acknowledged, ['1', '1']);
  directory.stopAfter(0);
  await directory.commitFirst(store, '1');
  assert.deepEqual(directory.acknowledged, ['1', '1']);
  assert.ok(directory.taken && store.failure);
});

test('a checkpoint file of the same name that another process has is not touched', async () => {
  const disk = new SimDisk({ seed: 1 });
  const store = await openOn(disk, { journalMax: 64 });
  await commit(store, merge(G, triple('1')));
  const wanted = await store.wantedMaintenance();
  assert.ok(wanted?.kind === 'checkpoint');
  disk.put(wanted.imageFile, Buffer.from('another one'));
  const { snapshot, imageFile } = wanted;
  await assert.rejects(writeCheckpoint(disk, snapshot, imageFile), { code: 'EEXIST' });
  assert.equal(Buffer.from(disk.bytesOf(imageFile)).toString(), 'another one');
});
