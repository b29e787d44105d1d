import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { open, readdir, truncate, unlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { FileRange } from '../../../src/store/content/file-range.ts';
import { ContentFiles } from '../../../src/store/content/storage.ts';
import type { ByteSource } from '../../../src/store/content/write-file.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

async function* chunks(...texts: string[]) {
  for (const text of texts) yield Buffer.from(text);
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

async function filesIn(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

async function textOf(files: ContentFiles, digest: string, start: number, end: number): Promise<string> {
  let text = '';
  for await (const chunk of new FileRange(await files.open(digest), start, end)) {
    text += Buffer.from(chunk).toString();
  }
  return text;
}

const nobody = () => false;
const somebody = () => true;

test('content is stored under its digest, and read completely or in part', async (context) => {
  const files = await ContentFiles.open(join(await temporaryDirectory(context), 'content'));
  const file = await files.write(chunks('abc', 'def'));
  assert.deepEqual(file, { digest: digestOf('abcdef'), bytes: 6 });
  assert.equal(await textOf(files, file.digest, 0, 6), 'abcdef');
  assert.equal(await textOf(files, file.digest, 2, 4), 'cd');
});

test('chunks written at once are at their place, and count in the digest', async (context) => {
  const files = await ContentFiles.open(await temporaryDirectory(context));
  const source: ByteSource = {
    [Symbol.asyncIterator]: () => assert.fail('the overflow is not taken'),
    async *readWithOverflow(overflow) {
      yield Buffer.from('first ');
      overflow(Buffer.from('flood '));
      overflow(Buffer.from('more '));
      yield Buffer.from('last');
    },
  };
  const { digest, bytes } = await files.write(source);
  assert.deepEqual([digest, bytes], [digestOf('first flood more last'), 21]);
  assert.equal(await textOf(files, digest, 0, bytes), 'first flood more last');
});

test('an upload that fails leaves nothing behind', async (context) => {
  const directory = await temporaryDirectory(context);
  const files = await ContentFiles.open(directory);
  const broken = async function* () {
    yield Buffer.from('half');
    throw new Error('gone');
  };
  await assert.rejects(files.write(broken()), /gone/);
  assert.deepEqual(await filesIn(directory), []);
});

test('a file is removed when nothing refers to it and no writer uses it', async (context) => {
  const directory = await temporaryDirectory(context);
  const files = await ContentFiles.open(directory);
  const { digest } = await files.write(chunks('x'));
  await files.release(digest, nobody);
  assert.deepEqual(await filesIn(directory), [digest]);
  files.unpin(digest);
  await files.release(digest, somebody);
  assert.deepEqual(await filesIn(directory), [digest]);
  await files.release(digest, nobody);
  assert.deepEqual(await filesIn(directory), []);
});

test('bytes written again during the removal of their file are stored', async (context) => {
  const files = await ContentFiles.open(await temporaryDirectory(context));
  for (let i = 0; i < 20; i++) {
    const first = await files.write(chunks('same'));
    files.unpin(first.digest);
    const [again] = await Promise.all([files.write(chunks('same')), files.release(first.digest, nobody)]);
    assert.equal(await textOf(files, again.digest, 0, 4), 'same');
    files.unpin(again.digest);
  }
});

test("when the directory is another process's, nothing is written or removed", async (context) => {
  const directory = await temporaryDirectory(context);
  const files = await ContentFiles.open(directory);
  const { digest } = await files.write(chunks('x'));
  files.unpin(digest);
  files.abandon();
  await assert.rejects(files.write(chunks('y')), { code: 'writes-disabled' });
  await files.release(digest, nobody);
  assert.equal(await files.sweep(nobody, -1_000), 0);
  assert.deepEqual(await filesIn(directory), [digest]);
  assert.equal(await textOf(files, digest, 0, 1), 'x');
});

test('a sweep removes old unreferenced files, and opening removes incomplete ones', async (context) => {
  const directory = await temporaryDirectory(context);
  const files = await ContentFiles.open(directory);
  const digests: string[] = [];
  for (const text of ['old', 'kept', 'young']) {
    const { digest } = await files.write(chunks(text));
    files.unpin(digest);
    digests.push(digest);
    if (text !== 'young') await utimes(join(directory, digest.slice(0, 2), digest), 1, 1);
  }
  await writeFile(join(directory, 'incoming', 'half'), 'half');
  const reopened = await ContentFiles.open(directory);
  assert.equal(await reopened.sweep((digest) => digest === digests[1], 3_600_000), 1);
  assert.deepEqual((await filesIn(directory)).sort(), digests.slice(1).sort());
});

test('a sweep ignores other folders', async (context) => {
  const directory = join(await temporaryDirectory(context), 'content');
  const files = await ContentFiles.open(directory);
  const { digest } = await files.write(chunks('old'));
  files.unpin(digest);
  await writeFile(join(directory, '.stray'), 'whatever');
  assert.equal(await files.sweep(nobody, -1_000), 1);
  assert.deepEqual(await filesIn(directory), ['.stray']);
});

test('folders that could not be created are created once there is room', async (context) => {
  const blocked = join(await temporaryDirectory(context), 'blocked');
  await writeFile(blocked, '');
  const { TMPDIR } = process.env;
  process.env['TMPDIR'] = blocked;
  const files = await ContentFiles.open(null);
  if (TMPDIR === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = TMPDIR;
  await assert.rejects(files.write(chunks('one')));
  await unlink(blocked);
  assert.deepEqual(await files.write(chunks('one')), { digest: digestOf('one'), bytes: 3 });
  await files.close();
});

test('a temporary directory is removed at the end', async () => {
  const files = await ContentFiles.open(null);
  const { digest } = await files.write(chunks('x'));
  await files.close();
  await assert.rejects(files.open(digest), { code: 'ENOENT' });
});

test('only digests are looked up on disk', async (context) => {
  const files = await ContentFiles.open(await temporaryDirectory(context));
  assert.throws(() => files.open('../../etc/passwd'), { code: 'data-damaged' });
});

test('a reader that ends early or never starts closes the file', async (context) => {
  const files = await ContentFiles.open(await temporaryDirectory(context));
  const { digest } = await files.write(chunks('x'.repeat(300_000)));
  for (const begin of [true, false]) {
    const handle = await files.open(digest);
    const range = new FileRange(handle, 0, 300_000);
    if (begin) await range.next();
    await range.return();
    await assert.rejects(handle.stat(), { code: 'EBADF' });
  }
});

/** A file of content that another process has written. */
async function strangeFile(context: TestContext, text: string) {
  const directory = await temporaryDirectory(context);
  const { digest, bytes } = await (await ContentFiles.open(directory)).write(chunks(text));
  const path = join(directory, digest.slice(0, 2), digest);
  await utimes(path, LONG_AGO, LONG_AGO);
  return { path, content: { digest, bytes }, files: await ContentFiles.open(directory) };
}

/** Flips a bit so that nothing but the bytes tells of it. */
async function damageUnseen(path: string, at: number): Promise<void> {
  const file = await open(path, 'r+');
  const byte = new Uint8Array(1);
  await file.read(byte, 0, 1, at);
  byte[0]! ^= 1;
  await file.write(byte, 0, 1, at);
  await file.utimes(LONG_AGO, LONG_AGO);
  await file.close();
}

async function bytesOf(source: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of source) pieces.push(Buffer.from(piece));
  return Buffer.concat(pieces);
}

/** Counts the reads of any file from now on. */
async function countReads(context: TestContext, path: string): Promise<() => number> {
  const { mock } = context.mock.method(Object.getPrototypeOf(await opened(path)), 'read');
  return () => mock.calls.length;
}

/** Seconds since 1970. */
const LONG_AGO = 1_700_000_000;
const LONG = 'long '.repeat(200_000);
const damaged = { code: 'data-damaged', message: /^content\/..\/\w{64} does not match its digest/ };

test('no byte of a damaged file is returned, be it read completely or in part', async (context) => {
  const { path, content, files } = await strangeFile(context, LONG);
  await damageUnseen(path, 500_000);
  await assert.rejects(files.read(content, 0, content.bytes), damaged);
  await assert.rejects(files.read(content, 0, 10), damaged);
  await truncate(path, 10);
  await assert.rejects(files.read(content, 0, 10), damaged);
});

test('a file is verified once before its first byte is returned, and not by the process that wrote it', async (context) => {
  const { path, content, files } = await strangeFile(context, LONG);
  const reads = await countReads(context, path);
  const both = await Promise.all([files.read(content, 0, 5), files.read(content, 5, 10)]);
  const verifying = reads();
  assert.ok(verifying >= 4);
  for (const part of both) assert.equal((await bytesOf(part)).toString(), 'long ');
  await bytesOf(await files.read(content, 0, 5));
  assert.equal(reads(), verifying + 3);
  const own = await files.write(chunks('own'));
  await bytesOf(await files.read(own, 0, 2));
  assert.equal(reads(), verifying + 4);
});

test('a changed or replaced file is verified again', async (context) => {
  const { path, content, files } = await strangeFile(context, LONG);
  await bytesOf(await files.read(content, 0, 5));
  await damageUnseen(path, 3);
  await utimes(path, 1, 1);
  await assert.rejects(files.read(content, 0, 2), damaged);
  await files.write(chunks(LONG));
  assert.equal((await bytesOf(await files.read(content, 0, content.bytes))).toString(), LONG);
});

test('damage to bytes alone aborts a complete read, and then all other reads', async (context) => {
  const { path, content, files } = await strangeFile(context, LONG);
  assert.equal((await bytesOf(await files.read(content, 0, content.bytes))).toString(), LONG);
  await damageUnseen(path, 3);
  const pieces: number[] = [];
  const reading = async () => {
    for await (const piece of await files.read(content, 0, content.bytes)) pieces.push(piece.length);
  };
  await assert.rejects(reading(), damaged);
  const given = pieces.reduce((sum, length) => sum + length, 0);
  assert.ok(given > 0 && given < content.bytes, `${given} of ${content.bytes}`);
  await assert.rejects(files.read(content, 0, 2), damaged);
});

test('a reader that ends early gets no more bytes, and a sound file is not reported', async (context) => {
  const { content, files } = await strangeFile(context, LONG);
  const reading = (await files.read(content, 0, content.bytes))[Symbol.asyncIterator]();
  assert.equal((await reading.next()).done, false);
  await reading.return?.();
  assert.equal((await reading.next()).done, true);
  assert.deepEqual(files.damage, { count: 0, digests: [] });
});

test('a damaged file is verified once, and reported until it is stored again', async (context) => {
  const { path, content, files } = await strangeFile(context, LONG);
  await damageUnseen(path, 500_000);
  const reads = await countReads(context, path);
  await assert.rejects(files.read(content, 0, 10), damaged);
  const verifying = reads();
  for (let i = 0; i < 3; i++) await assert.rejects(files.read(content, 0, 10), damaged);
  assert.equal(reads(), verifying);
  assert.deepEqual(files.damage, { count: 1, digests: [content.digest] });
  await files.write(chunks(LONG));
  assert.deepEqual(files.damage, { count: 0, digests: [] });
  await bytesOf(await files.read(content, 0, content.bytes));
});

test('a damaged file that was repaired in place is read again', async (context) => {
  const { path, content, files } = await strangeFile(context, LONG);
  await damageUnseen(path, 3);
  await assert.rejects(files.read(content, 0, 10), damaged);
  // The same bit again.
  await damageUnseen(path, 3);
  await utimes(path, 1, 1);
  assert.equal((await bytesOf(await files.read(content, 0, content.bytes))).toString(), LONG);
  assert.deepEqual(files.damage, { count: 0, digests: [] });
});

test('only some of many damaged files are named', async (context) => {
  const directory = await temporaryDirectory(context);
  const files = await ContentFiles.open(directory);
  for (let i = 0; i < 12; i++) {
    const content = await files.write(chunks(`file ${i}`));
    await truncate(join(directory, content.digest.slice(0, 2), content.digest), 1);
    await assert.rejects(files.read(content, 0, 1), damaged);
  }
  assert.equal(files.damage.count, 12);
  assert.equal(files.damage.digests.length, 10);
});

test('a reader that ends early, never starts or finds damage leaves no file open', async (context) => {
  const { path, content, files } = await strangeFile(context, LONG);
  const { mock } = context.mock.method(files, 'open');
  const requireClosed = async () => {
    const handle = await mock.calls.at(-1)!.result;
    await assert.rejects(handle!.stat(), { code: 'EBADF' });
  };
  for (const begin of [true, false]) {
    const reading = (await files.read(content, 0, content.bytes))[Symbol.asyncIterator]();
    if (begin) await reading.next();
    await reading.return?.();
    await requireClosed();
  }
  const reading = await files.read(content, 0, content.bytes);
  await damageUnseen(path, 3);
  await assert.rejects(bytesOf(reading), damaged);
  await requireClosed();
  await assert.rejects(files.read(content, 0, 1), damaged);
  await requireClosed();
});

/** An open file, for its prototype; it is closed by then. */
async function opened(path: string) {
  const file = await open(path, 'r');
  await file.close();
  return file;
}

test('a file lasts as long as one of several writers of the same bytes uses it', async (context) => {
  const directory = await temporaryDirectory(context);
  const files = await ContentFiles.open(directory);
  const digests: string[] = [];
  for (let i = 0; i < 3; i++) digests.push((await files.write(chunks('same'))).digest);
  const left: number[] = [];
  for (const digest of digests) {
    files.unpin(digest);
    await files.release(digest, nobody);
    left.push((await filesIn(directory)).length);
  }
  assert.deepEqual(left, [1, 1, 0]);
});
