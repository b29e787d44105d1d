import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { StoredObject } from '../../../src/cluster/objects/bucket.ts';
import {
  contentObject,
  SharedContent,
  type SharedContentParts,
} from '../../../src/cluster/objects/shared-content.ts';
import { AppError } from '../../../src/errors.ts';
import { ContentFiles } from '../../../src/store/content/storage.ts';
import type { ContentFile } from '../../../src/store/content/write-file.ts';
import { bytesOf, digestOf, piecesOf } from '../../contracts/object-bucket.contract.ts';
import { FakeObjectBucket } from '../../support/fake-object-bucket.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const DAY_MS = 86_400_000;
const nobody = () => false;

type Changes = Partial<SharedContentParts> & { readonly directory?: string };

/** The content of one process of a cluster. */
async function processOf(objects: FakeObjectBucket, context: TestContext, changes: Changes = {}) {
  const directory = changes.directory ?? (await temporaryDirectory(context));
  const local = await ContentFiles.open(directory);
  const lease = { mayRemove: () => true, catchUp: async () => true };
  const usual = { cacheMax: 2 ** 30, graceMs: DAY_MS, onClose: async () => {} };
  const parts = { local, objects, ...usual, ...lease, ...changes };
  return { content: new SharedContent(parts), directory };
}

