import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { it } from 'node:test';
import type { ObjectBucket } from '../../src/cluster/objects/bucket.ts';

/** A bucket of a case, empty, and a second handle to the same objects. */
export interface BucketPair {
  readonly bucket: ObjectBucket;
  readonly other: ObjectBucket;
}

export async function* piecesOf(bytes: Uint8Array, size = 300_000): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

export async function bytesOf(pieces: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(Uint8Array.from(piece));
  return Buffer.concat(all);
}

export function digestOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** What holds for all implementations of `ObjectBucket`. */
export function objectBucketContract(open: () => Promise<BucketPair>): void {
  it('returns the bytes that were stored, with their digest, to another process', async () => {
    const { bucket, other } = await open();
    const bytes = randomBytes(1_700_000);
    const stored = await bucket.put({ name: 'a/b', digest: digestOf(bytes) }, piecesOf(bytes));
    const found = await other.find('a/b');
    assert.deepEqual([found?.digest, found?.bytes], [digestOf(bytes), bytes.length]);
    assert.ok(Math.abs(stored.modified - Date.now()) < 60_000);
    assert.deepEqual(await bytesOf(other.read(found!)), bytes);
    assert.equal(await other.find('a'), undefined);
  });

  it('stores empty objects', async () => {
    const { bucket } = await open();
    const stored = await bucket.put({ name: 'empty' }, piecesOf(Buffer.alloc(0)));
    assert.equal(stored.bytes, 0);
    assert.equal((await bytesOf(bucket.read(stored))).length, 0);
  });

  it('changes nothing when the bytes do not have the digest, or their source fails', async () => {
    const { bucket } = await open();
    const bytes = randomBytes(700_000);
    await bucket.put({ name: 'a' }, piecesOf(bytes));
    const wrong = { name: 'a', digest: digestOf(Buffer.from('other')) };
    await assert.rejects(bucket.put(wrong, piecesOf(randomBytes(600_000))), { code: 'data-damaged' });
    const failing = async function* () {
      yield randomBytes(600_000);
      throw new Error('the source failed');
    };
    await assert.rejects(bucket.put({ name: 'a' }, failing()), /the source failed/);
    assert.deepEqual(await bytesOf(bucket.read((await bucket.find('a'))!)), bytes);
  });

  it('removes and touches only what was found', async () => {
    const { bucket, other } = await open();
    const first = await bucket.put({ name: 'a' }, piecesOf(Buffer.from('x')));
    assert.equal(await other.touch(first), true);
    assert.equal(await bucket.remove(first), false, 'touched meanwhile');
    assert.equal(await bucket.touch(first), false);
    const touched = (await bucket.find('a'))!;
    assert.ok(touched.modified >= first.modified && touched.revision > first.revision);
    assert.equal(await bucket.remove(touched), true);
    assert.equal(await other.find('a'), undefined);
    assert.equal(await other.touch(touched), false, 'removed meanwhile');
    const again = await other.put({ name: 'a' }, piecesOf(Buffer.from('x')));
    assert.equal(await bucket.remove(touched), false, 'stored again meanwhile');
    assert.equal((await bytesOf(bucket.read(again))).toString(), 'x');
  });

  it('lets one of two processes win that touch and remove an object at the same time', async () => {
    const { bucket, other } = await open();
    for (let round = 0; round < 20; round++) {
      const object = await bucket.put({ name: 'a' }, piecesOf(Buffer.from('x')));
      const change = [() => bucket.touch(object), () => other.remove(object)];
      if (round % 2 === 1) change.reverse();
      const won = await Promise.all(change.map((each) => each()));
      assert.equal(won.filter(Boolean).length, 1);
      const [isTouched] = round % 2 === 1 ? won.toReversed() : won;
      const found = await other.find('a');
      assert.equal(found !== undefined, isTouched);
      if (found) assert.equal((await bytesOf(bucket.read(found))).toString(), 'x');
    }
  });

  it('lists the objects with a prefix, once each', async () => {
    const { bucket, other } = await open();
    for (const name of ['c/1', 'c/2', 'd/1', 'c/3', 'c/2'])
      await bucket.put({ name }, piecesOf(Buffer.from(name)));
    await bucket.remove((await bucket.find('c/3'))!);
    const names: string[] = [];
    for await (const { name } of other.list('c/')) names.push(name);
    assert.deepEqual(names.sort(), ['c/1', 'c/2']);
  });

  it('says that an object was removed while it was read', async () => {
    const { bucket, other } = await open();
    const stored = await bucket.put({ name: 'a' }, piecesOf(randomBytes(3_000_000)));
    const reading = bucket.read(stored)[Symbol.asyncIterator]();
    await reading.next();
    await other.remove(stored);
    const rest = async () => {
      while (!(await reading.next()).done);
    };
    await assert.rejects(rest, { code: 'not-found' });
  });
}