async function localFiles(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

async function store(content: SharedContent, bytes: Uint8Array) {
  const file = await content.write(piecesOf(bytes));
  content.unpin(file.digest);
  return file;
}

test('content that one process has stored is read by another, completely and in part', async (context) => {
  const objects = new FakeObjectBucket();
  const { content } = await processOf(objects, context);
  const { content: other } = await processOf(objects, context);
  const bytes = randomBytes(1_000_000);
  const file = await store(content, bytes);
  assert.deepEqual(file, { digest: digestOf(bytes), bytes: bytes.length });
  assert.deepEqual(await bytesOf(await other.read(file, 400_000, 700_001)), bytes.subarray(400_000, 700_001));
  assert.deepEqual(await bytesOf(await other.read(file, 0, bytes.length)), bytes);
  assert.equal(objects.reads.length, 1, 'it is fetched once');
});

test('many readers at a time fetch content once', async (context) => {
  const objects = new FakeObjectBucket();
  const { content } = await processOf(objects, context);
  const { content: other } = await processOf(objects, context);
  const bytes = randomBytes(900_000);
  const file = await store(content, bytes);
  const read = async (start: number) => bytesOf(await other.read(file, start, start + 10));
  const found = await Promise.all([0, 5, 300_000, 899_990].map(read));
  assert.deepEqual(found[2], bytes.subarray(300_000, 300_010));
  assert.deepEqual(objects.reads, [contentObject(file.digest)]);
});

/** Objects whose pieces arrive when the test says so. */
class SlowBucket extends FakeObjectBucket {
  readonly #allowed: (() => void)[] = [];
  #isOpen = false;

  override async *read(object: StoredObject): AsyncGenerator<Uint8Array> {
    let isFirst = true;
    for await (const piece of super.read(object)) {
      if (!isFirst && !this.#isOpen) await new Promise<void>((resolve) => this.#allowed.push(resolve));
      isFirst = false;
      yield piece;
    }
  }

  /** Lets everything after the first piece arrive. */
  deliver(): void {
    this.#isOpen = true;
    for (const resolve of this.#allowed) resolve();
  }
}

test('content is read while it is being fetched, by all readers', { timeout: 20_000 }, async (context) => {
  const objects = new SlowBucket();
  const { content } = await processOf(objects, context);
  const { content: other, directory } = await processOf(objects, context);
  const bytes = randomBytes(1_000_000);
  const file = await store(content, bytes);
  const readers = [];
  for (const [start, end] of [
    [0, 1_000_000],
    [0, 1_000_000],
    [50_000, 900_000],
  ] as const) {
    const reader = (await other.read(file, start, end))[Symbol.asyncIterator]();
    const { value } = await reader.next();
    assert.deepEqual(Buffer.from(value), bytes.subarray(start, start + value.length));
    readers.push({ reader, at: start + Number(value.length), end });
  }
  const [left] = readers.splice(1, 1);
  await left!.reader.return?.();
  objects.deliver();
  for (const { reader, at, end } of readers) {
    const rest = await bytesOf({ [Symbol.asyncIterator]: () => reader });
    assert.deepEqual(rest, bytes.subarray(at, end));
  }
  assert.deepEqual(objects.reads, [contentObject(file.digest)]);
  assert.deepEqual(await localFiles(directory), [file.digest]);
  assert.deepEqual(await bytesOf(await other.read(file, 0, 1_000_000)), bytes);
});

test('readers of damaged or lost content get less than all of it', { timeout: 20_000 }, async (context) => {
  for (const code of ['data-damaged', 'unavailable'] as const) {
    const objects = new SlowBucket();
    const { content } = await processOf(objects, context);
    const { content: other, directory } = await processOf(objects, context);
    const file = await store(content, randomBytes(1_000_000));
    if (code === 'data-damaged') objects.damage(contentObject(file.digest));
    const reader = (await other.read(file, 0, file.bytes))[Symbol.asyncIterator]();
    let received = (await reader.next()).value.length as number;
    if (code === 'unavailable') objects.piecesLeft = 0;
    objects.deliver();
    const readAll = async () => {
      for (let next = await reader.next(); !next.done; next = await reader.next())
        received += next.value.length;
    };
    await assert.rejects(readAll(), { code });
    assert.ok(received > 0 && received < file.bytes);
    assert.deepEqual(await localFiles(directory), []);
    await assert.rejects(other.read(file, 0, 10), { code });
  }
});

test('content is stored only when the log servers have it', async (context) => {
  const objects = new FakeObjectBucket();
  const { content } = await processOf(objects, context);
  objects.isAway = true;
  await assert.rejects(content.write(piecesOf(randomBytes(10))), { code: 'unavailable' });
  objects.isAway = false;
  objects.piecesLeft = 1;
  await assert.rejects(content.write(piecesOf(randomBytes(900_000))), { code: 'unavailable' });
  assert.deepEqual(objects.names(), []);
});

test('an upload that breaks off when a log server is lost is repeated once', async (context) => {
  const objects = new FakeObjectBucket();
  const { content } = await processOf(objects, context);
  const bytes = randomBytes(900_000);
  let failures = 1;
  objects.beforeChange = async () => {
    if (failures-- > 0) throw new AppError('unavailable', 'A log server was lost.');
  };
  const file = await store(content, bytes);
  assert.deepEqual(objects.puts, [contentObject(file.digest)]);
  failures = 2;
  await assert.rejects(content.write(piecesOf(randomBytes(10))), { code: 'unavailable' });
});

test('while the log servers are away, local content is read, and other content is unavailable', async (context) => {
  const objects = new FakeObjectBucket();
  const { content } = await processOf(objects, context);
  const { content: other, directory } = await processOf(objects, context);
  const file = await store(content, Buffer.from('text'));
  const large = await store(content, randomBytes(900_000));
  objects.piecesLeft = 1;
  await assert.rejects(other.read(large, 0, 10), { code: 'unavailable' });
  await assert.rejects(other.read(file, 0, 4), { code: 'unavailable' });
  assert.deepEqual(await localFiles(directory), [], 'an interrupted fetch leaves nothing');
  assert.equal((await bytesOf(await content.read(file, 0, 4))).toString(), 'text');
  Object.assign(objects, { isAway: false, piecesLeft: Number.POSITIVE_INFINITY });
  assert.equal((await bytesOf(await other.read(file, 0, 4))).toString(), 'text');
});

test('a damaged local file is fetched again', async (context) => {
  const objects = new FakeObjectBucket();
  const { content, directory } = await processOf(objects, context);
  const file = await store(content, Buffer.from('text'));
  await writeFile(join(directory, file.digest.slice(0, 2), file.digest), 'tent');
  assert.equal((await bytesOf(await content.read(file, 0, 4))).toString(), 'text');
  assert.equal(content.damage.count, 0);
});

test('a damaged object is reported, and repaired when its content is stored again', async (context) => {
  const objects = new FakeObjectBucket();
  const { content } = await processOf(objects, context);
  const { content: other, directory } = await processOf(objects, context);
  const file = await store(content, Buffer.from('text'));
  objects.damage(contentObject(file.digest));
  await assert.rejects(other.read(file, 0, 2), { code: 'data-damaged' });
  assert.deepEqual(await localFiles(directory), []);
  await store(other, Buffer.from('text'));
  const { content: third } = await processOf(objects, context);
  assert.equal((await bytesOf(await third.read(file, 0, 4))).toString(), 'text');
});

test('content without an object is missing', async (context) => {
  const { content } = await processOf(new FakeObjectBucket(), context);
  const file = { digest: digestOf(Buffer.from('other')), bytes: 5 };
  await assert.rejects(content.read(file, 0, 5), { code: 'ENOENT' });
});

test('files that were not used for longest make room, except those in use', async (context) => {
  const objects = new FakeObjectBucket();
  const { content, directory } = await processOf(objects, context, { cacheMax: 2500 });
  const contents = ['a', 'b', 'c'].map((letter) => Buffer.alloc(1000, letter));
  const [a, b] = [await store(content, contents[0]!), await store(content, contents[1]!)];
  await bytesOf(await content.read(a, 0, 10));
  const c = await store(content, contents[2]!);
  assert.deepEqual((await localFiles(directory)).sort(), [a.digest, c.digest].sort());
  const reading = await content.read(a, 0, 10);
  assert.deepEqual(await bytesOf(await content.read(c, 0, 1)), contents[2]!.subarray(0, 1));
  await bytesOf(await content.read(b, 0, 10));
  assert.deepEqual((await localFiles(directory)).sort(), [a.digest, b.digest].sort());
  assert.equal((await bytesOf(reading)).toString(), 'aaaaaaaaaa');
});

test('a start takes stock of the files that are there, the oldest of which make room', async (context) => {
  const objects = new FakeObjectBucket();
  const { content, directory } = await processOf(objects, context);
  const files = [];
  for (const letter of ['a', 'b', 'c']) files.push(await store(content, Buffer.alloc(1000, letter)));
  const [a, b, c] = files as [ContentFile, ContentFile, ContentFile];
  for (const [index, { digest }] of [b, c, a].entries()) {
    await utimes(join(directory, digest.slice(0, 2), digest), 1000 + index, 1000 + index);
  }
  const { content: next } = await processOf(objects, context, { directory, cacheMax: 2500 });
  // Used before the stock is taken.
  await bytesOf(await next.read(b, 0, 1));
  while ((await localFiles(directory)).length > 2);
  assert.deepEqual((await localFiles(directory)).sort(), [a.digest, b.digest].sort());
  await next.close();
});

test('only the holder of the lease removes objects, and only old ones that nothing refers to', async (context) => {
  const objects = new FakeObjectBucket();
  const { content } = await processOf(objects, context);
  const { content: follower } = await processOf(objects, context, { mayRemove: () => false });
  objects.now = () => Date.now() - 2 * DAY_MS;
  const old = await store(content, Buffer.from('old'));
  const kept = await store(content, Buffer.from('kept'));
  objects.now = Date.now;
  const young = await store(content, Buffer.from('young'));
  const isKept = (digest: string) => digest === kept.digest;
  await content.release();
  assert.equal(await follower.sweep(isKept, DAY_MS), 0);
  assert.equal(await content.sweep(isKept, DAY_MS), 1);
  assert.deepEqual(objects.names(), [kept, young].map(({ digest }) => contentObject(digest)).sort());
  assert.ok(!objects.names().includes(contentObject(old.digest)));
});

test('a process that lacks commits removes nothing, since it does not know what is referred to', async (context) => {
  const objects = new FakeObjectBucket();
  const { content } = await processOf(objects, context, { catchUp: async () => false });
  objects.now = () => Date.now() - 2 * DAY_MS;
  await store(content, Buffer.from('text'));
  objects.now = Date.now;
  assert.equal(await content.sweep(nobody, DAY_MS), 0);
});

test('the clock of the log servers decides what is old, whatever that of the process is', async (context) => {
  const objects = new FakeObjectBucket();
  const { content } = await processOf(objects, context);
  const now = Date.now();
  for (const difference of [-3 * DAY_MS, 3 * DAY_MS]) {
    objects.now = () => now + difference;
    const text = Buffer.from(String(difference));
    await store(content, text);
    assert.equal(await content.sweep(nobody, DAY_MS), 0, 'young');
    objects.now = () => now + difference + 0.9 * DAY_MS;
    await store(content, text);
    objects.now = () => now + difference + 1.5 * DAY_MS;
    assert.equal(await content.sweep(nobody, DAY_MS), 0, 'young again');
    objects.now = () => now + difference + 2 * DAY_MS;
    assert.equal(await content.sweep(nobody, DAY_MS), 1);
  }
});

test('content that is stored again is young again, and needs no upload', async (context) => {
  const objects = new FakeObjectBucket();
  const { content } = await processOf(objects, context);
  objects.now = () => Date.now() - 2 * DAY_MS;
  const file = await store(content, Buffer.from('text'));
  objects.now = Date.now;
  await store(content, Buffer.from('text'));
  assert.equal(await content.sweep(nobody, DAY_MS), 0);
  assert.deepEqual(objects.puts, [contentObject(file.digest)]);
});

for (const [first, last] of [
  ['touch', 'remove'],
  ['remove', 'touch'],
] as const) {
  test(`of a writer and a sweep that meet, neither loses content, if the first does ${first}`, async (context) => {
    const objects = new FakeObjectBucket();
    const { content } = await processOf(objects, context);
    const { content: other } = await processOf(objects, context);
    objects.now = () => Date.now() - 2 * DAY_MS;
    const file = await store(content, Buffer.from('text'));
    objects.now = Date.now;
    // Both have found the old object when the first one changes it.
    const arrived = new Map<string, () => void>();
    objects.beforeChange = async (change) => {
      if (change === 'put') return;
      await new Promise<void>((resolve) => {
        arrived.set(change, resolve);
        if (arrived.size < 2) return;
        arrived.get(first)!();
        setImmediate(arrived.get(last)!);
      });
    };
    const writing = content.write(piecesOf(Buffer.from('text')));
    const [, removed] = await Promise.all([writing, other.sweep(nobody, DAY_MS)]);
    assert.equal(removed, first === 'touch' ? 0 : 1);
    assert.deepEqual(objects.names(), [contentObject(file.digest)]);
  });
}
